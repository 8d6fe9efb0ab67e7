/** What is in the tarball, and what is not. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { installedFile, projects } from './installed.mjs';

const folder = installedFile('');
const files = readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile());
const manifest = JSON.parse(readFileSync(installedFile('package.json'), 'utf8'));

test('the package has the version of the crate and no dependencies', () => {
  const [, version] = readFileSync(join(root, 'Cargo.toml'), 'utf8').match(/^version = "(.*)"/m);
  assert.equal(manifest.version, version);
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts']) assert.equal(manifest[kind], undefined);
  assert.equal(manifest.sideEffects, false);
});

test('it holds code, types, the core, its texts and nothing else', () => {
  const others = files.filter((path) => !/^dist[\\/](esm|cjs)[\\/]((slim|client)[\\/])?[a-z-]+(\.d\.ts|\.js)$/.test(path));
  assert.deepEqual(others.sort(), [
    ...['CHANGELOG.md', 'ISSUE-CODES.md', 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'core.wasm'],
    ...[join('dist', 'cjs', 'package.json'), 'package.json'],
  ]);
});

test('types stand first in every branch of exports, and every target is there', () => {
  const targets = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(targets));
  for (const path of targets(manifest.exports)) assert.ok(statSync(installedFile(path)).isFile(), path);
  for (const entry of ['.', './slim', './client']) {
    for (const branch of Object.values(manifest.exports[entry])) assert.deepEqual(Object.keys(branch), ['types', 'default']);
  }
});

test('core.wasm and package.json can be resolved, inner files can not', () => {
  const { resolve } = createRequire(join(projects().cjsProject, 'index.js'));
  assert.ok(resolve('sales-order-intake/core.wasm').endsWith('core.wasm'));
  assert.ok(resolve('sales-order-intake/package.json').endsWith('package.json'));
  assert.throws(() => resolve('sales-order-intake/dist/cjs/encode.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
});

test('no file holds a path of the machine it was built on', () => {
  for (const path of files) {
    const text = readFileSync(join(folder, path), 'latin1');
    const hexText = /core-source/.test(path) ? Buffer.from(text.match(/"([0-9a-f]+)"/)?.[1] ?? '', 'hex').toString('latin1') : '';
    for (const place of [root, join(homedir(), '.cargo'), join(homedir(), '.rustup'), 'registry/src']) {
      assert.ok(!text.includes(place) && !hexText.includes(place), `${path}: ${place}`);
    }
  }
});

test('slim holds no bytes: all its code together is smaller than the core', () => {
  const slim = files.filter((path) => /^dist[\\/]esm[\\/]slim[\\/].*\.js$/.test(path));
  const size = slim.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  assert.ok(slim.length > 0 && size < 60_000, `${size} bytes`);
});
