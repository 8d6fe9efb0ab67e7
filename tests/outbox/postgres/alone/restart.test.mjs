/** Tests an immediate stop of PostgreSQL and its restart, under load, and a setting. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFaultServer } from '../../../client/fault-server.mjs';
import { PERSONAL, RETRY, clientOf, createOutbox, rejection, numbered, until } from '../../harness.mjs';
import { Pool, URL_OF_TESTS, newSchema, postgresStore } from '../../postgres.mjs';
import { privateCluster, restart } from '../cluster.mjs';

test('after a restart of PostgreSQL, every order that add had accepted is delivered', async (t) => {
  const cluster = await privateCluster(t);
  if (!cluster) return;
  const server = await startFaultServer();
  t.after(() => server.close());
  const events = [];
  const errors = [];
  const settled = new Set();
  const store = postgresStore({ connectionString: URL_OF_TESTS, schema: newSchema() });
  const outbox = createOutbox({
    ...{ client: clientOf(server.baseUrl), store, retry: RETRY },
    onSettled: ({ orderId }) => settled.add(orderId),
    hooks: { onError: (event) => events.push(event) },
  });
  t.after(() => outbox.stop({ timeoutMs: 0 }));
  outbox.start();
  const accepted = [];
  let isOver = false;
  const adding = (async () => {
    for (let n = 0; !isOver; n++) {
      try {
        accepted.push((await outbox.add(numbered(n))).orderId);
      } catch (error) {
        errors.push(error);
        await sleep(50);
      }
    }
  })();
  for (let round = 0; round < 2; round++) {
    const before = accepted.length;
    await until(() => accepted.length > before + 30, 'adds');
    restart(cluster);
  }
  const before = accepted.length;
  await until(() => accepted.length > before + 30, 'adds after the restart');
  isOver = true;
  await adding;
  await until(async () => {
    const { waiting, sending } = await outbox.counts();
    return waiting + sending === 0;
  }, 'all delivered');
  for (const id of accepted) assert.ok(server.orders.has(id), `${id} was accepted and is not at the service`);
  await until(() => accepted.every((id) => settled.has(id)), 'all handed over', 90_000);
  assert.notEqual(errors.length, 0);
  for (const error of errors) {
    assert.deepEqual([error.name, error.reason], ['OutboxError', 'store']);
    assert.doesNotMatch(`${error.stack}`, PERSONAL);
  }
  assert.doesNotMatch(JSON.stringify(events), PERSONAL);
});

test('a database that does not wait for its disk is refused', async (t) => {
  if (!(await privateCluster(t))) return;
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
  const fsync = async (setting) => {
    await pool.query(`ALTER SYSTEM SET fsync = ${setting}`);
    await pool.query('SELECT pg_reload_conf()');
    await until(
      async () => (await pool.query(`SELECT current_setting('fsync') AS now`)).rows[0].now === setting,
      `fsync = ${setting}`,
    );
  };
  const store = postgresStore({ connectionString: URL_OF_TESTS, schema: newSchema() });
  t.after(async () => {
    await fsync('on');
    await pool.end();
    await store.close();
  });
  await fsync('off');
  const error = await rejection(store.count());
  assert.deepEqual([error.name, error.reason], ['OutboxError', 'unsupported']);
  assert.match(error.message, /fsync = off/);
  await fsync('on');
  assert.deepEqual(await store.count(), []);
});
