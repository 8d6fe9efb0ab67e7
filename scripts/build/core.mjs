/**
 * The built core and the reference service for tests, each with its glue (glue.mjs), stored in target/core/<hash>/ by the hash of everything that
 * their bytes depend on. A build that finds them needs no Rust. Imports nothing that npm installs.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, target } from '../places.mjs';
import { fail } from '../run.mjs';
import { hashOf } from './hash.mjs';

/** The sources of the core, and what builds it. Add every file that its bytes depend on. */
const SOURCES = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  '.cargo',
  'src',
  'wasm/Cargo.toml',
  'wasm/src',
  'service/rules/Cargo.toml',
  'service/rules/src',
  'service/wasm',
  'scripts/bindgen',
  'scripts/build/build.mjs',
  'scripts/build/compile-core.mjs',
  'scripts/build/finish-core.mjs',
  'scripts/build/glue.mjs',
];
const STORE = join(target, 'core');

/** The files of the modules: the core, its two parts for pages, which run with its glue, and the reference service for tests. */
const FILES = /** @type {const} */ ([
  ...['core.wasm', 'orders.wasm', 'fates.wasm', 'core.js', 'core.d.ts', 'service.wasm', 'service.js', 'service.d.ts'],
]);
/** @typedef {Record<typeof FILES[number], Buffer>} Modules */

/** Returns the hash of the core that the sources ask for. */
export function hashOfCore() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version } = lock.packages['node_modules/binaryen'] ?? fail('package-lock.json has no binaryen');
  return hashOf(SOURCES, `binaryen ${version}`).slice(0, 16);
}

/** Returns the version of the crate, which is that of the package. */
export function versionOfCrate() {
  return fieldOfCrate('version') ?? fail('Cargo.toml has no version');
}

/** Returns the values that the build puts into the code of the package: its version, and the address of its documentation. */
export function constantsOfPackage(folder = root) {
  const homepage = fieldOfCrate('homepage', folder)?.replace(/\/?$/, '/');
  return {
    PACKAGE_VERSION: JSON.stringify(versionOfCrate()),
    DOCUMENTATION: homepage === undefined ? 'undefined' : JSON.stringify(homepage),
  };
}

/** Returns a string of the section `workspace.package` of Cargo.toml, which all crates share, or `undefined`. */
export function fieldOfCrate(key, folder = root) {
  const [, section = ''] = readFileSync(join(folder, 'Cargo.toml'), 'utf8').split(/^\[workspace\.package\]$/m);
  const [fields] = section.split(/^\[/m);
  return fields.match(new RegExp(`^${key} = "(.*)"$`, 'm'))?.[1];
}

/** Returns the modules with this hash, or `undefined` if they are not stored. @returns {Modules | undefined} */
export function findCore(hash) {
  const folder = join(STORE, hash);
  if (!existsSync(folder)) return undefined;
  return /** @type {Modules} */ (Object.fromEntries(FILES.map((file) => [file, readFileSync(join(folder, file))])));
}

/** Returns the modules of these sources, which a build has stored. */
export function builtModules() {
  return findCore(hashOfCore()) ?? fail('The core of these sources is not built yet: run `make build`');
}

/** Stores modules in place of those of other sources. @param {Modules} modules */
export function storeCore(hash, modules) {
  // A build that is interrupted stores nothing.
  const unfinished = `${STORE}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const file of FILES) writeFileSync(join(unfinished, file), modules[file]);
  rmSync(STORE, { recursive: true, force: true });
  mkdirSync(STORE, { recursive: true });
  renameSync(unfinished, join(STORE, hash));
}
