/** The program in a runtime with a command line: `main.mjs <base URL>` prints the report. */
import { run } from './program.mjs';

console.log(JSON.stringify(await run(process.argv[2])));
