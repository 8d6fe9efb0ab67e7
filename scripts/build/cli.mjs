/**
 * Bundles the command line into dist/cli of the package: a module for each command and thread, so that each loads only what it
 * needs.
 * It runs on the package that it is part of, whose modules stay outside.
 */
import { chmodSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { root, target } from '../places.mjs';
import { constantsOfPackage } from './core.mjs';
import { write } from './modules.mjs';

/** In characters. A command that loads a smaller one for nothing does not notice it, and each is a file of the package. */
const SMALLEST_CHUNK = 5000;

export async function bundleCli(pkg) {
  const names = entries();
  const dir = join(pkg, 'dist/cli');
  const modules = await compiled(names, dir);
  const merged = await rollup({
    input: Object.fromEntries(names.map((name) => [name, join(dir, `${name}.js`)])),
    plugins: [inMemory(modules)],
    logLevel: 'warn',
  });
  const { output } = await merged.generate({
    dir,
    // A chunk is named after the largest of its sources.
    chunkFileNames: ({ moduleIds }) =>
      `shared/${largest(moduleIds.flatMap((id) => modules.get(id)?.sources ?? []))}.js`,
    experimentalMinChunkSize: SMALLEST_CHUNK,
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  });
  // Without source maps: the command line prints no stack, and its code is not minified.
  for (const chunk of output) if (chunk.type === 'chunk') write(join(dir, chunk.fileName), chunk.code);
  chmodSync(join(dir, 'main.js'), 0o755);
}

/** Returns the names of the npm packages whose code is in the bundle, sorted. */
export async function packagesInCli() {
  const modules = await compiled(entries(), join(target, 'cli'));
  const sources = [...modules.values()].flatMap((module) => module.sources.map(([path]) => `${path}`));
  const names = sources.flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

function entries() {
  const commands = readdirSync(join(root, 'cli/commands')).map((file) => `commands/${file}`);
  // A thread starts as a module of its own.
  return ['main.ts', 'relay/evaluation-thread.ts', ...commands].map((file) => file.slice(0, -'.ts'.length));
}

/** Returns the name of the largest source, or of the package that it is from. */
function largest(sources) {
  const [path] = sources.reduce((most, source) => (source[1] > most[1] ? source : most), ['entries', 0]);
  return path.match(/node_modules\/([^/]+)/)?.[1] ?? basename(path).replace(/\.\w+$/, '');
}

/** Compiles the commands, and what several of them share. Returns each module by its path: its code, and the sizes of its sources. */
async function compiled(names, outdir) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => `cli/${name}.ts`),
    outbase: 'cli',
    outdir,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    // The hashes in names depend on paths, which are those of the repository even if its node_modules is a link.
    preserveSymlinks: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    define: constantsOfPackage(),
    external: ['sales-order-intake', 'sales-order-intake/*', '#serve'],
    loader: { '.toml': 'text' },
    plugins: [ownParts, dataAsText],
    logLevel: 'warning',
  });
  return new Map(
    outputFiles.map(({ path, text: code }) => {
      const inputs = Object.entries(metafile.outputs[relative(root, path)]?.inputs ?? {});
      return [path, { code, sources: inputs.map(([source, { bytesInOutput }]) => [source, bytesInOutput]) }];
    }),
  );
}

/** Finds modules here that are not on the disk; all others stay outside. */
const inMemory = (modules) => ({
  name: 'in-memory',
  resolveId(source, importer) {
    const path = importer === undefined ? source : resolve(dirname(importer), source);
    return modules.has(path) ? path : { id: source, external: true };
  },
  load: (path) => modules.get(path),
});

/** Makes a text of data, which `JSON.parse` reads faster than the engine reads code. */
const dataAsText = {
  name: 'data-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const json = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(json)});` };
    });
  },
};

/** Refuses imports from other parts of the package: the command line uses these at run time, and has no copy of them. */
const ownParts = {
  name: 'own-parts',
  setup({ onResolve }) {
    onResolve({ filter: /^(\.\.\/)+(outbox|testing|www\/client)\// }, ({ path }) => ({
      errors: [{ text: `${path} must be imported by its entry` }],
    }));
  },
};
