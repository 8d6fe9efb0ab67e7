/** Tests what the tables on PostgreSQL know beside the entries: the service, their version, and the time (D60). */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFaultServer } from '../../client/fault-server.mjs';
import { RETRY, clientOf, createOutbox, createOutboxOn, numbered, platform, rejection, until } from '../harness.mjs';
import { Pool, URL_OF_TESTS, postgresSchema, postgresStore } from '../postgres.mjs';
import { schemaOfFile } from './afterwards.mjs';

const pool = new Pool({ connectionString: URL_OF_TESTS, max: 4 });
after(() => pool.end());
const OLD = 'http://127.0.0.1:9/old';
const HOUR_MS = 3_600_000;

/**
 * Opens an outbox whose process has a clock that is wrong by this number of hours.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} schema
 * @param {string} baseUrl
 * @param {{ hours?: number, [option: string]: any }} [setting]
 */
function outboxOn(t, schema, baseUrl, { hours = 0, ...options } = {}) {
  const wrong = { ...platform, date: () => platform.date() + hours * HOUR_MS };
  const store = postgresStore({ connectionString: URL_OF_TESTS, schema });
  const outbox = createOutboxOn(wrong, { client: clientOf(baseUrl), store, retry: RETRY, ...options });
  t.after(() => outbox.stop({ timeoutMs: 0 }));
  return { outbox, store };
}

test('a process that runs while the outbox is moved sends nothing more to the old service, and says so', async (t) => {
  const schema = schemaOfFile();
  const [before, next] = [await startFaultServer(), await startFaultServer()];
  t.after(() => Promise.all([before.close(), next.close()]));
  const errors = [];
  const hooks = { onError: ({ operation, reason, code }) => errors.push([operation, reason, code].join(' ')) };
  const { outbox: old } = outboxOn(t, schema, before.baseUrl, { hooks });
  old.start();
  await old.add(numbered(1));
  assert.equal((await old.settled(numbered(1).Id)).state, 'created');
  const { outbox: moved } = outboxOn(t, schema, next.baseUrl, { movedFrom: before.baseUrl });
  await moved.counts();
  const numbers = Array.from({ length: 40 }, (_, n) => n + 2);
  for (const n of numbers) await (n % 2 ? old : moved).add(numbered(n));
  await until(() => errors.includes('take OutboxError wrong-service'), 'the old process says so');
  moved.start();
  for (const n of numbers) assert.equal((await old.settled(numbered(n).Id)).state, 'created');
  assert.deepEqual([before.requests.length, next.requests.length], [1, 40]);
});

test('a process whose clock is 80 hours ahead or behind stalls nothing, and its orders have the time of the database', async (t) => {
  const schema = schemaOfFile();
  const server = await startFaultServer();
  t.after(() => server.close());
  const { outbox: adding } = outboxOn(t, schema, server.baseUrl, { hours: -80 });
  const { outbox: delivering } = outboxOn(t, schema, server.baseUrl, { hours: 80 });
  const { rows } = await pool.query('SELECT clock_timestamp() AS now');
  await adding.add(numbered(1));
  const client = await pool.connect();
  await client.query('BEGIN');
  await adding.add(numbered(2), { transaction: client });
  await client.query('COMMIT');
  client.release();
  for (const n of [1, 2]) {
    const { addedAt, deadlineAt } = await adding.get(numbered(n).Id);
    assert.ok(Math.abs(addedAt - rows[0].now) < HOUR_MS);
    assert.equal(deadlineAt - addedAt, 72 * HOUR_MS);
  }
  assert.ok((await delivering.counts()).oldestWaitingMs < HOUR_MS);
  delivering.start();
  for (const n of [1, 2]) assert.equal((await delivering.settled(numbered(n).Id)).state, 'created');
  assert.ok(Math.abs((await adding.get(numbered(1).Id)).settledAt - rows[0].now) < HOUR_MS);
});

test("in the caller's transaction, nothing needs another connection: a pool of one suffices, from the first call on", async (t) => {
  const schema = schemaOfFile();
  await outboxOn(t, schema, OLD).outbox.add(numbered(3));
  const own = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
  t.after(() => own.end());
  const outbox = createOutbox({ client: clientOf(OLD), store: postgresStore({ pool: own, schema }) });
  t.after(() => outbox.stop());
  const client = await own.connect();
  try {
    await client.query('BEGIN');
    await outbox.add(numbered(1), { transaction: client });
    const error = await rejection(outbox.replace(numbered(2), { transaction: client }));
    assert.equal(error.reason, 'not-found');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  assert.equal((await outbox.get(numbered(1).Id)).state, 'waiting');
});

test("the first add of all, in a transaction of the shop's own pool, creates the tables", async (t) => {
  const store = postgresStore({ pool, schema: schemaOfFile() });
  const outbox = createOutbox({ client: clientOf(OLD), store });
  t.after(() => outbox.stop());
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await outbox.add(numbered(1), { transaction: client });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  assert.equal((await outbox.get(numbered(1).Id)).state, 'waiting');
});

test('an order that is due days ahead, because the clock of the database was set back, is sent', async (t) => {
  const schema = schemaOfFile();
  const server = await startFaultServer();
  t.after(() => server.close());
  const { outbox } = outboxOn(t, schema, server.baseUrl);
  await outbox.add(numbered(1));
  await pool.query(`UPDATE ${schema}.outbox_entry SET due_at = due_at + 864000000, added_at = added_at + 864000000`);
  outbox.start();
  const { state, addedAt } = await outbox.settled(numbered(1).Id);
  assert.equal(state, 'created');
  assert.ok(addedAt.getTime() < Date.now() + HOUR_MS);
});

test('tables of another version are refused, and what is missing of this version is created', async (t) => {
  const schema = schemaOfFile();
  const { outbox: first } = outboxOn(t, schema, OLD);
  await first.add(numbered(1));
  await first.stop();
  const change = async (sql) => pool.query(sql.replaceAll('SCHEMA', schema));
  const indexes = async () =>
    (
      await pool.query('SELECT indexname FROM pg_indexes WHERE schemaname = $1 AND tablename = $2', [
        schema,
        'outbox_entry',
      ])
    ).rows.length;
  const before = await indexes();
  for (const version of [1, 3]) {
    await change(`UPDATE SCHEMA.outbox_setting SET value = '${version}' WHERE name = 'version'`);
    // The published SQL does not make tables of this version of others.
    await pool.query(await postgresSchema({ schema }));
    const { outbox: refused } = outboxOn(t, schema, OLD);
    const error = await rejection(refused.counts());
    assert.deepEqual([error.name, error.reason], ['OutboxError', 'unsupported']);
    assert.match(error.message, new RegExp(`Schema \\w+ has version ${version}, and this version of \\S+ knows 2`));
  }
  await change('DROP TABLE SCHEMA.outbox_setting; DROP INDEX SCHEMA.outbox_entry_notice');
  const { outbox } = outboxOn(t, schema, OLD);
  assert.equal((await outbox.counts()).waiting, 1);
  await outbox.stop();
  assert.equal(await indexes(), before);
});
