/**
 * Builds the npm package into pkg/: Rust → WebAssembly → wasm-bindgen → wasm-opt, TypeScript → ECMAScript modules and
 * CommonJS. Does nothing where neither what it reads nor what it wrote has changed.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, sep } from 'node:path';
import binaryen from 'binaryen';
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
  'www/outbox',
  'package-lock.json',
  'scripts',
  'CHANGELOG.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
];
const STAMP = join(target, 'pkg.stamp');
/** Of this run alone: a second one at the same time must not get into it. */
const STAGE = join(target, `pkg-stage-${process.pid}`);
/** Of what makes code fast it is inlining that makes it large: this little of it is nearly as fast at two thirds of the size. */
const SMALL = ['-Cllvm-args=-inline-threshold=60'];
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
  for (const entry of ['testing', 'outbox']) compileEntry(staged, entry);
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
  const metadata = JSON.parse(
    output('cargo', ['metadata', '--locked', '--format-version', '1'], options) ?? fail('cargo metadata failed'),
  );
  const { name, version } = metadata.packages.find(({ id }) => id === metadata.resolve.root);
  run(
    'cargo',
    ['build', '--locked', '--lib', '--features', 'wasm', '--profile', 'wasm', '--target', 'wasm32-unknown-unknown'],
    {
      cwd: root,
      env: { ...process.env, CARGO_ENCODED_RUSTFLAGS: [...remaps(metadata), ...SMALL].join('\x1f') },
    },
  );
  const file = `${name.replaceAll('-', '_')}.wasm`;
  return { version, wasm: join(metadata.target_directory, 'wasm32-unknown-unknown/wasm', file) };
}

/** Panics carry the place of their source; with these flags it holds no path of the machine. The last that fits wins. */
function remaps(metadata) {
  const registries = join(CARGO_HOME, 'registry', 'src');
  const sysroot = output('rustc', ['--print', 'sysroot'], { cwd: root });
  const [, commit] = output('rustc', ['-vV'], { cwd: root }).match(/^commit-hash: (.*)$/m);
  const folders = [
    [sysroot, '/rust'],
    // Where the component rust-src is installed the standard library names it, and else its commit: always the commit.
    [join(sysroot, 'lib/rustlib/src/rust'), `/rustc/${commit}`],
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
    ...['--target', 'web', '--no-typescript', '--remove-producers-section'],
    ...['--out-name', 'core', '--out-dir', folder, wasm],
  ]);
  const mute = join(STAGE, 'mute.wasm');
  writeFileSync(mute, withoutPanicMessages(join(folder, 'core_bg.wasm')));
  const optimised = join(STAGE, 'core.wasm');
  // Always this one: other versions, when on PATH, have made modules that don't start.
  run(process.execPath, [
    program('binaryen/bin/wasm-opt'),
    '-Os',
    '--converge',
    '--strip-debug',
    '--strip-target-features',
    mute,
    '-o',
    optimised,
  ]);
  return readFileSync(optimised);
}

/**
 * Nobody is there to read what a panic would say, but the code that puts it together is 11 KB: a panic traps at once. Its
 * functions of the standard library, told by their names, never return; those that write messages are kept by the tables
 * they are called through, and so must not be called by the core for anything else.
 */
function withoutPanicMessages(file) {
  const module = binaryen.readBinary(readFileSync(file));
  const names = Array.from(
    { length: module.getNumFunctions() },
    (_, index) => binaryen.getFunctionInfo(module.getFunctionByIndex(index)).name,
  );
  const panics = names.filter((name) =>
    /^(core|std|alloc)\S*::(panicking::(panic|rust_panic)|str::slice_error_fail|slice::index::\w*fail|(option|result)::(unwrap|expect)_failed|raw_vec::(handle_error|capacity_overflow)|alloc::handle_alloc_error)|::rust_begin_unwind$/.test(
      name,
    ),
  );
  if (panics.length < 10)
    fail(`Only ${panics.length} functions of panics were found: has the standard library renamed them?`);
  const writers = names.filter((name) => /\b(fmt|panicking)::/.test(name) && !panics.includes(name));
  const caller = callersOf(file, writers).find((name) => !panics.includes(name) && !writers.includes(name));
  if (caller)
    fail(
      `${caller} formats text, which the module has no code for: write it piece by piece, with concat of src/json.rs`,
    );
  for (const name of [...panics, ...writers]) binaryen.Function.setBody(module.getFunction(name), module.unreachable());
  return module.emitBinary();
}

function callersOf(file, names) {
  const graph = output(process.execPath, [program('binaryen/bin/wasm-opt'), file, '--print-call-graph'], {
    maxBuffer: 1 << 28,
  });
  const calls = graph?.matchAll(/^ *"(.+)" -> "(.+)"; \/\/ call$/gm) ?? fail('wasm-opt printed no calls');
  return [...calls].filter(([, , callee]) => names.includes(callee)).map(([, caller]) => caller);
}

/** The package brings its own loader, which knows these two imports (pkg-template/src/instance.ts). */
function checkImports(core) {
  const names = WebAssembly.Module.imports(new WebAssembly.Module(core)).map(({ name }) => name);
  const unknown = names.filter(
    (name) => !/^__wbg_getRandomValues_[0-9a-f]+$|^__wbindgen_init_externref_table$/.test(name),
  );
  if (unknown.length > 0) fail(`The core has imports that the loader does not know: ${unknown.join(', ')}`);
}

function checkPaths(core) {
  const text = core.toString('latin1');
  const known = [root, homedir(), CARGO_HOME].find((path) => path.length > 1 && text.includes(path));
  const leak = known ?? text.match(/\/(home|Users|root)\/[ -~]*|registry\/src\/[ -~]*/)?.[0];
  if (leak) fail(`The core holds a path of this machine: ${leak}`);
}

function compileTypeScript(staged, core) {
  const dist = join(staged, 'dist');
  const hex = JSON.stringify(core.toString('hex'));
  for (const [format, module] of Object.entries({ esm: 'esnext', cjs: 'commonjs' })) {
    const folder = join(dist, format);
    tsc('pkg-template', module, folder);
    const client = join(STAGE, `client-${format}`);
    tsc('www/client', module, client);
    cpSync(join(client, 'www/client'), join(folder, 'client'), { recursive: true });
    importNextTo(join(folder, 'client'));
    copyCode(folder, join(folder, 'slim'));
    writeCoreSource(folder, exported(format, hex));
    writeCoreSource(join(folder, 'slim'), exported(format, 'undefined'));
  }
  writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
  // Edge workers compile no bytes: the module is imported, in the words of the platform, which compiles it.
  for (const [platform, module] of Object.entries({ workerd: 'core.wasm', 'edge-light': 'core.wasm?module' })) {
    const folder = join(dist, platform);
    copyCode(join(dist, 'esm'), folder);
    writeCoreSource(folder, `import coreSource from '../../${module}';\nexport { coreSource };\n`);
  }
}

/** It names the package where it imports from it: the core is the one that the program has. */
function compileEntry(staged, entry) {
  for (const [format, module] of Object.entries({ esm: 'esnext', cjs: 'commonjs' })) {
    const folder = join(STAGE, `${entry}-${format}`);
    tsc(`www/${entry}`, module, folder);
    cpSync(join(folder, 'www', entry), join(staged, 'dist', format, entry), { recursive: true });
  }
}

function tsc(project, module, folder) {
  run(process.execPath, [
    program('typescript/bin/tsc'),
    '-p',
    join(root, project),
    '--module',
    module,
    '--outDir',
    folder,
  ]);
}

/**
 * The client names the package where it imports from it; published, it takes the core of the folder it stands in, so that
 * each entry has a client on the very same core, and a page needs no import map.
 */
function importNextTo(client) {
  for (const path of filesUnder(client)) {
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(/^((?:import|export|const) .*(?:from |require\())(['"])sales-order-intake\2/gm, '$1$2../index.js$2'),
    );
  }
}

/** The code of an entry, for one that differs from it in the core's source only; the types are the same. */
function copyCode(from, to) {
  for (const path of filesUnder(from).filter((path) => path.endsWith('.js') && !path.includes(`${sep}slim${sep}`))) {
    cpSync(path, join(to, relative(from, path)));
  }
}

/** The one difference between the entries (pkg-template/src/core-source.d.ts). */
function writeCoreSource(folder, text) {
  writeFileSync(join(folder, 'core-source.js'), text);
}

function exported(format, value) {
  return format === 'esm' ? `export const coreSource = ${value};\n` : `"use strict";\nexports.coreSource = ${value};\n`;
}

function writeManifest(staged, version) {
  const manifest = JSON.parse(readFileSync(join(root, 'pkg-template/package.json'), 'utf8'));
  const folders = Object.entries(manifest.exports).filter(([entry, targets]) => entry !== '.' && targets.require);
  for (const [entry, targets] of folders) writeFolderEntry(join(staged, entry), staged, targets);
  const files = [...manifest.files, ...folders.map(([entry]) => `${entry.slice(2)}/package.json`)];
  writeJson(join(staged, 'package.json'), { ...manifest, version, files });
}

/** For tools that read no exports map, as Parcel unless it is configured: there an entry is a folder that says where its code is. */
function writeFolderEntry(folder, staged, { import: esm, require: cjs }) {
  const from = (path) => relative(folder, join(staged, path)).split(sep).join('/');
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, 'package.json'), {
    main: from(cjs.default),
    module: from(esm.default),
    types: from(cjs.types),
  });
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
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
