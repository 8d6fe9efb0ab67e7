/**
 * Builds the npm package into pkg/: the core from Rust, ECMAScript modules and CommonJS from TypeScript. Does nothing if
 * neither its sources nor its output have changed.
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
import { join, relative, sep } from 'node:path';
import { bundleCli } from './cli.mjs';
import { buildCore } from './core.mjs';
import { compileModules, copySources } from './modules.mjs';
import { writeOrderSchemas } from './order-schemas.mjs';
import { pkg, root, target } from './places.mjs';
import { printSizes } from './sizes.mjs';

/** The sources of the package. Add every file that the build reads. */
const SOURCES = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  '.cargo',
  'src',
  'pkg-template',
  'www/client',
  'www/order-value',
  'www/testing',
  'www/outbox',
  'www/cli',
  // The command line explains the codes, with examples and decisions.
  'examples/issue-examples.json',
  'docs/reference/decisions.md',
  'package-lock.json',
  'scripts',
  'CHANGELOG.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
];
const STAMP = join(target, 'pkg.stamp');
/** The folder of this run; a concurrent build uses another. */
const STAGE = join(target, `pkg-stage-${process.pid}`);

// Computed before the build, because changes during the build are not in pkg/.
const sources = hashOf(SOURCES);
if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp()) {
  console.log('pkg/ is up to date');
} else {
  await build();
  writeFileSync(STAMP, stamp());
  await printSizes(pkg);
}

async function build() {
  process.on('exit', () => rmSync(STAGE, { recursive: true, force: true }));
  const { version, core } = buildCore(join(STAGE, 'core'));
  const staged = join(STAGE, 'pkg');
  copySources(staged);
  writeOrderSchemas(staged);
  await compileModules(staged, core);
  await bundleCli(staged);
  writeFileSync(join(staged, 'core.wasm'), core);
  writeManifest(staged, version);
  copyTexts(staged);
  rmSync(pkg, { recursive: true, force: true });
  renameSync(staged, pkg);
}

function stamp() {
  return `sources ${sources}\npkg ${hashOf(['pkg'])}\n`;
}

/** Returns a hash of names and contents; the times of files are not reliable. */
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

function writeManifest(staged, version) {
  const manifest = JSON.parse(readFileSync(join(root, 'pkg-template/package.json'), 'utf8'));
  const folders = Object.entries(manifest.exports).filter(([entry, targets]) => entry !== '.' && targets.require);
  for (const [entry, targets] of folders) writeFolderEntry(join(staged, entry), staged, targets);
  const files = [...manifest.files, ...folders.map(([entry]) => `${entry.slice(2)}/package.json`)];
  writeJson(join(staged, 'package.json'), { ...manifest, version, files });
}

/** Writes a folder that refers to the code of an entry, for tools that do not read `exports`, such as Parcel by default. */
function writeFolderEntry(folder, staged, { default: esm, require: cjs }) {
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
    'core.wasm.d.ts': 'pkg-template/core.wasm.d.ts',
    'core.wasm.d.cts': 'pkg-template/core.wasm.d.ts',
    'NOTICES.md': 'pkg-template/NOTICES.md',
    'CHANGELOG.md': 'CHANGELOG.md',
    'DECISIONS.md': 'docs/reference/decisions.md',
    'ISSUE-CODES.md': 'src/issue-codes.md',
    'OUTBOX.md': 'www/outbox/README.md',
    'LICENSE-MIT': 'LICENSE-MIT',
    'LICENSE-APACHE': 'LICENSE-APACHE',
  };
  for (const [name, source] of Object.entries(texts)) cpSync(join(root, source), join(staged, name));
}
