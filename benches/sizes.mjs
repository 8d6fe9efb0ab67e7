/** P3: measures what a page ships, bundled, minified and compressed by brotli. */
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { pkg, root } from '../scripts/places.mjs';
import { bundled, evaluating } from '../scripts/check/sizes.mjs';

const own = join(pkg, 'dist/esm');

/** Returns the kilobytes of a page that evaluates, of all entries of a page that also sends, and of the stacks with ids and a sending library. */
export async function sizes() {
  const peers = join(root, 'benches/peers');
  const stack = (file) =>
    `export { prepare } from './${file}'; export { newId } from './uuid.mjs'; export { default as ky } from 'ky';`;
  return {
    own: await kilobytes(await evaluating(own), own),
    client: await kilobytes(`export * from './index.js'; export * from './client/index.js';`, own),
    A: await kilobytes(stack('zod.mjs'), peers),
    B: await kilobytes(stack('ajv.mjs'), peers),
    D: await kilobytes(stack('typebox.mjs'), peers),
    E: await kilobytes(stack('valibot.mjs'), peers),
  };
}

async function kilobytes(contents, resolveDir) {
  const { bytes } = await bundled(contents, resolveDir);
  return brotliCompressSync(bytes).length / 1000;
}
