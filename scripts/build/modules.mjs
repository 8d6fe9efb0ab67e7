/**
 * Compiles the modules of the package: one graph with shared chunks for all entries and the command line, so that no class, core or constant
 * exists twice in a program. CommonJS is the same files in another format, for engines whose `require()` can't load
 * ECMAScript modules; bundlers do not use it (write-package.mjs).
 *
 * Only the core differs between platforms. Conditions of the manifest's `exports` select an entry, because pages without a
 * bundler, and Parcel, read no conditions of `imports`.
 */
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { rollup } from 'rollup';
import dts from 'rollup-plugin-dts';
import { constantsOfPackage } from './core.mjs';
import { GLUE } from './glue.mjs';
import { orderSchemasModule } from './order-schemas.mjs';
import { program, root } from '../places.mjs';
import { fail, start } from '../run.mjs';
import { sourceModule } from './core-text.mjs';

/** The modules that others import by name, and that are published without the core. */
const SLIM = { 'sales-order-intake': 'pkg-template/src/index', 'sales-order-intake/client': 'www/client/index' };
/** The entries that start the core by themselves. */
const WITH_CORE = {
  index: 'pkg-template/src/with-core',
  'client/index': 'www/client/with-core',
  'outbox/index': 'outbox/with-core',
};
/** The other entries, and what the tests import. */
const OTHERS = {
  'slim/index': SLIM['sales-order-intake'],
  'slim/client/index': SLIM['sales-order-intake/client'],
  'outbox/page/index': 'outbox/page/index',
  'outbox/sqlite/index': 'outbox/sqlite/index',
  'outbox/postgres/index': 'outbox/postgres/index',
  'opentelemetry/index': 'pkg-template/src/telemetry/index',
  internals: 'tests/internals',
  unpack: 'pkg-template/src/unpack',
};
/**
 * The command line: a module for each command and thread, so that each loads only what it needs. It runs on the entries of the package,
 * as a user's program does; what it imports beside them is in the chunks of the package.
 */
const CLI = [
  'main',
  'relay/evaluation-thread',
  ...readdirSync(join(root, 'cli/commands')).map((file) => `commands/${basename(file, '.ts')}`),
];
/** The entries with the core and the reference service, whose module is in the package once, as text: edge workers have none. */
const WITH_SERVICE = { 'testing/index': 'testing/with-core', 'serve/index': 'testing/serve' };
/** The types of an entry are those of the modules that it adds the core to. */
const TYPES = {
  index: SLIM['sales-order-intake'],
  'client/index': SLIM['sales-order-intake/client'],
  'outbox/index': 'outbox/index',
  'outbox/page/index': OTHERS['outbox/page/index'],
  'outbox/sqlite/index': OTHERS['outbox/sqlite/index'],
  'outbox/postgres/index': OTHERS['outbox/postgres/index'],
  'opentelemetry/index': OTHERS['opentelemetry/index'],
  'testing/index': 'testing/index',
};
/** Parts that a page may need before the core. They are chunks of their own, because bundlers load a module as a whole. */
const BEFORE_CORE = {
  'order-id': /\/pkg-template\/src\/new-order-id\./,
  errors: /\/pkg-template\/src\/(doc-url|error|similar-name)|\/www\/client\/errors\./,
};
/** The chunks that entries share, by the folder of their modules. */
const CHUNKS = {
  client: /\/www\/client\/|\/pkg-template\/src\/(options|platform|sending)\//,
  core: /\/pkg-template\/src\/(?!unpack)[^/]+$|\/wasm\/glue\/core\./,
  outbox: /\/outbox\/[^/]+$/,
  postgres: /\/outbox\/postgres\//,
  testing: /\/testing\/|\/wasm\/glue\/service\./,
};
/** The chunks that commands share. */
const CLI_CHUNKS = {
  terminal:
    /\/cli\/(problem|arguments\/(command-table|commands|invocation|program)|files\/text-chunks|output\/(printable-text|progress|terminal))\./,
  csv: /\/cli\/files\/(csv-|member-types|mapping-(fault|schema))|\/node_modules\/csv-parse\//,
  explanations: /\/cli\/output\/explanation\.|\/issue-examples\.json$/,
  evaluation: /\/cli\/relay\/evaluation\./,
  service: /\/cli\/arguments\/base-url-and-token\./,
  store: /\/cli\/relay\/store\./,
  journal: /\/cli\/(sending\/(changes|journal|send-tables))/,
  http: /\/cli\/http\//,
  orders: /\/cli\/(arguments|files\/(?!kept-|mapping-)|output\/(?!receipt))/,
};
/**
 * The folders of the entries that start the core, each with its source. Bundles have the functions about fates only if they use them. Edge
 * workers import what is compiled; with this query, Next and wrangler do.
 */
const PLATFORMS = {
  esm: (modules) => sourceModule({ coreSource: modules['orders.wasm'], fatesSource: modules['fates.wasm'] }),
  edge: () =>
    `import coreSource from '../../core.wasm?module';\nexport { coreSource };\nexport const fatesSource = undefined;\n`,
};

/** Compiles the modules into dist/ of the package. @param {import('./core.mjs').Modules} modules What Rust was compiled to. */
export async function compileModules(pkg, modules) {
  const dist = join(pkg, 'dist');
  await Promise.all([compileCode(dist), bundleTypes(dist, join(pkg, '..', 'types'))]);
  writeSources(dist, modules);
  await writeCommonJs(dist);
  write(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
}

async function compileCode(dist) {
  const others = Object.entries(OTHERS).map(([name, module]) => [`esm/${name}`, join(root, `${module}.ts`)]);
  const withCore = Object.keys(PLATFORMS).flatMap((platform) =>
    Object.entries(WITH_CORE).map(([name, module]) => [`${platform}/${name}`, `${join(root, module)}.ts?${platform}`]),
  );
  const withService = Object.entries(WITH_SERVICE).map(([name, module]) => [
    `esm/${name}`,
    `${join(root, module)}.ts?esm`,
  ]);
  const cli = CLI.map((name) => [`cli/${name}`, join(root, `cli/${name}.ts`)]);
  const bundle = await rollup({
    input: Object.fromEntries([...withCore, ...withService, ...others, ...cli]),
    plugins: [typescript],
    external: EXTERNAL,
    // The command line imports an entry by its name.
    makeAbsoluteExternalsRelative: true,
    // An entry may have types only, and the bundled packages have circles of their own.
    onwarn: ({ code, message }) =>
      code === 'EMPTY_BUNDLE' || (code === 'CIRCULAR_DEPENDENCY' && message.includes('node_modules/')) || fail(message),
  });
  const { output } = await bundle.generate({
    ...OUTPUT,
    manualChunks: chunkOf({ ...BEFORE_CORE, ...CHUNKS, ...CLI_CHUNKS }),
    dir: dist,
    chunkFileNames: ({ name }) => `${name in CLI_CHUNKS ? 'cli' : 'esm'}/shared/${name}.js`,
  });
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    // Rollup imports a chunk also where only another one uses its names. Of the comments of declarations only those in classes are
    // left, and the types have them.
    const code = chunk.code.replace(/^import '.*';$|^ +(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/|\/\/ -{9,} .*)\n/gm, '');
    const isCli = chunk.fileName.startsWith('cli/');
    write(join(dist, chunk.fileName), isCli ? (await transform(code, { target: TARGET, ...MINIFIED })).code : code);
  }
  chmodSync(join(dist, 'cli/main.js'), 0o755);
}

function writeSources(dist, modules) {
  for (const [platform, sourceOf] of Object.entries(PLATFORMS))
    write(join(dist, platform, 'core-source.js'), sourceOf(modules));
  write(join(dist, 'esm/service-source.js'), sourceModule({ serviceSource: modules['service.wasm'] }));
}

/** The npm packages whose code is in the command line. */
export const BUNDLED = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies);
const TARGET = 'es2022';
/** For code that few people read, the command line and CommonJS: 55 KB less of the tarball. */
const MINIFIED = /** @type {const} */ ({ minify: true, charset: 'utf8', legalComments: 'none' });
const EXTERNAL = /^(node:.*|stream|pg|@opentelemetry\/api)$/;
const OUTPUT = {
  entryFileNames: '[name].js',
  minifyInternalExports: false,
  hoistTransitiveImports: false,
};

/** Returns the name of a module's chunk. An entry with a query has none: it is compiled for each platform. */
function chunkOf(chunks) {
  return (id) => (id.includes('?') ? undefined : Object.keys(chunks).find((name) => chunks[name].test(id)));
}

/** Finds and compiles the modules. The query in the id of an entry is its platform, and so the folder of its core. */
const typescript = {
  name: 'typescript',
  resolveId(source, importer) {
    if (importer === undefined) return source;
    if (importer.startsWith(join(root, 'cli'))) {
      const [, entry] = /^(?:sales-order-intake|#(?=serve))\/?(.*)$/.exec(source) ?? [];
      if (entry !== undefined) return { id: join(root, 'esm', entry, 'index.js'), external: true };
    }
    if (BUNDLED.includes(source)) return fileURLToPath(import.meta.resolve(source));
    if (SLIM[source]) return join(root, `${SLIM[source]}.ts`);
    if (/\b(core|service)-source\.js$/.test(source))
      return { id: join(root, importer.split('?')[1], basename(source)), external: true };
    if (!source.startsWith('.')) return null;
    const path = join(dirname(importer), source);
    return path.startsWith(join(root, GLUE)) || path.includes('node_modules') ? path : path.replace(/\.js$/, '.ts');
  },
  load(id) {
    const [sourcefile] = id.split('?');
    const isGenerated = sourcefile.endsWith('/order-schemas.ts');
    const contents = isGenerated ? orderSchemasModule() : readFileSync(sourcefile, 'utf8');
    if (sourcefile.endsWith('.json')) return `export default ${JSON.stringify(JSON.parse(contents))};`;
    if (/\.(css|toml)$/.test(sourcefile)) return `export default ${JSON.stringify(contents)};`;
    return transform(contents, {
      loader: 'ts',
      target: TARGET,
      define: constantsOfPackage(),
      sourcefile: basename(sourcefile),
    });
  },
};

/** The modules with bytes, in CommonJS: they read files that the package has anyway. */
const BYTES_FOR_COMMONJS = {
  'core-source.js': `const { readFileSync } = require('node:fs');
const { join } = require('node:path');
exports.coreSource = () => readFileSync(join(__dirname, '../../core.wasm'));
exports.fatesSource = undefined;
`,
  'service-source.js': `const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { unpack } = require('./unpack.js');
exports.serviceSource = () => {
  const module = readFileSync(join(__dirname, '../esm/service-source.js'), 'utf8');
  const [, unpacker, text] = /unpacker = (\\[.*\\]);[^]*unpack\\((".*"), unpacker\\)/.exec(module);
  return unpack(JSON.parse(text), JSON.parse(unpacker));
};
`,
};

async function writeCommonJs(dist) {
  const files = readdirSync(join(dist, 'esm'), { recursive: true, encoding: 'utf8' });
  // Only ECMAScript modules import these: the command line, and tests.
  const isImported = (path) => !/^(serve|internals)\b/.test(path);
  for (const file of files.filter((path) => path.endsWith('.js') && isImported(path))) {
    write(join(dist, 'cjs', file), BYTES_FOR_COMMONJS[file] ?? (await commonJsOf(join(dist, 'esm', file))));
  }
}

async function commonJsOf(path) {
  // Programs print the names of error classes.
  const module = readFileSync(path, 'utf8').replace(/^class (\w+Error) .*\{$/gm, "$&static name = '$1';");
  // Node prints the line that throws an error which nobody catches.
  const options = /** @type {const} */ ({ format: 'cjs', target: TARGET, lineLimit: 1000, ...MINIFIED });
  return (await transform(module, { sourcefile: basename(path), ...options })).code;
}

export function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

async function bundleTypes(dist, types) {
  const options = ['--declaration', '--emitDeclarationOnly', '--outDir', types];
  await start(process.execPath, [program('typescript/bin/tsc'), '-p', join(root, 'scripts/build'), ...options]);
  const byName = {
    name: 'by-name',
    resolveId(source) {
      if (SLIM[source]) return join(types, `${SLIM[source]}.d.ts`);
      // It is a declaration, which the compiler does not copy.
      const [glue] = source.match(`${GLUE}/.*(?=\\.js$)`) ?? [];
      return glue === undefined ? null : join(root, `${glue}.d.ts`);
    },
  };
  const input = Object.entries(TYPES).map(([name, module]) => [name, join(types, `${module}.d.ts`)]);
  const bundle = await rollup({
    input: Object.fromEntries(input),
    plugins: [byName, dts()],
    external: EXTERNAL,
    // No declaration of a program needs these names: they are resolved to types of the platform.
    onwarn: ({ message }) =>
      /private shared type exports .*: (PlatformFetch, )?PlatformType\./.test(message) || fail(message),
  });
  const files = { entryFileNames: '[name].d.ts', chunkFileNames: 'shared/[name].d.ts' };
  await bundle.write({ ...OUTPUT, ...files, manualChunks: chunkOf(CHUNKS), dir: join(dist, 'cjs') });
  // Both forms have the same types: an ECMAScript module may import those of CommonJS, but not the other way round.
  for (const name of Object.keys(TYPES)) {
    const types = relative(dirname(join('esm', name)), join('cjs', name)).replaceAll('\\', '/');
    write(join(dist, 'esm', `${name}.d.ts`), `export * from '${types}.js';\n`);
  }
}
