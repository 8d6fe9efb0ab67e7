import { init } from 'sales-order-intake/slim';
import { base, report } from '../page.mjs';
import { run } from '../program-slim.mjs';

report(init(new URL('core.wasm', `${base}/`)).then(() => run(base)));
