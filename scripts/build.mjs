/**
 * Builds the npm package into pkg/: Rust → WebAssembly → wasm-bindgen → wasm-opt, TypeScript → ECMAScript modules and
 * CommonJS. Does nothing where neither what it reads nor what it wrote has changed.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { writeOrderSchemas } from './order-schemas.mjs';
import { bindgen, pkg, program, root, target } from './places.mjs';
import { fail, output, run } from './run.mjs';
import { printSizes } from './sizes.mjs';

/** All that the package is made of. Whatever the build comes to read must be named here. */
const SOURCES = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  '.cargo',
  'src',
  'pkg-template',
  'www/client',
  'www/testing',
  'package-lock.json',
  'scripts',
  'CHANGELOG.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
];
const STAMP = join(target, 'pkg.stamp');
/** Of this run alone: a second one at the same time must not get into it. */
const STAGE = join(target, `pkg-stage-${process.pid}`);
const CARGO_HOME = process.env.CARGO_HOME ?? join(homedir(), '.cargo');

// Taken before the build: what changes while it runs is not in pkg/.
const sources = hashOf(SOURCES);
if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp()) {
  console.log('pkg/ is up to date');
} else {
  build();
  writeFileSync(STAMP, stamp());
  await printSizes(pkg);
}

function build() {
  mkdirSync(STAGE, { recursive: true });
  process.on('exit', () => rmSync(STAGE, { recursive: true, force: true }));
  const { version, wasm } = compileRust();
  const core = finishWasm(wasm);
  checkImports(core);
  checkPaths(core);
  const staged = join(STAGE, 'pkg');
  compileTypeScript(staged, core);
  compileTesting(staged);
  writeOrderSchemas(staged);
  writeFileSync(join(staged, 'core.wasm'), core);
  writeManifest(staged, version);
  copyTexts(staged);
  rmSync(pkg, { recursive: true, force: true });
  renameSync(staged, pkg);
}

function stamp() {
  return `sources ${sources}\npkg ${hashOf(['pkg'])}\n`;
}

/** Of names and contents: times of files can lie. */
function hashOf(names) {
  const hash = createHash('sha256');
  for (const path of names.flatMap((name) => filesUnder(join(root, name)))) {
    hash.update(`${relative(root, path)}\0`).update(createHash('sha256').update(readFileSync(path)).digest());
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => (name === 'node_modules' ? [] : filesUnder(join(path, name))));
}

function compileRust() {
  const options = { cwd: root, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] };
  const metadata = JSON.parse(output('cargo', ['metadata', '--locked', '--format-version', '1'], options) ?? fail('cargo metadata failed'));
  const { name, version } = metadata.packages.find(({ id }) => id === metadata.resolve.root);
  run('cargo', ['build', '--locked', '--lib', '--profile', 'wasm', '--target', 'wasm32-unknown-unknown'], {
    cwd: root,
    env: { ...process.env, CARGO_ENCODED_RUSTFLAGS: remaps(metadata).join('\x1f') },
  });
  const file = `${name.replaceAll('-', '_')}.wasm`;
  return { version, wasm: join(metadata.target_directory, 'wasm32-unknown-unknown/wasm', file) };
}

/** Panics carry the place of their source; with these flags it holds no path of the machine. The last that fits wins. */
function remaps(metadata) {
  const registries = join(CARGO_HOME, 'registry', 'src');
  const folders = [
    [output('rustc', ['--print', 'sysroot'], { cwd: root }), '/rust'],
    [CARGO_HOME, '/cargo'],
    // Each is named after its registry. cargo metadata has just filled them.
    ...readdirSync(registries).map((name) => [join(registries, name), '/deps']),
    [metadata.workspace_root, '/sales-order-intake'],
  ];
  return folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

function finishWasm(wasm) {
  const folder = join(STAGE, 'bindgen');
  run(bindgen, [
    ...['--target', 'web', '--no-typescript', '--remove-name-section', '--remove-producers-section'],
    ...['--out-name', 'core', '--out-dir', folder, wasm],
  ]);
  const optimised = join(STAGE, 'core.wasm');
  // Always this one: other versions, when on PATH, have made modules that don't start.
  run(process.execPath, [program('binaryen/bin/wasm-opt'), '-Os', join(folder, 'core_bg.wasm'), '-o', optimised]);
  return readFileSync(optimised);
}

/** The package brings its own loader, which knows these two imports (pkg-template/src/instance.ts). */
function checkImports(core) {
  const names = WebAssembly.Module.imports(new WebAssembly.Module(core)).map(({ name }) => name);
  const unknown = names.filter((name) => !/^__wbg_getRandomValues_[0-9a-f]+$|^__wbindgen_init_externref_table$/.test(name));
  if (unknown.length > 0) fail(`The core has imports that the loader does not know: ${unknown.join(', ')}`);
}

function checkPaths(core) {
  const text = core.toString('latin1');
  const known = [root, homedir(), CARGO_HOME].find((path) => path.length > 1 && text.includes(path));
  const leak = known ?? text.match(/\/(home|Users|root)\/[ -~]*|registry\/src\/[ -~]*/)?.[0];
  if (leak) fail(`The core holds a path of this machine: ${leak}`);
}

function compileTypeScript(staged, core) {
  const formats = { esm: 'esnext', cjs: 'commonjs' };
  for (const [format, module] of Object.entries(formats)) {
    const folder = join(staged, 'dist', format);
    tsc('pkg-template', module, folder);
    cpSync(folder, join(STAGE, format), { recursive: true });
    cpSync(join(STAGE, format), join(folder, 'slim'), { recursive: true });
    writeCoreSource(folder, format, JSON.stringify(core.toString('hex')));
    writeCoreSource(join(folder, 'slim'), format, 'undefined');
    const client = join(STAGE, `client-${format}`);
    tsc('www/client', module, client);
    cpSync(join(client, 'www/client'), join(folder, 'client'), { recursive: true });
  }
  writeFileSync(join(staged, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
}

/** It names the package where it imports from it: the core is the one that the program under test has. */
function compileTesting(staged) {
  for (const [format, module] of Object.entries({ esm: 'esnext', cjs: 'commonjs' })) {
    const folder = join(STAGE, `testing-${format}`);
    tsc('www/testing', module, folder);
    cpSync(join(folder, 'www/testing'), join(staged, 'dist', format, 'testing'), { recursive: true });
  }
}

function tsc(project, module, folder) {
  run(process.execPath, [program('typescript/bin/tsc'), '-p', join(root, project), '--module', module, '--outDir', folder]);
}

/** The one difference between the entries (pkg-template/src/core-source.d.ts). */
function writeCoreSource(folder, format, value) {
  const text = format === 'esm' ? `export const coreSource = ${value};\n` : `"use strict";\nexports.coreSource = ${value};\n`;
  writeFileSync(join(folder, 'core-source.js'), text);
}

function writeManifest(staged, version) {
  const manifest = JSON.parse(readFileSync(join(root, 'pkg-template/package.json'), 'utf8'));
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
}

function copyTexts(staged) {
  const texts = {
    'README.md': 'pkg-template/README.md',
    'CHANGELOG.md': 'CHANGELOG.md',
    'ISSUE-CODES.md': 'src/issue-codes.md',
    'LICENSE-MIT': 'LICENSE-MIT',
    'LICENSE-APACHE': 'LICENSE-APACHE',
  };
  for (const [name, source] of Object.entries(texts)) cpSync(join(root, source), join(staged, name));
}
