/**
 * Measures the size of the core, and of what pages ship: newOrderId alone, all that evaluates orders, the default entry, and slim with
 * the client. Run as a script, it fails if a size is above its limit in size-budget.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { pkg, root } from '../places.mjs';
import { fail } from '../run.mjs';

if (process.argv[1] === fileURLToPath(import.meta.url)) checkSizes(await sizesOf(pkg));

export async function printSizes(pkg) {
  for (const [what, sizes] of Object.entries(await sizesOf(pkg))) {
    const [bytes, brotli] = [sizes.bytes, sizes.brotli].map((size) => size.toLocaleString('en').padStart(9));
    console.log(`${what.padEnd(40)}${bytes} bytes ${brotli} brotli`);
  }
}

async function sizesOf(pkg) {
  const dist = join(pkg, 'dist/esm');
  const contents = {
    'core.wasm': readFileSync(join(pkg, 'core.wasm')),
    'newOrderId alone, bundled and minified': (await bundled(`export { newOrderId } from './index.js'`, dist)).bytes,
    'page that evaluates, bundled and minified': (await bundled(await evaluating(dist), dist)).bytes,
    'default entry, bundled and minified': (await bundled(`export * from './index.js'`, dist)).bytes,
    'slim and client, bundled and minified': (
      await bundled(`export * from './index.js'; export * from './client/index.js'`, join(dist, 'slim'))
    ).bytes,
  };
  return Object.fromEntries(
    Object.entries(contents).map(([what, bytes]) => [
      what,
      { bytes: bytes.length, brotli: brotliCompressSync(bytes).length },
    ]),
  );
}

/** Returns a program with all functions of an entry but the readers of responses, which only a page needs that sends orders. */
export async function evaluating(folder) {
  const { readError, readOrder, ...others } = await import(pathToFileURL(join(folder, 'index.js')).href);
  return `export { ${Object.keys(others).join(', ')} } from './index.js'`;
}

/** Returns the code of a program that a page would ship, and the bytes of each module. @param {import('esbuild').Plugin[]} [plugins] */
export async function bundled(contents, resolveDir, plugins = []) {
  const stdin = { contents, resolveDir };
  const options = /** @type {const} */ ({ bundle: true, minify: true, format: 'esm', write: false, metafile: true });
  const { outputFiles, metafile } = await build({ stdin, absWorkingDir: resolveDir, ...options, plugins });
  const [{ inputs }] = Object.values(metafile.outputs);
  return {
    bytes: outputFiles[0].contents,
    modules: Object.entries(inputs).map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput })),
  };
}

function checkSizes(sizes) {
  const budget = JSON.parse(readFileSync(join(root, 'scripts/check/size-budget.json'), 'utf8'));
  const above = Object.entries(sizes).flatMap(([what, measured]) =>
    Object.entries(measured)
      .filter(([unit, size]) => !(size <= budget[what]?.[unit]))
      .map(
        ([unit, size]) =>
          `${what}: ${size} ${unit}, above the ${budget[what]?.[unit]} of scripts/check/size-budget.json`,
      ),
  );
  if (above.length > 0) fail(above.join('\n'));
}
