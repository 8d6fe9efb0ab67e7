/** Tests that a store has the orders of one service (D60), and knows the version of its tables. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { clientOf, createOutbox, folderOf, numbered, rejection, sqliteStore } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const [OLD, NEW] = ['http://127.0.0.1:9/old', 'http://127.0.0.1:9/new'];

function outboxOf(store, baseUrl, options = {}) {
  return createOutbox({ client: clientOf(baseUrl), store, ...options });
}

test("a base URL is bound in the shop's own transaction, and only if that commits", async (t) => {
  const file = join(folderOf(t), 'shop.sqlite');
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  for (const [baseUrl, end] of [
    [OLD, 'ROLLBACK'],
    [NEW, 'COMMIT'],
  ]) {
    const outbox = outboxOf(sqliteStore(database), baseUrl);
    database.exec('BEGIN');
    const adding = outbox.add(numbered(1), { transaction: database });
    database.exec(end);
    await adding;
    await outbox.stop();
  }
  assert.equal((await rejection(outboxOf(sqliteStore(database), OLD).add(numbered(2)))).reason, 'wrong-service');
});

test('a client without a known base URL is not bound, and cannot be moved to', async () => {
  const client = { createOrder: () => Promise.reject(new Error()) };
  const outbox = createOutbox({ client, store: memoryStore() });
  await outbox.add(numbered(1));
  await outbox.stop();
  const store = memoryStore();
  assert.throws(() => createOutbox({ client, store, movedFrom: OLD }), { name: 'OptionError', option: '/movedFrom' });
  assert.throws(() => outboxOf(store, NEW, { movedFrom: 'ftp://x' }), { name: 'OptionError', option: '/movedFrom' });
});

test('a file of another version is refused, and left as it is', (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE outbox_setting (name TEXT PRIMARY KEY, value)');
  for (const [version, advice] of /** @type {const} */ ([
    [1, 'deliver its orders with the package that made it'],
    [3, 'update the package'],
  ])) {
    database.exec(`INSERT OR REPLACE INTO outbox_setting VALUES ('version', ${version})`);
    const problem = `has version ${version}, and this version of sales-order-intake knows 2: ${advice}`;
    assert.throws(() => sqliteStore(file), {
      name: 'OutboxError',
      reason: 'unsupported',
      message: new RegExp(problem),
    });
  }
  assert.equal(database.prepare('SELECT count(*) AS tables FROM sqlite_master').get()?.tables, 1 + 1);
  database.close();
});

test('counts leave out states of a later version', async () => {
  const store = sqliteStore(':memory:');
  const outbox = outboxOf(store, OLD);
  await outbox.add(numbered(1));
  await outbox.add(numbered(2));
  await store.change(numbered(2).Id, {}, { state: 'parked' });
  const { waiting, locations, ...counts } = await outbox.counts();
  assert.deepEqual([waiting, locations.length, 'parked' in counts], [1, 1, false]);
  await outbox.stop();
});
