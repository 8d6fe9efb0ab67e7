/**
 * Installs the package as a user does: packs it, and installs the tarball into an ECMAScript and a CommonJS project.
 * Does so once for each content of pkg/, even if several test files need it at the same time.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pack } from '../../scripts/tarball.mjs';
import { pkg, target } from '../../scripts/places.mjs';

const INSTALLED = join(target, 'installed');
const NAME = 'sales-order-intake';
const INTERNALS = 'dist/esm/internals.js';
/** The age of an installation that no running test can still use. */
const STALE_MS = 3_600_000;

let loaded;
let folders;

/**
 * The namespaces of the installed package: `esm` is the default entry, `slim` the one without bytes, `client` the client,
 * `testing` the reference service.
 */
export async function installed() {
  loaded ??= load();
  return loaded;
}

async function load() {
  const namespaces = await import(pathToFileURL(join(projects().esmProject, 'namespaces.mjs')).href);
  const { main: esm, slim, client, testing } = namespaces;
  return { esm, slim, client, testing };
}

/** Loads a fresh copy of an entry, in CommonJS, whose modules can be loaded again. */
export function fresh(entry = NAME) {
  const require = createRequire(join(projects().cjsProject, 'index.js'));
  for (const path of Object.keys(require.cache))
    if (path.includes(join('node_modules', NAME))) delete require.cache[path];
  return require(entry);
}

/**
 * Runs a program in a new process inside one of the projects; returns its status and output.
 *
 * @param {string} code
 * @param {{ format?: string, flags?: string[] }} [options]
 */
export function runProgram(code, { format = 'esm', flags = [] } = {}) {
  const { esmProject, cjsProject } = projects();
  const type = format === 'esm' ? 'module' : 'commonjs';
  return spawnSync(process.execPath, [...flags, `--input-type=${type}`, '--eval', code], {
    cwd: format === 'esm' ? esmProject : cjsProject,
    encoding: 'utf8',
  });
}

/** Returns the path of a file of the installed package. */
export function installedFile(path) {
  return join(projects().esmProject, 'node_modules', NAME, path);
}

/** Returns the two folders in which the package is installed, and the tarball that it was installed from. */
export function projects() {
  folders ??= installOnce();
  return folders;
}

function installOnce() {
  const folder = join(INSTALLED, fingerprint());
  if (!existsSync(folder)) install(folder);
  return { esmProject: join(folder, 'esm'), cjsProject: join(folder, 'cjs'), tarball: join(folder, `${NAME}.tgz`) };
}

/** Returns a hash of the content of pkg/. */
export function fingerprint() {
  if (!existsSync(join(pkg, 'package.json'))) throw new Error('pkg/ is missing: run `make build` first');
  const hash = createHash('sha256');
  for (const path of readdirSync(pkg, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(pkg, path);
    if (statSync(file).isFile()) hash.update(`${path}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Installs into a temporary folder and renames it, so that no test sees a partial installation. */
function install(folder) {
  const aside = `${folder}-${randomUUID()}`;
  const tarball = join(aside, `${NAME}.tgz`);
  pack(tarball);
  for (const [name, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ]) {
    const project = join(aside, name);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type }));
    npmInstall(project, tarball);
    // Not published: only tests use it.
    copyFileSync(join(pkg, INTERNALS), join(project, 'node_modules', NAME, INTERNALS));
    if (type === 'commonjs') withoutModuleSync(join(project, 'node_modules', NAME, 'package.json'));
  }
  const entries = { main: NAME, slim: `${NAME}/slim`, client: `${NAME}/client`, testing: `${NAME}/testing` };
  const namespaces = Object.entries(entries).map(([name, entry]) => `export * as ${name} from '${entry}';\n`);
  writeFileSync(join(aside, 'esm', 'namespaces.mjs'), namespaces.join(''));
  try {
    renameSync(aside, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(aside, { recursive: true });
  }
  for (const name of readdirSync(INSTALLED)) {
    const path = join(INSTALLED, name);
    // Another test file may have renamed or removed it since.
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (path !== folder && Date.now() - changedAt > STALE_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Makes "require" load CommonJS, as it does in engines that do not know the condition. */
function withoutModuleSync(path) {
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  for (const targets of Object.values(manifest.exports)) delete targets['module-sync'];
  writeFileSync(path, JSON.stringify(manifest));
}

function npmInstall(project, tarball) {
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball],
    {
      cwd: project,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`npm could not install the packed package:\n${stderr}`);
}
