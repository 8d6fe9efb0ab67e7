/** Tests that a build finds its core, or downloads it from a release, without Rust. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { copySourcesTo } from '../../scripts/build/copy.mjs';
import { builtModules, FILES, findCore, hashOfCore, storeCore, versionOfCrate } from '../../scripts/build/core.mjs';
import { sha256 } from '../../scripts/build/hash.mjs';
import { DIGESTS, fileOf, releaseAddress } from '../../scripts/build/release.mjs';
import { pkg } from '../../scripts/places.mjs';
import { listen } from '../../scripts/ports.mjs';
import { programOf } from '../../scripts/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'core-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** @returns {import('../../scripts/build/core.mjs').Modules} */
const modulesOf = (hash) =>
  /** @type {any} */ (Object.fromEntries(FILES.map((file) => [file, Buffer.from(`${file} of ${hash}`)])));

test('the five cores that were used last are stored', () => {
  const store = join(folder, 'store');
  for (const [age, hash] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    storeCore(hash, modulesOf(hash), store);
    utimesSync(join(store, hash), new Date(), new Date(Date.now() - 60_000 * (9 - age)));
  }
  assert.deepEqual(findCore('a', store), modulesOf('a'));
  storeCore('f', modulesOf('f'), store);
  assert.deepEqual(readdirSync(store).sort(), ['a', 'c', 'd', 'e', 'f']);
  assert.equal(findCore('b', store), undefined);
  assert.deepEqual(readdirSync(join(store, 'f')).sort(), FILES.toSorted());
});

test('the address of a release follows from that of the repository', () => {
  const release = 'https://github.com/shop/orders/releases/download/v1.2.3';
  for (const repository of [
    'https://github.com/shop/orders',
    'https://github.com/shop/orders.git',
    'https://name:password@github.com/shop/orders.git/',
    'git@github.com:shop/orders.git',
    'ssh://git@github.com:22/shop/orders.git',
  ])
    assert.equal(releaseAddress(repository, '1.2.3'), release, repository);
  assert.throws(() => releaseAddress('/srv/orders', '1.2.3'), /not an address on the web/);
});

/** A machine without Rust: a copy of the sources, and a PATH on which there is only git. */
const copy = join(folder, 'sources');
const bin = join(folder, 'bin');
const hash = hashOfCore();
const stored = join(copy, 'target/core', hash, 'core.wasm');
const modules = builtModules();
const core = modules['core.wasm'];
/** The files of the release by path. @type {Map<string, string | Buffer>} */
const files = new Map();
const server = createServer(({ url }, response) => {
  const body = files.get(url ?? '');
  response.writeHead(body === undefined ? 404 : 200).end(body);
});
let origin = '';

before(async () => {
  copySourcesTo(copy);
  mkdirSync(bin);
  symlinkSync(programOf('GIT', 'git') ?? assert.fail('git is not installed'), join(bin, 'git'));
  origin = `http://127.0.0.1:${await listen(server)}/shop/orders`;
  for (const args of [
    ['init', '--quiet'],
    ['remote', 'add', 'origin', `${origin}.git`],
  ])
    assert.equal((await run(join(bin, 'git'), args)).status, 0);
});
after(() => server.close());

const build = () => run(process.execPath, ['scripts/build/build.mjs']);
const download = (...args) => run(process.execPath, ['scripts/build/download-core.mjs', ...args]);

/** Runs a program in the copy; resolves to its status and all that it printed. */
function run(program, args) {
  const child = spawn(program, args, { cwd: copy, env: { PATH: bin }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (printed += piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, printed }));
  });
}

/** Puts a core on the server, and the other files, under the hash of these sources or of others. */
function release(core, { of = hash, digest = sha256(core) } = {}) {
  const path = `/shop/orders/releases/download/v${versionOfCrate()}`;
  files.clear();
  const released = Object.entries({ ...modules, 'core.wasm': core });
  const digests = released.map(
    ([file, contents]) => `${file === 'core.wasm' ? digest : sha256(contents)}  ${fileOf(of, file)}\n`,
  );
  files.set(`${path}/${DIGESTS}`, digests.join(''));
  for (const [file, contents] of released) files.set(`${path}/${fileOf(of, file)}`, contents);
}

async function refused(message) {
  const { status, printed } = await download();
  assert.match(printed, message);
  assert.equal(status, 1);
  assert.ok(!existsSync(stored));
}

test('a build without Rust and without a core says how to get either', async () => {
  const { status, printed } = await build();
  assert.equal(status, 1);
  assert.match(printed, /https:\/\/rustup\.rs/);
  assert.match(printed, /node scripts\/build\/download-core\.mjs/);
  assert.ok(!existsSync(join(copy, 'pkg')));
});

test('a release that does not exist is reported', async () => {
  files.clear();
  await refused(/core\.sha256 has status 404: does release \d/);
});

test('a core with another digest than the listed one is refused', async () => {
  release(core, { digest: sha256(Buffer.from('another core')) });
  await refused(/does not have the SHA-256 that core\.sha256 lists/);
});

test('the core of other sources is refused', async () => {
  release(core, { of: '0123456789abcdef' });
  await refused(
    /The core of the release \(core-0123456789abcdef\.wasm, orders-0123456789abcdef\.wasm, .*\) is not that of the sources here/,
  );
});

test('a module that does not fit its glue is refused', async () => {
  release(Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  await refused(/its glue calls __wbindgen_start, /);
});

test('without Rust, the core is downloaded from the release of the origin, and built into the package', async () => {
  release(core);
  const downloaded = await download();
  assert.equal(downloaded.status, 0, downloaded.printed);
  assert.deepEqual(readFileSync(stored), core);
  files.clear();
  assert.match((await download()).printed, /is stored already/);
  const built = await build();
  assert.equal(built.status, 0, built.printed);
  const names = readdirSync(pkg, { recursive: true, encoding: 'utf8' }).sort();
  assert.deepEqual(readdirSync(join(copy, 'pkg'), { recursive: true, encoding: 'utf8' }).sort(), names);
  for (const name of names.filter((name) => statSync(join(pkg, name)).isFile()))
    assert.ok(readFileSync(join(copy, 'pkg', name)).equals(readFileSync(join(pkg, name))), `${name} differs`);
});

test('the core can come from another address', async () => {
  rmSync(stored);
  release(core);
  assert.equal((await run(join(bin, 'git'), ['remote', 'remove', 'origin'])).status, 0);
  const { status, printed } = await download('--from', `${origin}/releases/download/v${versionOfCrate()}`);
  assert.equal(status, 0, printed);
  assert.deepEqual(readFileSync(stored), core);
});
