/**
 * Writes what a release consists of into target/publish, after `make build`, `cargo package` and
 * `node scripts/build/pack-core.mjs`: in `assets/` the npm package, the crate, the core, the SHA-256 of each file of the
 * package, and SHA256SUMS of all assets; beside it `notes.md`, the entry of the changelog.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILES as MODULE_FILES, hashOfCore } from '../build/core.mjs';
import { sumsOf } from '../build/hash.mjs';
import { DIGESTS, fileOf } from '../build/release.mjs';
import { pack } from '../pack.mjs';
import { pkg, root, target } from '../places.mjs';
import { fail, run } from '../run.mjs';

/** The list of the package's files; somebody who has installed the package can check it there. */
const FILES = 'package-files.sha256';
const SUMS = 'SHA256SUMS';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { name, version } = JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8'));
  const assets = join(target, 'publish/assets');
  rmSync(assets, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });
  const tarball = join(assets, `${name}-${version}.tgz`);
  pack(tarball);
  take(join(target, 'package'), `${name}-${version}.crate`);
  for (const file of coreFiles()) take(join(target, 'packed'), file);
  writeFileSync(join(assets, FILES), sumsOfTarball(tarball));
  const sums = sumsOf(assets);
  writeFileSync(join(assets, SUMS), sums);
  writeFileSync(join(target, 'publish/notes.md'), notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version));
  process.stdout.write(sums);

  function take(folder, file) {
    copyFileSync(join(folder, file), join(assets, file));
  }
}

/** Returns the names of the modules and of the list with their SHA-256. */
function coreFiles() {
  const files = [...MODULE_FILES.map((file) => fileOf(hashOfCore(), file)), DIGESTS];
  return files.every((file) => existsSync(join(target, 'packed', file)))
    ? files
    : fail('The core is not packed: run `node scripts/build/pack-core.mjs` first');
}

function sumsOfTarball(tarball) {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
    return sumsOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the entry of a version without its heading. */
export function notesOf(changelog, version) {
  const [, ...entries] = changelog.split(/^## /m);
  const entry = entries.find((text) => text.split(/\s/, 1)[0] === version) ?? '';
  return `${entry.slice(entry.indexOf('\n')).trim()}\n`;
}
