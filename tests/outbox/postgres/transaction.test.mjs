/** Tests the caller's own transaction in three libraries, errors of the database, and missing parts. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { root } from '../../../scripts/places.mjs';
import { startFaultServer } from '../../client/fault-server.mjs';
import { PERSONAL, RETRY, clientOf, createOutbox, rejection, numbered, until } from '../harness.mjs';
import { Pool, URL_OF_TESTS, postgresStore, projectWithPostgres } from '../postgres.mjs';
import { schemaOfFile } from './afterwards.mjs';

const pool = new Pool({ connectionString: URL_OF_TESTS, max: 16 });
after(() => pool.end());

async function setUp(t, options = {}) {
  const server = await startFaultServer();
  const schema = schemaOfFile();
  const store = postgresStore({ connectionString: URL_OF_TESTS, schema, ...options.store });
  const outbox = createOutbox({ client: clientOf(server.baseUrl), store, retry: RETRY, ...options });
  t.after(async () => {
    await outbox.stop({ timeoutMs: 0 });
    await server.close();
  });
  return { server, outbox, schema, store };
}

/** Returns two stores on the same tables, as two processes have them. */
async function setUpStores(t, options = {}) {
  const schema = schemaOfFile();
  const open = () => postgresStore({ config: { connectionString: URL_OF_TESTS, ...options }, schema });
  const [store, another] = [open(), open()];
  t.after(async () => {
    await Promise.all([store.close(), another.close()]);
  });
  await store.count();
  return { schema, store, another };
}

/** Returns a connection that is closed after the test, with the transaction that a failed test may have left open. */
async function connectionOf(t) {
  const client = await pool.connect();
  t.after(() => client.release(true));
  return client;
}

/** Waits until a statement on the tables of a schema waits for a lock. */
async function isLocked(schema) {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`;
  await until(async () => (await pool.query(sql, [`%${schema}%`])).rows.length > 0, 'a statement that waits');
}

async function addTo(store, n, changes = {}, transaction = undefined) {
  const { Id: orderId } = numbered(n);
  const now = Date.now();
  const times = { addedAt: now, dueAt: now, deadlineAt: now + 3_600_000 };
  await store.add({ ...{ orderId, version: 'v3', body: '{}', location: '1/1' }, ...times, ...changes }, transaction);
  return orderId;
}

/** The changes that the outbox writes when an order was created. */
function created(changes = {}) {
  const nothing = { reason: null, requestId: null, detail: null, issues: null, received: null, noticeAt: null };
  const result = { state: 'created', outcome: 'created', attempts: 1, status: 201, alreadyThere: false };
  return { ...nothing, ...result, dueAt: Date.now(), settledAt: Date.now(), ...changes };
}

async function takeFrom(store, wanted) {
  const taken = [];
  await until(async () => {
    const { entries } = await store.take({ now: Date.now(), limit: 100, room: () => 100 });
    taken.push(...entries);
    return taken.length >= wanted;
  }, `${wanted} entries taken`);
  return taken;
}

describe('PostgreSQL', { concurrency: 4 }, () => {
  for (const name of ['node-postgres', 'kysely', 'drizzle']) {
    test(`the example for ${name}: the cart and the order are stored together, or not at all`, async (t) => {
      const server = await startFaultServer();
      t.after(() => server.close());
      const schema = schemaOfFile();
      const project = projectWithPostgres();
      const program = join(project, `${name}.mjs`);
      cpSync(join(root, `examples/outbox/${name}.mjs`), program);
      const child = spawn(process.execPath, [program], {
        cwd: project,
        env: { ...process.env, DATABASE_URL: URL_OF_TESTS, SCHEMA: schema, BASE_URL: server.baseUrl, TOKEN: 'token' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      assert.equal(await text(child.stdout), 'rolled back: null\ncommitted: created\n');
      assert.equal(server.orders.size, 1);
    });
  }

  test('a pool, or a connection without an open transaction, is refused as the transaction', async (t) => {
    const { outbox } = await setUp(t);
    const client = await connectionOf(t);
    const failing = { executeSql: (text, values) => pool.query(text, values) };
    const wrapping = {
      executeSql: (text, values) =>
        pool.query(text, values).catch((cause) => {
          throw new Error('failed', { cause });
        }),
    };
    for (const [what, transaction] of Object.entries({ pool, client, failing, wrapping, empty: {} })) {
      const error = await rejection(outbox.add(numbered(1), { transaction }));
      assert.deepEqual([error.name, error.option], ['OptionError', '/transaction'], what);
      assert.equal(await outbox.get(numbered(1).Id), null, what);
    }
  });

  test('a transaction whose function returns no { rows } is refused with what it must return', async (t) => {
    const { outbox } = await setUp(t);
    const client = await connectionOf(t);
    const rowsOf = (text, values) => client.query(text, values).then(({ rows }) => rows);
    for (const [name, transaction] of Object.entries({
      executeSql: { executeSql: rowsOf },
      query: { query: rowsOf },
    })) {
      await client.query('BEGIN');
      const error = await rejection(outbox.add(numbered(1), { transaction }));
      await client.query('ROLLBACK');
      assert.deepEqual([error.name, error.option], ['OptionError', '/transaction']);
      assert.match(error.message, new RegExp(`must return { rows } from ${name}`));
    }
  });

  test("the caller's executeSql is always called with a list of values", async (t) => {
    const { outbox } = await setUp(t);
    const client = await connectionOf(t);
    const given = [];
    const executeSql = (text, values) => {
      given.push(values);
      return client.query(text, values);
    };
    await client.query('BEGIN');
    await outbox.add(numbered(1), { transaction: { executeSql } });
    await outbox.replace(numbered(1, { Notes: 'call first' }), { transaction: { executeSql } });
    await client.query('COMMIT');
    assert.ok(given.length > 3);
    for (const values of given) assert.ok(Array.isArray(values));
  });

  test('every change is durable, also where the database commits asynchronously by default', async (t) => {
    const { schema, store } = await setUpStores(t, { options: '-c synchronous_commit=off' });
    await pool.query(`
    CREATE TABLE ${schema}.commit (setting text);
    CREATE FUNCTION ${schema}.record() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO ${schema}.commit VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER record AFTER INSERT OR UPDATE ON ${schema}.outbox_entry
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.record();`);
    const settings = async () =>
      (await pool.query(`SELECT setting FROM ${schema}.commit`)).rows.map((row) => row.setting);
    const orderId = await addTo(store, 1);
    const [taken] = await takeFrom(store, 1);
    await store.settle(taken, created({ noticeAt: 1 }));
    await store.change(orderId, {}, { noticeAt: null });
    assert.deepEqual(await settings(), ['on', 'on', 'on', 'on']);
    const client = await connectionOf(t);
    await client.query('BEGIN; SET LOCAL synchronous_commit = off');
    await addTo(store, 2, {}, client);
    await client.query('COMMIT');
    assert.deepEqual((await settings()).slice(4), ['on']);
    await client.query('BEGIN; SET LOCAL synchronous_commit = remote_apply');
    await addTo(store, 3, {}, client);
    await client.query('COMMIT');
    assert.deepEqual((await settings()).slice(5), ['remote_apply']);
  });

  test('an order whose entry is deleted while the same order is added is stored', async (t) => {
    const { outbox, schema } = await setUp(t);
    await outbox.add(numbered(1));
    const [client, other] = [await connectionOf(t), await connectionOf(t)];
    await pool.query(`CREATE TABLE ${schema}.saved AS SELECT * FROM ${schema}.outbox_entry`);
    await pool.query(`DELETE FROM ${schema}.outbox_entry`);
    /** Runs statements, but each INSERT of the first few waits for an entry that is deleted as soon as it has been committed. */
    const pruning = (mostInserts) => {
      let inserts = 0;
      return async (text, values) => {
        if (!/INSERT INTO \w+\.outbox_entry/.test(text) || inserts++ >= mostInserts) return client.query(text, values);
        await other.query('BEGIN');
        await other.query(`INSERT INTO ${schema}.outbox_entry OVERRIDING SYSTEM VALUE SELECT * FROM ${schema}.saved`);
        const inserting = client.query(text, values);
        await isLocked(schema);
        await other.query('COMMIT');
        const result = await inserting;
        await other.query(`DELETE FROM ${schema}.outbox_entry`);
        return result;
      };
    };
    await client.query('BEGIN');
    const error = await rejection(outbox.add(numbered(1), { transaction: { executeSql: pruning(9) } }));
    await client.query('ROLLBACK');
    assert.deepEqual([error.name, error.reason], ['OutboxError', 'store']);
    await client.query('BEGIN');
    const added = await outbox.add(numbered(1), { transaction: { executeSql: pruning(1) } });
    await client.query('COMMIT');
    assert.equal(added.state, 'waiting');
    assert.equal((await outbox.get(numbered(1).Id))?.state, 'waiting');
  });

  test('retry of an order that a worker begins to send waits for the worker: neither fails', async (t) => {
    const { outbox, schema } = await setUp(t);
    await outbox.add(numbered(1));
    const worker = await connectionOf(t);
    const id = numbered(1).Id;
    await worker.query('BEGIN');
    await worker.query(`UPDATE ${schema}.outbox_entry SET reference = 'seen' WHERE order_id = $1`, [id]);
    const retrying = outbox.retry(id);
    retrying.catch(() => {});
    await isLocked(schema);
    await worker.query('COMMIT');
    const { state, reference } = await retrying;
    assert.deepEqual([state, reference], ['waiting', 'seen']);
  });

  test('what a process was sending that has gone is taken by another, and its late result does not count', async (t) => {
    const { schema, store, another } = await setUpStores(t);
    await addTo(store, 1);
    const [stale] = await takeFrom(store, 1);
    await pool.query(`UPDATE ${schema}.outbox_entry SET process = gen_random_uuid()`);
    const [taken] = await takeFrom(another, 1);
    assert.deepEqual([taken.attempts, taken.outcome], [2, 'unknown']);
    assert.equal(await store.settle(stale, created({ state: 'refused', outcome: 'not-created' })), false);
    assert.equal(await another.settle(taken, created({ attempts: 2 })), true);
  });

  test('what a process was given without learning of it is taken again; what it is sending is not', async (t) => {
    const { schema, store } = await setUpStores(t);
    const lost = await addTo(store, 1);
    const [taken] = await takeFrom(store, 1);
    assert.equal(await store.settle(taken, created()), true);
    const sending = await addTo(store, 2);
    await takeFrom(store, 1);
    await pool.query(`UPDATE ${schema}.outbox_entry SET state = 'sending', outcome = 'not-created', lease = 1`);
    const [again] = await takeFrom(store, 1);
    assert.deepEqual([again.orderId, again.outcome], [lost, 'unknown']);
    const { state, outcome } = await store.get(sending);
    assert.deepEqual([state, outcome], ['sending', 'not-created']);
  });

  test('a failure of the work in the background is reported to onError, without its message', async (t) => {
    const events = [];
    const { outbox, schema } = await setUp(t, { hooks: { onError: (event) => events.push(event) } });
    await outbox.counts();
    await pool.query(`
    CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'Xaviera'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON ${schema}.outbox_process EXECUTE FUNCTION ${schema}.refuse();`);
    outbox.start();
    const event = await until(() => events.find(({ operation }) => operation === 'sweep'), 'an event');
    assert.deepEqual(event, { operation: 'sweep', reason: 'OutboxError', code: 'P0001', orderId: null });
    assert.doesNotMatch(JSON.stringify(events), PERSONAL);
  });

  test('fractions of a millisecond are rounded', async (t) => {
    const { store } = await setUpStores(t);
    const now = Date.now();
    const orderId = await addTo(store, 1, { addedAt: now + 0.4, dueAt: now - 0.4, deadlineAt: now + 1000.6 });
    const added = await store.get(orderId);
    assert.deepEqual([added.addedAt, added.dueAt, added.deadlineAt], [now, now, now + 1001]);
    const [taken] = await takeFrom(store, 1);
    await store.settle(taken, created({ state: 'waiting', dueAt: now + 0.5004, settledAt: null }));
    const [again] = await takeFrom(store, 1);
    await store.settle(again, created({ settledAt: now + 0.2, noticeAt: now + 5.7 }));
    const changed = await store.change(orderId, { noticeAt: now + 5.7 }, { noticeAt: now + 7.7 });
    assert.deepEqual([changed.settledAt, changed.noticeAt], [now, now + 8]);
    assert.equal((await store.list({ noticeUntil: now + 7.6, after: 0, limit: 9 })).length, 1);
    assert.equal(await store.sweep({ now: now + 0.5, createdBefore: now + 0.5 }), 0);
  });

  test('a message of the service that PostgreSQL cannot store does not delay an order', async (t) => {
    const { outbox, server } = await setUp(t);
    server.playAlways(({ response }) => {
      response.writeHead(400, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ Message: 'a \0 b' }));
    });
    await outbox.add(numbered(1));
    outbox.start();
    const entry = await until(async () => {
      const found = await outbox.get(numbered(1).Id);
      return found.state === 'refused' && found;
    });
    assert.match(entry.detail, /^a .* b$/);
  });
});
