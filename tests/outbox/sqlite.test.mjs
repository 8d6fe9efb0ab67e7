/** Tests how the store on SQLite opens a file: what it requires, sets and locks. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installedFile } from '../node/installed.mjs';
import { folderOf, sqliteStore } from './harness.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const STORE = pathToFileURL(installedFile('dist/esm/outbox/sqlite/index.js')).href;

function program(code) {
  return spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', code], { encoding: 'utf8' });
}

for (const [what, open] of Object.entries({
  'a file': (file) => `sqliteStore(${JSON.stringify(file)})`,
  "the shop's own database": (file) => `sqliteStore(new DatabaseSync(${JSON.stringify(file)}))`,
})) {
  test(`a second process on ${what} is rejected until the first one has ended`, async (t) => {
    const file = join(folderOf(t), 'orders.sqlite');
    const code = `import { DatabaseSync } from 'node:sqlite';
      import { sqliteStore } from ${JSON.stringify(STORE)};
      try { globalThis.store = ${open(file)}; console.log('open'); setInterval(() => {}, 1000); }
      catch ({ name, reason, message }) { console.log(name, reason, message); }`;
    const run = () => spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', code]);
    const first = run();
    t.after(() => first.kill('SIGKILL'));
    assert.equal(String((await once(first.stdout, 'data'))[0]), 'open\n');
    assert.match(program(code).stdout, /^OutboxError locked .*in use by another process.*PostgreSQL/);
    assert.throws(() => sqliteStore(file), { name: 'OutboxError', reason: 'locked' });
    first.kill('SIGKILL');
    await once(first, 'close');
    await sqliteStore(file).close();
  });
}

test('a second store of the same process is rejected until the first is closed, also by another path or a link', async (t) => {
  const folder = folderOf(t);
  const [file, link] = ['orders.sqlite', 'link.sqlite'].map((name) => join(folder, name));
  symlinkSync(file, link);
  for (const [first, second] of [
    [file, file],
    [file, `${folder}/./orders.sqlite`],
    [file, link],
    [link, file],
  ]) {
    const store = sqliteStore(first);
    const message = /in use by another store of this process/;
    assert.throws(() => sqliteStore(second), { name: 'OutboxError', reason: 'locked', message });
    await store.close();
  }
});

for (const [pragmas, message] of /** @type {[string, RegExp][]} */ ([
  ['PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL', /synchronous.*FULL/],
  ['PRAGMA synchronous = FULL; PRAGMA journal_mode = OFF', /journal_mode.*WAL/],
  ['PRAGMA synchronous = FULL; PRAGMA journal_mode = MEMORY', /journal_mode.*WAL/],
])) {
  test(`a database that may lose committed data is rejected: ${pragmas}`, (t) => {
    const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'), { defensive: false });
    t.after(() => database.close());
    database.exec(pragmas);
    assert.throws(() => sqliteStore(database), { name: 'OutboxError', reason: 'unsupported', message });
  });
}

test('a store in its own file commits durably, and is locked', async (t) => {
  const opened = [];
  class Recorded extends DatabaseSync {
    constructor(path) {
      super(path);
      opened.push([path, this]);
    }
  }
  const real = process.getBuiltinModule;
  t.after(() => {
    process.getBuiltinModule = real;
  });
  process.getBuiltinModule = /** @type {any} */ (
    (name) => (name === 'node:sqlite' ? { DatabaseSync: Recorded } : real(name))
  );
  const file = join(folderOf(t), 'orders.sqlite');
  const store = sqliteStore(file);
  const database = opened.find(([path]) => path === file)[1];
  const pragma = (name) => Object.values(database.prepare(`PRAGMA ${name}`).get())[0];
  assert.deepEqual(['journal_mode', 'synchronous', 'locking_mode'].map(pragma), ['wal', 2, 'normal']);
  assert.deepEqual(['fullfsync', 'checkpoint_fullfsync'].map(pragma), [1, 1]);
  await store.close();
});

test("the shop's own database flushes the disk's cache at each commit where the system can (macOS)", async (t) => {
  const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'));
  t.after(() => database.close());
  const store = sqliteStore(database);
  const pragma = (name) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  assert.deepEqual(['fullfsync', 'checkpoint_fullfsync'].map(pragma), [1, 1]);
  await store.close();
});

test('a page by time, reason or location is found by an index alone', async (t) => {
  const database = new DatabaseSync(':memory:');
  t.after(() => database.close());
  const { prepare } = DatabaseSync.prototype;
  const statements = [];
  database.prepare = (sql) => prepare.call(database, statements.at(statements.push(sql) - 1));
  const store = sqliteStore(database);
  for (const filter of [{ since: 1 }, { before: 1, newestFirst: true }, { reason: 'Deadline' }, { location: '1/2' }]) {
    await store.list({ after: 0, limit: 50, ...filter });
    const plan = prepare.call(database, `EXPLAIN QUERY PLAN ${statements.at(-1)}`).all();
    const reads = plan.map((/** @type {any} */ { detail }) => detail).filter((detail) => / outbox_entry /.test(detail));
    const others = reads.filter(
      (detail) => !/USING COVERING INDEX outbox_entry_page \(state=\? AND position[<>]\?/.test(detail),
    );
    assert.equal(reads.length, 8, 'each state, and the entries of the page');
    assert.deepEqual(others, ['SEARCH outbox_entry USING INTEGER PRIMARY KEY (rowid=?)'], JSON.stringify(filter));
  }
});

test('a damaged lock file is named by the error', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  writeFileSync(`${file}.outbox-lock`, 'no database '.repeat(100));
  assert.throws(
    () => sqliteStore(file),
    ({ name, reason, code, message, cause }) => {
      assert.deepEqual([name, reason, code, cause.errcode], ['OutboxError', 'store', 'SQLITE_26', 26]);
      assert.match(message, /orders\.sqlite\.outbox-lock.*not a database.*delete it/);
      return true;
    },
  );
});

test('each add waits for its own fsync', async (t) => {
  const folder = folderOf(t);
  const trace = join(folder, 'trace');
  const strace = ['-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', trace];
  if (spawnSync('strace', [...strace, 'true']).status !== 0) return t.skip('cannot trace');
  const adds = 20;
  const code = `import { sqliteStore } from ${JSON.stringify(STORE)};
    import { openSync, fsyncSync } from 'node:fs';
    const store = sqliteStore(${JSON.stringify(join(folder, 'orders.sqlite'))});
    const add = (n) => store.add({ orderId: String(n), version: 'v3', body: '{}', location: '1/2', addedAt: 1, dueAt: 1, deadlineAt: 2 });
    for (let n = 0; n < ${adds}; n++) await add(n);
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync('strace', [...strace, process.execPath, '--no-warnings', '--input-type=module', '--eval', code]);
  const syncs = readFileSync(trace, 'utf8').match(/f(data)?sync\(/g)?.length ?? 0;
  assert.ok(syncs >= adds, `${syncs} for ${adds} orders`);
});

test('wrong options are OptionErrors', () => {
  for (const busyTimeoutMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, 2 ** 31])
    assert.throws(() => sqliteStore(':memory:', { busyTimeoutMs }), { name: 'OptionError', option: '/busyTimeoutMs' });
  assert.throws(() => sqliteStore(':memory:', null), { name: 'OptionError' });
});

test('wrong paths and databases are errors', () => {
  for (const database of ['', undefined, 7, {}, 'file:orders.sqlite?mode=rw', 'FILE:///tmp/orders.sqlite'])
    assert.throws(() => sqliteStore(database), { name: 'OptionError' });
  assert.throws(() => sqliteStore('/no/such/folder/orders.sqlite'), { name: 'OutboxError', code: /^SQLITE_14/ });
});
