import { run } from './program-of-files.mjs';

onmessage = async ({ data: base }) => postMessage(await run(base));
