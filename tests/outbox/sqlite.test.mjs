/** Tests the errors of a full disk, of a file that is locked or in use, and of a Node that is too old. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startFaultServer } from '../client/fault-server.mjs';
import { installedFile } from '../node/installed.mjs';
import {
  PERSONAL,
  RETRY,
  clientOf,
  createOutbox,
  failureOf,
  folderOf,
  numbered,
  sqliteStore,
  until,
} from './harness.mjs';
import { nodeOf } from './run.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const STORE = pathToFileURL(installedFile('dist/esm/outbox/sqlite/index.js')).href;
const client = clientOf('http://127.0.0.1:9');

function program(node, code) {
  return spawnSync(node, ['--no-warnings', '--input-type=module', '--eval', code], { encoding: 'utf8' });
}

const outboxOn = (database, options = {}) => createOutbox({ client, store: sqliteStore(database), ...options });

test('on a full disk, add rejects and accepts nothing; it works again once there is space', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const outbox = outboxOn(database);
  await outbox.add(numbered(0));
  const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${pages + 4}`);
  const accepted = [];
  let error;
  for (let n = 1; !error; n++) {
    try {
      accepted.push((await outbox.add(numbered(n))).orderId);
    } catch (caught) {
      error = caught;
    }
  }
  assert.deepEqual([error.name, error.reason, error.code], ['OutboxError', 'store', 'SQLITE_13']);
  assert.doesNotMatch(error.message, PERSONAL);
  assert.match(error.message, /not certain.*can be repeated/);
  const failed = numbered(accepted.length + 1);
  assert.equal(await outbox.get(failed.Id), null);
  database.exec('PRAGMA max_page_count = 1000000');
  assert.equal((await outbox.add(failed)).state, 'waiting');
  for (const id of accepted) assert.equal((await outbox.get(id)).state, 'waiting');
  await outbox.stop();
});

test('if the disk is full while orders are sent, results are stored once there is space', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const server = await startFaultServer();
  t.after(() => server.close());
  const errors = [];
  const outbox = createOutbox({
    client: clientOf(server.baseUrl),
    store: sqliteStore(database),
    hooks: { onError: (event) => errors.push(event) },
  });
  for (let n = 0; n < 20; n++) await outbox.add(numbered(n));
  const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  outbox.start();
  await until(() => errors.some(({ code }) => code === 'SQLITE_13'), 'an event of the full disk');
  database.exec('PRAGMA max_page_count = 1000000');
  await until(async () => (await outbox.counts()).created === 20, 'all created');
  assert.equal(server.orders.size, 20);
  assert.doesNotMatch(JSON.stringify(errors), PERSONAL);
  await outbox.stop();
});

test('on a real full disk, add rejects', async (t) => {
  const disk = join(folderOf(t), 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', disk]).status !== 0) return t.skip('cannot mount');
  try {
    await fillUp(join(disk, 'orders.sqlite'));
  } finally {
    spawnSync('umount', [disk]);
  }
});

async function fillUp(file) {
  const outbox = outboxOn(file);
  const accepted = [];
  let error;
  for (let n = 0; !error; n++) {
    try {
      accepted.push((await outbox.add(numbered(n, { Notes: 'violet door '.repeat(20) }))).orderId);
    } catch (caught) {
      error = caught;
    }
  }
  assert.equal(error.reason, 'store');
  assert.match(error.code, /^SQLITE_/);
  for (const id of accepted) assert.equal((await outbox.get(id)).state, 'waiting');
  await outbox.stop();
}

test('while another process locks the file, add rejects; it works again later', async (t) => {
  const file = join(folderOf(t), 'shop.sqlite');
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const outbox = outboxOn(database);
  database.exec('PRAGMA busy_timeout = 50');
  const other = spawn(process.execPath, [
    ...['--no-warnings', '--input-type=module', '--eval'],
    `import { DatabaseSync } from 'node:sqlite';
     const database = new DatabaseSync(${JSON.stringify(file)});
     database.exec('BEGIN IMMEDIATE');
     console.log('locked');
     process.stdin.once('data', () => { database.exec('COMMIT'); console.log('free'); process.stdin.unref(); });`,
  ]);
  t.after(() => other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  const error = await failureOf(outbox.add(numbered(1)));
  assert.deepEqual([error.reason, error.code], ['store', 'SQLITE_5']);
  assert.equal(await outbox.get(numbered(1).Id), null);
  other.stdin.write('\n');
  await once(other.stdout, 'data');
  assert.equal((await outbox.add(numbered(1))).state, 'waiting');
  await outbox.stop();
});

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
    assert.match(program(process.execPath, code).stdout, /^OutboxError locked .*in use by another process.*PostgreSQL/);
    assert.throws(() => sqliteStore(file), { name: 'OutboxError', reason: 'locked' });
    first.kill('SIGKILL');
    await once(first, 'close');
    await sqliteStore(file).close();
  });
}

test("an order in the shop's transaction is accepted and sent only if the transaction commits", async (t) => {
  const server = await startFaultServer();
  t.after(() => server.close());
  const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'));
  t.after(() => database.close());
  database.exec('CREATE TABLE cart (id TEXT)');
  const store = sqliteStore(database);
  const outbox = createOutbox({ client: clientOf(server.baseUrl), store, retry: RETRY }).start();
  for (const end of ['ROLLBACK', 'COMMIT']) {
    database.exec('BEGIN');
    database.prepare('INSERT INTO cart VALUES (?)').run(numbered(1).Id);
    await outbox.add(numbered(1), { transaction: database });
    // Another order is added meanwhile, which must not become part of this transaction.
    const other = outbox.add(numbered(end === 'ROLLBACK' ? 2 : 3));
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(server.orders.has(numbered(1).Id), false);
    database.exec(end);
    assert.equal((await other).state, 'waiting');
    assert.equal((await outbox.get(numbered(1).Id)) !== null, end === 'COMMIT');
  }
  await until(async () => (await outbox.counts()).created === 3, 'created');
  const error = await failureOf(outbox.add(numbered(4), { transaction: {} }));
  assert.equal(error.option, '/transaction');
  await outbox.stop();
  database.exec('SELECT 1');
});

test('a database that may lose committed data is rejected', (t) => {
  const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'));
  t.after(() => database.close());
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  assert.throws(() => sqliteStore(database), {
    name: 'OutboxError',
    reason: 'unsupported',
    message: /synchronous.*FULL/,
  });
});

for (const mode of ['OFF', 'MEMORY']) {
  test(`a database whose journal_mode is ${mode} is rejected`, (t) => {
    const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'), { defensive: false });
    t.after(() => database.close());
    database.exec(`PRAGMA synchronous = FULL; PRAGMA journal_mode = ${mode}`);
    assert.throws(() => sqliteStore(database), {
      name: 'OutboxError',
      reason: 'unsupported',
      message: /journal_mode.*WAL/,
    });
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
  assert.deepEqual(['journal_mode', 'synchronous', 'locking_mode'].map(pragma), ['wal', 2, 'exclusive']);
  await store.close();
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

test('after a failed commit, sweep still finds the deadlines that have passed', async (t) => {
  const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'));
  t.after(() => database.close());
  let isFull = false;
  const failing = {
    prepare: (sql) => database.prepare(sql),
    close() {},
    exec(sql) {
      if (sql === 'COMMIT' && isFull) {
        database.exec('ROLLBACK');
        throw Object.assign(new Error('full'), { errcode: 13, errstr: 'database or disk is full' });
      }
      database.exec(sql);
    },
  };
  const store = sqliteStore(failing);
  const outbox = createOutbox({ client, store, deadlineMs: 1 });
  for (const n of [1, 2]) await outbox.add(numbered(n));
  const sweep = () => store.sweep({ now: Date.now() + 5, createdBefore: 0 });
  isFull = true;
  assert.equal((await failureOf(sweep())).code, 'SQLITE_13');
  isFull = false;
  assert.equal(await sweep(), 2);
  assert.equal((await outbox.get(numbered(1).Id)).state, 'stalled');
  await outbox.stop();
});

test('a backup is complete, and is made while the outbox runs', async (t) => {
  const folder = folderOf(t);
  const store = sqliteStore(join(folder, 'orders.sqlite'));
  const outbox = createOutbox({ client, store });
  await Promise.all(Array.from({ length: 50 }, (_, n) => outbox.add(numbered(n))));
  await store.backup(join(folder, 'copy.sqlite'));
  await outbox.add(numbered(50));
  const copy = createOutbox({ client, store: sqliteStore(join(folder, 'copy.sqlite')) });
  assert.equal((await copy.counts()).waiting, 50);
  assert.equal((await outbox.counts()).waiting, 51);
  await outbox.stop();
  await copy.stop();
});

test('sqliteStore works in Node 22.13 and later; in Node 20 its error states what is needed', () => {
  const code = `import { sqliteStore } from ${JSON.stringify(STORE)};
    try { await sqliteStore(':memory:').close(); console.log('ok'); }
    catch ({ name, reason, message }) { console.log(name, reason, message); }`;
  assert.equal(program(nodeOf(22), code).stdout, 'ok\n');
  assert.match(
    program(nodeOf(20), code).stdout,
    /^OutboxError unsupported sqliteStore needs Node 22\.13 .*this is Node v20/,
  );
});

test('the stores on SQLite pass the published checks in Node 22 too', () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const file = fileURLToPath(new URL('conformance.test.mjs', import.meta.url));
  const { status, stdout } = spawnSync(nodeOf(22), ['--no-warnings', '--test', file], { env, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

test('wrong paths and databases are errors', () => {
  for (const database of ['', undefined, 7, {}]) assert.throws(() => sqliteStore(database), { name: 'OptionError' });
  assert.throws(() => sqliteStore('/no/such/folder/orders.sqlite'), { name: 'OutboxError', code: /^SQLITE_14/ });
});
