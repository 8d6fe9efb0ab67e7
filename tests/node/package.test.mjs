/** Tests what the tarball contains and what it does not contain. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { installedFile, projects } from './installed.mjs';

const folder = installedFile('');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => statSync(join(folder, path)).isFile() && path !== join('dist/esm/internals.js'),
);
const manifest = JSON.parse(readFileSync(installedFile('package.json'), 'utf8'));

test('the package has the version of the crate, and no dependencies except the optional peers of two entries', () => {
  const version = readFileSync(join(root, 'Cargo.toml'), 'utf8').match(/^version = "(.*)"/m)?.[1];
  assert.equal(manifest.version, version);
  for (const kind of ['dependencies', 'optionalDependencies', 'scripts']) assert.equal(manifest[kind], undefined);
  const peers = Object.keys(manifest.peerDependencies);
  assert.deepEqual(peers, ['@modelcontextprotocol/sdk', '@opentelemetry/api', 'pg']);
  for (const peer of peers) assert.deepEqual(manifest.peerDependenciesMeta[peer], { optional: true });
  assert.equal(manifest.sideEffects, false);
});

const ENTRY = '((slim|client|slim[\\/]client|testing|opentelemetry|outbox([\\/](page|sqlite|postgres))?)[\\/])?index';
const CHUNK = 'shared[\\/](client|core|errors|order-id|outbox|testing)';
const CODE = new RegExp(
  `^dist[\\/]((esm|cjs|edge)[\\/](${ENTRY}|core-source)|(esm|cjs)[\\/](${CHUNK}|service-source|unpack)|esm[\\/]serve[\\/]index)\\.js$`,
);
const TYPES = new RegExp(`^dist[\\/](esm[\\/]${ENTRY}|cjs[\\/](${ENTRY}|${CHUNK}))\\.d\\.ts$`);
/** The command line: a module for each command and thread, and what they share. */
const CLI =
  /^dist[\\/]cli[\\/](main|commands[\\/][a-z]+|relay[\\/]evaluation-thread|shared[\\/](csv|evaluation|explanations|http|journal|orders|service|store|terminal))\.js$/;
const CORE = ['core.wasm', 'core.wasm.d.cts', 'core.wasm.d.ts'];
const SCHEMAS = ['created-order', 'mapping', 'order-v2', 'order-v3', 'valid-order'].map((name) =>
  join('schema', `${name}.json`),
);
const TEXTS = [
  'CHANGELOG.md',
  'DECISIONS.md',
  'ISSUE-CODES.md',
  'LICENSE-APACHE',
  'LICENSE-MIT',
  'NOTICES.md',
  'OUTBOX.md',
  'README.md',
];
/** Entries that tools without exports find as folders. */
const FOLDERS = Object.keys(manifest.exports).filter((entry) => entry !== '.' && manifest.exports[entry].require);
const MANIFESTS = ['', join('dist', 'cjs'), ...FOLDERS].map((folder) => join(folder, 'package.json'));

test('it holds code, types, the core, its texts and nothing else, in at most 120 files, 3 MB, and 800 KB packed', () => {
  const others = files.filter((path) => ![TYPES, CODE, CLI].some((pattern) => pattern.test(path)));
  assert.deepEqual(others.sort(), [...TEXTS, ...MANIFESTS, ...SCHEMAS, ...CORE].sort());
  assert.ok(files.length <= 120, `${files.length} files`);
  const bytes = files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  assert.ok(bytes <= 3_000_000, `${bytes} bytes`);
  const packed = statSync(projects().tarball).size;
  assert.ok(packed <= 800_000, `${packed} bytes packed`);
});

test('relative links of its texts lead to files of the package', () => {
  let links = 0;
  for (const text of TEXTS) {
    for (const [, path] of readFileSync(installedFile(text), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      links++;
      assert.ok(files.includes(join(path)), `${text}: ${path}`);
    }
  }
  assert.ok(links >= 5);
});

test('the program is a script that npm can link, and nothing of it is in the entries', () => {
  assert.deepEqual(manifest.bin, { 'sales-order-intake': './dist/cli/main.js' });
  assert.match(readFileSync(installedFile('dist/cli/main.js'), 'utf8'), /^#!\/usr\/bin\/env node\n/);
  const code = files.filter((path) => /^dist[\\/](esm|cjs)[\\/].*\.js$/.test(path));
  for (const path of code) assert.doesNotMatch(readFileSync(join(folder, path), 'utf8'), /\/cli\//, path);
});

test('an entry that is found as a folder is the one of exports', () => {
  assert.ok(FOLDERS.includes('./slim/client'));
  for (const entry of FOLDERS) {
    const { main, module, types } = JSON.parse(readFileSync(installedFile(`${entry}/package.json`), 'utf8'));
    const { default: esm, require: cjs } = manifest.exports[entry];
    const targets = [main, module, types].map((path) => join(installedFile(entry), path));
    assert.deepEqual(
      targets,
      [cjs.default, esm.default, cjs.types].map((path) => join(installedFile(path))),
    );
  }
});

test('types are first in every branch of exports, the last branch is the default, and every target exists', () => {
  const targets = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(targets));
  const [patterns, paths] = [
    targets(manifest.exports).filter((path) => path.includes('*')),
    targets(manifest.exports).filter((path) => !path.includes('*')),
  ];
  for (const path of paths) assert.ok(statSync(installedFile(path)).isFile(), path);
  assert.deepEqual(patterns, ['./schema/*.json']);
  const outbox = ['./outbox', './outbox/page', './outbox/sqlite', './outbox/postgres'];
  for (const entry of ['.', './client', './slim', './slim/client', './testing', './opentelemetry', ...outbox]) {
    const branches = manifest.exports[entry];
    for (const branch of Object.values(branches)) assert.deepEqual(Object.keys(branch), ['types', 'default']);
    assert.equal(Object.keys(branches).at(-1), 'default');
  }
});

test('a program in Node loads few files', () => {
  const loadedBy = (entry) => {
    const loaded = new Set();
    const load = (path) => {
      if (loaded.has(path)) return;
      loaded.add(path);
      const code = readFileSync(path, 'utf8');
      for (const [, source] of code.matchAll(/^(?:import|export)\b[^;]*? from '(\..*)';$/gm))
        load(join(dirname(path), source));
    };
    load(installedFile(entry));
    return [...loaded].map((path) => relative(installedFile('dist/esm'), path)).sort();
  };
  const chunk = (name) => join('shared', `${name}.js`);
  const core = ['core-source.js', chunk('core'), chunk('errors'), 'unpack.js'];
  assert.deepEqual(loadedBy('dist/esm/index.js'), [...core, 'index.js', chunk('order-id')].sort());
  assert.deepEqual(loadedBy('dist/esm/client/index.js'), [...core, join('client', 'index.js'), chunk('client')].sort());
});

test('core.wasm, the schemas and package.json can be resolved, internal files cannot', () => {
  const { resolve } = createRequire(join(projects().cjsProject, 'index.js'));
  assert.ok(resolve('sales-order-intake/core.wasm').endsWith('core.wasm'));
  assert.ok(resolve('sales-order-intake/schema/order-v3.json').endsWith('order-v3.json'));
  assert.ok(resolve('sales-order-intake/package.json').endsWith('package.json'));
  assert.throws(() => resolve('sales-order-intake/dist/cjs/encode.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
});

test('no file contains a path of the machine that built it', () => {
  for (const path of files) {
    const text = readFileSync(join(folder, path), 'latin1');
    for (const place of [root, join(homedir(), '.cargo'), join(homedir(), '.rustup'), 'registry/src']) {
      assert.ok(!text.includes(place), `${path}: ${place}`);
    }
  }
});

test('slim and the entries of edge workers contain no bytes of the core', () => {
  const code = files.filter((path) => /^dist[\\/]((esm|cjs)[\\/](slim|shared)|edge)[\\/].*\.js$/.test(path));
  assert.equal(new Set(code.map((path) => path.split(/[\\/]/)[1])).size, 3);
  for (const path of code) {
    assert.ok(statSync(join(folder, path)).size < 100_000, path);
    assert.doesNotMatch(readFileSync(join(folder, path), 'utf8'), /0061736d/, path);
  }
});
