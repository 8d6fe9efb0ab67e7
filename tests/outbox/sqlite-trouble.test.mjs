/** Tests what the store on SQLite does about a full disk, a lost file and other connections. */
import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startFaultServer } from '../client/fault-server.mjs';
import { PERSONAL, clientOf, createOutbox, rejection, folderOf, numbered, sqliteStore, until } from './harness.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const client = clientOf('http://127.0.0.1:9');

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
  assert.equal((await rejection(sweep())).code, 'SQLITE_13');
  isFull = false;
  assert.equal(await sweep(), 2);
  assert.equal((await outbox.get(numbered(1).Id)).state, 'stalled');
  await outbox.stop();
});

test('a result whose commit failed together with the next take of its entry can be written again', async () => {
  const database = new DatabaseSync(':memory:');
  const store = sqliteStore(database);
  const entry = { orderId: numbered(0).Id, version: 'v3', body: '{}', location: '1/2' };
  await store.add({ ...entry, addedAt: 1, dueAt: 1, deadlineAt: 1e12 });
  const taking = () => store.take({ now: 5, limit: 1, room: () => 1 });
  const [taken] = (await taking()).entries;
  const members = ['reason', 'status', 'requestId', 'detail', 'issues', 'received', 'settledAt', 'noticeAt'];
  const nothing = Object.fromEntries(members.map((name) => [name, null]));
  const waiting = { ...nothing, state: 'waiting', outcome: 'unknown', attempts: 1, dueAt: 2, alreadyThere: false };

  let isFull = true;
  const { exec } = DatabaseSync.prototype;
  database.exec = (sql) => {
    if (isFull && sql === 'COMMIT') throw Object.assign(new Error(), { errcode: 13, errstr: 'full' });
    return exec.call(database, sql);
  };
  const [settled, next] = await Promise.allSettled([store.settle(taken, waiting), taking()]);
  assert.deepEqual([settled.status, next.status], ['rejected', 'rejected']);
  isFull = false;
  assert.equal(await store.settle(taken, waiting), true);
  await store.close();
});

test('while another connection locks the file for longer than busyTimeoutMs, add rejects; it works again later', async (t) => {
  const file = join(folderOf(t), 'shop.sqlite');
  const [database, other] = [new DatabaseSync(file), new DatabaseSync(file)];
  t.after(() => [database, other].map((each) => each.close()));
  const outbox = createOutbox({ client, store: sqliteStore(database, { busyTimeoutMs: 50 }) });
  other.exec('BEGIN IMMEDIATE');
  const error = await rejection(outbox.add(numbered(1)));
  assert.deepEqual([error.reason, error.code, error.cause.errcode], ['store', 'SQLITE_5', 5]);
  assert.match(error.message, /busyTimeoutMs \(50 ms\).*Nothing was written/);
  assert.equal(await outbox.get(numbered(1).Id), null);
  other.exec('COMMIT');
  assert.equal((await outbox.add(numbered(1))).state, 'waiting');
  await outbox.stop();
});

test('an add waits for another connection that has locked the file, and for a reader that delays its commit', async (t) => {
  const file = join(folderOf(t), 'shop.sqlite');
  const [database, other] = [new DatabaseSync(file), new DatabaseSync(file)];
  t.after(() => [database, other].map((each) => each.close()));
  const outbox = createOutbox({ client, store: sqliteStore(database, { busyTimeoutMs: 60_000 }) });
  for (const [n, lock] of ['BEGIN IMMEDIATE', 'BEGIN; SELECT * FROM outbox_entry'].entries()) {
    other.exec(lock);
    // It holds its lock until it has read all.
    const rows = n === 1 ? other.prepare('SELECT name FROM sqlite_schema').iterate() : undefined;
    rows?.next();
    let isAdded = false;
    const added = outbox.add(numbered(n)).then(() => {
      isAdded = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(isAdded, false);
    rows?.return?.();
    other.exec('COMMIT');
    await added;
  }
  assert.equal((await outbox.counts()).waiting, 2);
  await outbox.stop();
});

for (const [what, lose] of Object.entries({
  deleted: (file) => rmSync(file),
  replaced: (file) => {
    copyFileSync(file, `${file}-copy`);
    renameSync(`${file}-copy`, file);
  },
  'without its write-ahead log': (file) => rmSync(`${file}-wal`),
})) {
  for (const [whose, open] of Object.entries({
    'of its own': (_t, file) => sqliteStore(file),
    'of the shop': (t, file) => {
      const database = new DatabaseSync(file);
      t.after(() => database.close());
      database.exec('PRAGMA journal_mode = WAL');
      return Object.assign(sqliteStore(database), { database });
    },
  })) {
    test(`no order is accepted into a file ${whose} that is ${what}`, async (t) => {
      const folder = folderOf(t);
      const file = join(folder, 'orders.sqlite');
      const store = open(t, file);
      const outbox = createOutbox({ client, store });
      await outbox.add(numbered(1));
      lose(file);
      const error = await rejection(outbox.add(numbered(2)));
      assert.deepEqual([error.name, error.reason], ['OutboxError', 'store']);
      assert.match(error.message, /deleted or replaced/);
      const { database } = store;
      if (database) {
        database.exec('BEGIN');
        assert.equal((await rejection(outbox.add(numbered(2), { transaction: database }))).reason, 'store');
        database.exec('ROLLBACK');
      }
      assert.equal(await outbox.get(numbered(2).Id), null);
      // Orders that were accepted before can be saved.
      await store.backup(join(folder, 'saved.sqlite'));
      await outbox.stop();
      const saved = outboxOn(join(folder, 'saved.sqlite'));
      assert.equal((await saved.get(numbered(1).Id)).state, 'waiting');
      await saved.stop();
    });
  }
}

test("the shop may change its database's journal_mode while the outbox uses it", async (t) => {
  const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'));
  t.after(() => database.close());
  const outbox = outboxOn(database);
  for (const [n, mode] of ['WAL', 'DELETE', 'WAL'].entries()) {
    database.exec(`PRAGMA journal_mode = ${mode}`);
    assert.equal((await outbox.add(numbered(n))).state, 'waiting');
  }
  await outbox.stop();
});

test('an error of Node about the database is an OutboxError with its cause', async (t) => {
  const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'));
  const outbox = outboxOn(database);
  database.close();
  for (const call of [() => outbox.add(numbered(1)), () => outbox.get(numbered(1).Id), () => outbox.counts()]) {
    const error = await rejection(call());
    assert.deepEqual([error.name, error.reason, error.code], ['OutboxError', 'store', 'ERR_INVALID_STATE']);
    assert.ok(error.cause instanceof Error);
  }
  await outbox.stop();
});
