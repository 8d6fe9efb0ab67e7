import { build } from 'esbuild';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pkg, root, target } from '../../scripts/places.mjs';

/** Compiles a module of examples/recipes, which Node 20 can't read as it is, with the package, and imports it. */
export async function recipe(name) {
  const outfile = join(target, 'recipes-compiled', `${name}.mjs`);
  await build({
    entryPoints: [join(root, `examples/recipes/${name}.ts`)],
    outfile,
    format: 'esm',
    bundle: true,
    alias: { 'sales-order-intake': join(pkg, 'dist/esm/index.js') },
  });
  return import(pathToFileURL(outfile).href);
}
