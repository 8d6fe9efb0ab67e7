import { run } from './program-of-files.mjs';

addEventListener('message', async ({ data: base }) => postMessage(await run(base)));
