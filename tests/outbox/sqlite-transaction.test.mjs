/** Tests orders in the shop's own transaction on SQLite, and what the outbox does while that is open. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startFaultServer } from '../client/fault-server.mjs';
import { RETRY, clientOf, createOutbox, rejection, folderOf, numbered, sqliteStore, until } from './harness.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));

/** A database without `isTransaction`, as in Node 22.13. */
function withoutIsTransaction(database) {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    location: () => database.location(),
    close: () => database.close(),
  };
}

/** Lets everything happen that does not wait for a timer. Shows only that something does not happen. */
async function turns() {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Opens the shop's database with an outbox in it.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ busyTimeoutMs?: number, isOld?: boolean, [option: string]: any }} [options]
 */
async function shop(t, { busyTimeoutMs = 60_000, isOld = false, ...options } = {}) {
  const opened = new DatabaseSync(join(folderOf(t), 'shop.sqlite'));
  const database = isOld ? withoutIsTransaction(opened) : opened;
  database.exec('CREATE TABLE cart (id TEXT)');
  const server = await startFaultServer();
  const store = sqliteStore(database, { busyTimeoutMs });
  const outbox = createOutbox({ client: clientOf(server.baseUrl), store, retry: RETRY, ...options });
  t.after(async () => {
    if (opened.isTransaction) opened.exec('ROLLBACK');
    await outbox.stop({ timeoutMs: 0 });
    await server.close();
    opened.close();
  });
  return { server, database, outbox };
}

test("an order in the shop's transaction is accepted and sent only if the transaction commits", async (t) => {
  const { server, database, outbox } = await shop(t);
  outbox.start();
  for (const end of ['ROLLBACK', 'COMMIT']) {
    // Another order is added before, and must not become part of this transaction.
    const other = outbox.add(numbered(end === 'ROLLBACK' ? 2 : 3));
    database.exec('BEGIN');
    database.prepare('INSERT INTO cart VALUES (?)').run(numbered(1).Id);
    await outbox.add(numbered(1), { transaction: database });
    await turns();
    assert.equal(server.orders.has(numbered(1).Id), false);
    database.exec(end);
    assert.equal((await other).state, 'waiting');
    assert.equal((await outbox.get(numbered(1).Id)) !== null, end === 'COMMIT');
  }
  await until(async () => (await outbox.counts()).created === 3, 'created');
  await outbox.stop();
  database.exec('SELECT 1');
});

test('an order is sent soon after the commit, however long the transaction was open', async (t) => {
  const { server, database, outbox } = await shop(t, { busyTimeoutMs: 1000 });
  outbox.start();
  for (const [n, openMs] of [0, 50, 1200].entries()) {
    database.exec('BEGIN');
    await outbox.add(numbered(n), { transaction: database });
    await new Promise((resolve) => setTimeout(resolve, openMs));
    database.exec('COMMIT');
    // It takes 20 ms. Without a wake it would take up to a second, or five.
    await until(() => server.orders.has(numbered(n).Id), `sent after ${openMs} ms`, 500);
  }
});

for (const isOld of [false, true]) {
  describe(isOld ? 'in a Node without isTransaction' : 'in a Node with isTransaction', () => {
    for (const call of ['add', 'replace']) {
      test(`${call} with the option and without an open transaction is an OptionError, and writes nothing`, async (t) => {
        const { database, outbox } = await shop(t, { isOld });
        if (call === 'replace') await outbox.add(numbered(1));
        const error = await rejection(outbox[call](numbered(1, { Notes: 'new' }), { transaction: database }));
        assert.deepEqual([error.name, error.option], ['OptionError', '/transaction']);
        assert.match(error.message, /after BEGIN/);
        const entry = await outbox.get(numbered(1).Id);
        if (call === 'add') assert.equal(entry, null);
        else assert.doesNotMatch(entry.body, /"new"/);
      });

      test(`${call} without the option while a transaction is open is an OptionError at once, which says what to pass`, async (t) => {
        const { database, outbox } = await shop(t, { isOld });
        if (call === 'replace') await outbox.add(numbered(1));
        database.exec('BEGIN');
        database.prepare('INSERT INTO cart VALUES (?)').run('1');
        const error = await rejection(outbox[call](numbered(1, { Notes: 'new' })));
        assert.deepEqual([error.name, error.option], ['OptionError', '/transaction']);
        assert.match(error.message, /pass \{ transaction: database \}/);
        // The caller's transaction is as it was.
        assert.equal((await outbox[call](numbered(1, { Notes: 'new' }), { transaction: database })).state, 'waiting');
        database.exec('COMMIT');
        assert.equal(database.prepare('SELECT count(*) AS carts FROM cart').get()?.carts, 1);
        assert.match((await outbox.get(numbered(1).Id)).body, /"new"/);
      });
    }

    test('deliveries that meet an open transaction wait for its end', async (t) => {
      let answer = () => {};
      const answered = new Promise((resolve) => {
        answer = () => resolve(undefined);
      });
      const slow = async (url, init) => {
        const response = await fetch(url, init);
        await answered;
        return response;
      };
      const server = await startFaultServer();
      t.after(() => server.close());
      const { database, outbox } = await shop(t, { isOld, client: clientOf(server.baseUrl, { fetch: slow }) });
      outbox.start();
      await outbox.add(numbered(1));
      await until(() => server.orders.has(numbered(1).Id), 'sent');
      database.exec('BEGIN');
      answer();
      await outbox.add(numbered(2), { transaction: database });
      await turns();
      assert.equal((await outbox.get(numbered(1).Id)).state, 'sending');
      database.exec('ROLLBACK');
      assert.equal((await outbox.settled(numbered(1).Id)).state, 'created');
      assert.equal(await outbox.get(numbered(2).Id), null);
    });
  });
}

test('a read transaction of the shop is not turned into one that writes', async (t) => {
  const { database, outbox } = await shop(t);
  const other = new DatabaseSync(database.location() ?? '');
  t.after(() => other.close());
  await outbox.add(numbered(1));
  database.exec('BEGIN');
  database.prepare('SELECT * FROM cart').all();
  // This write waits for the end of the transaction.
  const cancelled = outbox.cancel(numbered(1).Id);
  await turns();
  // Fails if the shop's connection has the lock for writing.
  other.exec('BEGIN IMMEDIATE; ROLLBACK');
  database.exec('COMMIT');
  assert.equal((await cancelled).state, 'cancelled');
});

test('a transaction that stays open for longer than busyTimeoutMs makes waiting writes fail; deliveries try again', async (t) => {
  const errors = [];
  const { database, outbox } = await shop(t, { busyTimeoutMs: 20, hooks: { onError: (event) => errors.push(event) } });
  await outbox.add(numbered(1));
  const early = outbox.add(numbered(2));
  database.exec('BEGIN');
  const error = await rejection(early);
  assert.deepEqual([error.name, error.reason], ['OutboxError', 'store']);
  assert.match(error.message, /transaction that is open.*busyTimeoutMs \(20 ms\)/);
  outbox.start();
  await until(() => errors.some(({ operation }) => operation === 'take'), 'a failed take');
  database.exec('COMMIT');
  assert.equal((await outbox.settled(numbered(1).Id)).state, 'created');
  assert.equal(await outbox.get(numbered(2).Id), null);
});

test('another connection, and anything else, is no transaction', async (t) => {
  const { database, outbox } = await shop(t);
  const other = new DatabaseSync(database.location() ?? '');
  t.after(() => other.close());
  other.exec('BEGIN');
  for (const transaction of [other, {}, null, 1]) {
    const error = await rejection(outbox.add(numbered(4), { transaction }));
    assert.deepEqual([error.name, error.option], ['OptionError', '/transaction']);
  }
});

test('sqliteStore in an open transaction is an OptionError', (t) => {
  const database = new DatabaseSync(join(folderOf(t), 'shop.sqlite'));
  t.after(() => database.close());
  database.exec('BEGIN');
  assert.throws(() => sqliteStore(database), { name: 'OptionError', option: '/database', message: /before BEGIN/ });
  assert.equal(database.isTransaction, true);
});
