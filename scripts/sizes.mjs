import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

/** Prints what the package costs: the core alone, and the default entry as a page would ship it. */
export async function printSizes(pkg) {
  const core = readFileSync(join(pkg, 'core.wasm'));
  const { outputFiles } = await build({
    entryPoints: [join(pkg, 'dist/esm/index.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  for (const [what, bytes] of [
    ['core.wasm', core],
    ['default entry, bundled and minified', outputFiles[0].contents],
  ]) {
    const [raw, brotli] = [bytes.length, brotliCompressSync(bytes).length].map((n) => n.toLocaleString('en').padStart(9));
    console.log(`${what.padEnd(36)}${raw} bytes ${brotli} brotli`);
  }
}
