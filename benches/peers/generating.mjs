/** The stacks that can't do without code that they generate: workers and strict policies forbid it. */
export { prepare as B } from './ajv.mjs';
export { prepare as mixB } from './mix/ajv.mjs';
export { prepare as mixCompiledA } from './mix/zod-compiled.mjs';
export { prepare as compiledA } from './zod-compiled.mjs';
