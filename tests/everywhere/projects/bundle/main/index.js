import { base, report } from '../page.mjs';
import { run } from '../program.mjs';

report(run(base));
