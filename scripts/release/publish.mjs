/**
 * Publishes a built file: `node scripts/release/publish.mjs crate FILE.crate`, or `npm FILE.tgz`. If this version is
 * published already, it succeeds if the bytes are the same, so that a release that failed half-way can be run again, and
 * fails if they differ.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { root } from '../places.mjs';
import { fail, run } from '../run.mjs';

/** The first npm that publishes with an identity token instead of a stored one. */
const OLDEST_NPM = [11, 5, 1];

const [registry, path = ''] = process.argv.slice(2);
const publishing = { crate: publishCrate, npm: publishPackage }[registry];
const [, name, version] = basename(path).match(/^(.*?)-(\d+\.\d+\.\d+.*)\.(?:crate|tgz)$/) ?? [];
if (!publishing || !name)
  fail('usage: node scripts/release/publish.mjs crate NAME-VERSION.crate | npm NAME-VERSION.tgz');
const bytes = readFileSync(path);
publishing();

function publishCrate() {
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (isPublished(checksumOfCrate(), sum)) return;
  // cargo publishes no file, only sources: they must give the crate that was built and tested.
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  run('cargo', ['package', '--locked', '--no-verify', '--target-dir', folder], { cwd: root });
  const here = readFileSync(join(folder, 'package', `${name}-${version}.crate`));
  if (!here.equals(bytes)) fail(`the crate that these sources give is not ${path}`);
  // The build has compiled it: code of dependencies must not run where the token is.
  run('cargo', ['publish', '--locked', '--no-verify'], { cwd: root });
}

function publishPackage() {
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (isPublished(integrityOfPackage(), integrity)) return;
  const npm = said('npm', ['--version']).stdout.trim();
  if (isOlder(npm.split('.').map(Number)))
    fail(`npm is ${npm}: publishing without a stored token needs ${OLDEST_NPM.join('.')} or later`);
  const tag = version.includes('-') ? 'next' : 'latest';
  run('npm', ['publish', resolve(path), '--provenance', '--access', 'public', '--ignore-scripts', '--tag', tag]);
}

function isPublished(published, built) {
  if (published === undefined) return false;
  if (published !== built) fail(`${name} ${version} is published with other bytes: ${published}, here ${built}`);
  console.log(`${name} ${version} is published already, with the same bytes`);
  return true;
}

/** Returns the checksum that cargo writes into the lock file of a crate that depends on this version, or `undefined`. */
function checksumOfCrate() {
  const folder = mkdtempSync(join(tmpdir(), 'published-'));
  try {
    writeFileSync(
      join(folder, 'Cargo.toml'),
      `[package]\nname = "lookup"\nversion = "0.0.0"\nedition = "2024"\n[lib]\npath = "lib.rs"\n[dependencies]\n${name} = "=${version}"\n[workspace]\n`,
    );
    writeFileSync(join(folder, 'lib.rs'), '');
    const { status, stderr } = said('cargo', ['generate-lockfile'], folder);
    if (status === 0) {
      const lock = readFileSync(join(folder, 'Cargo.lock'), 'utf8');
      return lock.match(new RegExp(`name = "${name}"\\nversion = ".*"\\nsource = ".*"\\nchecksum = "(.*)"`))?.[1];
    }
    if (/no matching package|failed to select a version for the requirement/.test(stderr)) return undefined;
    return fail(`cargo can't say whether ${name} ${version} is published:\n${stderr}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the integrity that npm reports for this version, or `undefined`. */
function integrityOfPackage() {
  const { status, stdout, stderr } = said('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json']);
  if (status === 0) return stdout.trim() ? JSON.parse(stdout) : undefined;
  if (/\bE404\b/.test(stdout + stderr)) return undefined;
  return fail(`npm can't say whether ${name} ${version} is published:\n${stderr}`);
}

function isOlder(version) {
  const index = OLDEST_NPM.findIndex((number, i) => number !== version[i]);
  return index >= 0 && !(version[index] > OLDEST_NPM[index]);
}

function said(program, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return error ? fail(`${program} could not be run: ${error.message}`) : { status, stdout, stderr };
}
