/** The stacks that generate code and can't run without it. Workers and strict policies forbid that. */
export { prepare as B } from './ajv.mjs';
export { prepare as mixB } from './mix/ajv.mjs';
export { prepare as mixCompiledA } from './mix/zod-compiled.mjs';
export { prepare as compiledA } from './zod-compiled.mjs';
