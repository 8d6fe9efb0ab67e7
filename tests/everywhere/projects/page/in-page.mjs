import { base, report } from './page.mjs';
import { run } from './program-of-files.mjs';

report(run(base));
