/** Tests that a row which can't be read or written stops no other. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startFaultServer } from '../client/fault-server.mjs';
import {
  RETRY,
  clientOf,
  collected,
  createOutbox,
  createOutboxOn,
  folderOf,
  numbered,
  sqliteStore,
} from './harness.mjs';
import { STORE_FUNCTIONS } from './set-up.mjs';
import { simulatedTime } from './simulated-time.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const client = clientOf('http://127.0.0.1:9');

const outboxOn = (database) => createOutbox({ client, store: sqliteStore(database) });

describe('an entry that cannot be read', () => {
  for (const change of [
    'attempts = 9007199254740993',
    'status = 9007199254740993',
    'due_at = -9007199254740993',
    'due_at = 9007199254740993',
    "deadline_at = 'x'",
    'body = CAST(body AS BLOB)',
  ]) {
    test(`stalls, and stops no other: ${change}`, async (t) => {
      const file = join(folderOf(t), 'orders.sqlite');
      const server = await startFaultServer();
      t.after(() => server.close());
      const before = outboxOn(file);
      for (const n of [1, 2, 3]) await before.add(numbered(n));
      await before.stop();
      const database = new DatabaseSync(file);
      database.prepare(`UPDATE outbox_entry SET ${change} WHERE order_id = ?`).run(numbered(2).Id);
      database.close();
      const handled = [];
      const { platform, until, observed } = simulatedTime();
      const outbox = createOutboxOn(platform, {
        client: observed(clientOf(server.baseUrl), ['createOrder']),
        store: observed(sqliteStore(file), STORE_FUNCTIONS),
        movedFrom: '*',
        retry: RETRY,
        onSettled: ({ orderId, state, reason }) => handled.push([orderId, state, reason]),
      });
      const listed = await collected(outbox.list());
      assert.deepEqual(
        listed.map(({ state, reason }) => [state, reason]),
        [
          ['waiting', null],
          ['stalled', 'Unreadable'],
          ['waiting', null],
        ],
      );
      // The same order again is no error of the others in its commit.
      const added = await Promise.allSettled([2, 4].map((n) => outbox.add(numbered(n))));
      assert.equal(added[1].status, 'fulfilled');
      outbox.start();
      await until(() => handled.length === 4, 'four handled');
      for (const n of [1, 3, 4]) assert.equal((await outbox.get(numbered(n).Id)).state, 'created');
      const counts = await outbox.counts();
      assert.deepEqual([counts.created, counts.stalled], [3, 1]);
      const stalled = handled.filter(([orderId]) => orderId === numbered(2).Id);
      assert.deepEqual(stalled, [[numbered(2).Id, 'stalled', 'Unreadable']]);
      assert.equal(server.orders.has(numbered(2).Id), false);
      if (!change.startsWith('body')) {
        await outbox.retry(numbered(2).Id);
        await until(async () => (await outbox.get(numbered(2).Id)).state === 'created', 'created after retry');
      }
      await outbox.stop();
    });
  }
});

test('a write that fails alone fails alone: the others of its commit are stored', async (t) => {
  const file = join(folderOf(t), 'shop.sqlite');
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const outbox = outboxOn(database);
  database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON outbox_entry WHEN NEW.order_id LIKE '%2'
    BEGIN SELECT RAISE(ABORT, 'refused by a trigger'); END`);
  const added = await Promise.allSettled([1, 2, 3].map((n) => outbox.add(numbered(n - 1))));
  assert.deepEqual(
    added.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const { reason: error } = /** @type {PromiseRejectedResult} */ (added[1]);
  assert.deepEqual([error.name, error.reason, error.cause.message], ['OutboxError', 'store', 'refused by a trigger']);
  assert.doesNotMatch(error.message, /trigger/);
  assert.equal(Object.keys(error).includes('cause'), false);
  assert.equal((await outbox.counts()).waiting, 2);
  await outbox.stop();
});

test('damaged JSON of a response is left out, and the entry is listed with the others', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  const before = outboxOn(file);
  for (const n of [1, 2]) await before.add(numbered(n));
  await before.stop();
  const database = new DatabaseSync(file);
  database.prepare(`UPDATE outbox_entry SET issues = '[{', received = '{"a"' WHERE order_id = ?`).run(numbered(1).Id);
  database.close();
  const outbox = outboxOn(file);
  t.after(() => outbox.stop());
  const listed = await collected(outbox.list());
  assert.deepEqual(
    listed.map(({ issues, order }) => [issues, order]),
    [
      [[], null],
      [[], null],
    ],
  );
});
