import { fileURLToPath } from 'node:url';
import { nodeOf } from '../../scripts/node.mjs';
import { run } from '../../scripts/run.mjs';
export { nodeOf };
if (process.argv[1] === fileURLToPath(import.meta.url)) run(nodeOf(process.argv[2]), process.argv.slice(3));
