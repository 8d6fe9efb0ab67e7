/**
 * Compiles the TypeScript of the package file by file, so that bundlers omit what a program does not use. Compiles code once
 * for each variant, with source maps, and types once for each module format. In the variant for Node an entry is one file:
 * Node takes a millisecond for each file that it loads.
 *
 * The variants differ in one module, which provides the core (src/core-source.d.ts). Conditions of the manifest's
 * `imports` could select it in one set of files, but neither Parcel nor pages without a bundler read them.
 */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transformSync } from 'esbuild';
import { program, root } from '../places.mjs';
import { run } from '../run.mjs';
import { coreSourceModule as withBytes } from './core-text.mjs';

/** The folders of the repository from which the published src/ is copied. */
const SOURCES = {
  '.': 'pkg-template/src',
  client: 'www/client',
  options: 'www/options',
  'order-value': 'www/order-value',
  platform: 'www/platform',
  sending: 'www/sending',
  testing: 'www/testing',
  outbox: 'www/outbox',
};

const PACKAGE = 'sales-order-intake';
/** The package, for a module of the client. */
const BESIDE_CLIENT = '../index.js';

/** Edge workers do not compile bytes: the platform compiles the imported module. */
const edge = (file) => `import coreSource from '../../${file}';\nexport { coreSource };\n`;

/** @type {{ folder: string, format: 'esm' | 'cjs', source: (core: Buffer) => string, entries?: string[] }[]} */
const VARIANTS = [
  { folder: 'dist/esm', format: 'esm', source: withBytes },
  { folder: 'dist/cjs', format: 'cjs', source: withBytes },
  { folder: 'dist/node', format: 'esm', source: withBytes, entries: ['index.ts', 'client/index.ts', 'unpack.ts'] },
  { folder: 'dist/esm/slim', format: 'esm', source: () => 'export const coreSource = undefined;\n' },
  { folder: 'dist/cjs/slim', format: 'cjs', source: () => 'export const coreSource = undefined;\n' },
  { folder: 'dist/workerd', format: 'esm', source: () => edge('core.wasm') },
  { folder: 'dist/edge-light', format: 'esm', source: () => edge('core.wasm?module') },
];

/** Copies the sources into src/ of the package. */
export function copySources(pkg) {
  for (const [part, from] of Object.entries(SOURCES)) {
    cpSync(join(root, from), join(pkg, 'src', part), { recursive: true, filter: (path) => !/\.(json|md)$/.test(path) });
  }
}

/** Compiles src/ of the package into dist/. */
export async function compileModules(pkg, core) {
  const modules = readdirSync(join(pkg, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.d)\.ts$/.test(path),
  );
  for (const { folder, format, source, entries } of VARIANTS) {
    const outdir = join(pkg, folder);
    // Test service and outbox name the package, and so run on whichever variant their program has; only the default
    // entry has something to unpack.
    const files = modules.filter((path) => isOfEveryVariant(path) || source === withBytes);
    await build({
      absWorkingDir: pkg,
      entryPoints: (entries ?? files).map(inSources),
      outbase: join(pkg, 'src'),
      outdir,
      format,
      bundle: true,
      plugins: [entries ? entryByEntry : fileByFile],
      target: 'es2022',
      charset: 'utf8',
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'warning',
    });
    writeFileSync(join(outdir, 'core-source.js'), transformSync(source(core), { format }).code);
  }
  writeFileSync(join(pkg, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
  for (const format of ['esm', 'cjs']) declareTypes(pkg, join(pkg, 'dist', format));
}

const isOfEveryVariant = (path) => !/^((order-value|testing|outbox)[\\/]|unpack)/.test(path);
const inSources = (path) => join('src', path);

/**
 * Leaves all imports unchanged except one: the client imports the package by name, and in the published files the variant
 * next to it, so that a page needs no import map.
 */
const fileByFile = {
  name: 'file-by-file',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined;
      const isBeside = path === PACKAGE && /[\\/]src[\\/](client|options|platform|sending)[\\/][^\\/]+$/.test(importer);
      return { path: isBeside ? BESIDE_CLIENT : path, external: true };
    });
  },
};

/** Puts all modules of an entry into one file, except the core. The client imports the entry next to it. */
const entryByEntry = {
  name: 'entry-by-entry',
  setup({ onResolve }) {
    onResolve({ filter: /^sales-order-intake$/ }, () => ({ path: BESIDE_CLIENT, external: true }));
    onResolve({ filter: /\/core-source\.js$/ }, () => ({ path: './core-source.js', external: true }));
  },
};

/** Writes the types. Those of the client import the package by name, which resolves to `exports` in the importer's format. */
function declareTypes(pkg, folder) {
  const config = join(pkg, '..', 'tsconfig.json');
  const compilerOptions = {
    rootDir: join(pkg, 'src'),
    outDir: folder,
    emitDeclarationOnly: true,
    declarationMap: true,
    // The outbox has asynchronous disposal.
    lib: ['es2022', 'dom', 'esnext.disposable'],
    paths: {
      'sales-order-intake': [join(pkg, 'src/index.ts')],
      'sales-order-intake/client': [join(pkg, 'src/client/index.ts')],
    },
  };
  const options = { extends: join(root, 'pkg-template/tsconfig.json'), compilerOptions, include: [join(pkg, 'src')] };
  writeFileSync(config, JSON.stringify(options));
  run(process.execPath, [program('typescript/bin/tsc'), '-p', config]);
}
