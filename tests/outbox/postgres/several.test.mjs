/** Tests what several processes do to each other on one PostgreSQL, and how much of it a statement reads. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { numbered, rejection } from '../harness.mjs';
import { Pool, URL_OF_TESTS, postgresStore } from '../postgres.mjs';
import { schemaOfFile } from './afterwards.mjs';

const pool = new Pool({ connectionString: URL_OF_TESTS, max: 8 });
after(() => pool.end());

const HOUR_MS = 3_600_000;
/** Nothing here takes as long, except for a mistake. */
const LONG_MS = 30_000;
const entryOf = (n) => ({
  ...{ orderId: numbered(n).Id, version: 'v3', body: '{}', location: '1/1' },
  ...{ addedAt: Date.now(), dueAt: Date.now(), deadlineAt: Date.now() + HOUR_MS },
});

/**
 * Opens a store on a pool whose statements a test sees before they run.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} schema
 * @param {(text: string, values?: any[]) => unknown} before
 */
function watched(t, schema, before, max = 1) {
  const own = new Pool({ connectionString: URL_OF_TESTS, max });
  const watchedPool = {
    query: (...args) => own.query(...args),
    async connect() {
      const client = await own.connect();
      return {
        async query(text, values) {
          await before(text, values);
          return client.query(text, values);
        },
        on: (...args) => client.on(...args),
        removeListener: (...args) => client.removeListener(...args),
        release: (error) => client.release(error),
      };
    },
  };
  const store = postgresStore({ pool: watchedPool, schema, queryTimeoutMs: LONG_MS });
  t.after(async () => {
    await store.close();
    await own.end();
  });
  return store;
}

describe('the first deployment', { concurrency: 4 }, () => {
  test('a process that finds the queue that another has just created adds with its only connection', async (t) => {
    const schema = schemaOfFile();
    const other = postgresStore({ connectionString: URL_OF_TESTS, schema });
    t.after(() => other.close());
    await other.count();
    await pool.query(`CREATE TABLE ${schema}.aside AS TABLE ${schema}.queue`);
    await pool.query(`DELETE FROM ${schema}.queue`);
    let isCreated = false;
    const store = watched(t, schema, async (text, values) => {
      // The engine has read all queues; now it looks for this one.
      if (isCreated || !JSON.stringify([text, values]).includes('order') || !text.includes(`${schema}.queue`)) return;
      isCreated = true;
      await pool.query(`INSERT INTO ${schema}.queue SELECT * FROM ${schema}.aside`);
    });
    assert.equal(await store.add(entryOf(1)), null);
    assert.equal(isCreated, true);
    assert.equal((await store.get(numbered(1).Id))?.state, 'waiting');
  });

  test('three processes that start together on an empty database accept orders, each with one connection', async (t) => {
    const schema = schemaOfFile();
    const stores = [0, 1, 2].map(() => watched(t, schema, () => {}));
    assert.deepEqual(await Promise.all(stores.map((store, n) => store.add(entryOf(n)))), [null, null, null]);
    assert.deepEqual(await Promise.all(stores.map((store, n) => store.add(entryOf(n + 3)))), [null, null, null]);
  });
});

describe('the same orders in two processes', { concurrency: 4 }, () => {
  test('orders of a batch are written in the order of their Ids', async (t) => {
    const schema = schemaOfFile();
    const written = [];
    const store = watched(t, schema, (text, values) => {
      if (!/^INSERT INTO \w+\.outbox_entry/.test(text)) return;
      written.push(JSON.parse(values?.[0]).map(({ order_id }) => order_id));
    });
    await store.count();
    const ids = [3, 1, 2, 1];
    const results = await Promise.all(ids.map((n) => store.add(entryOf(n))));
    assert.deepEqual(written, [[1, 1, 2, 3].map((n) => numbered(n).Id)]);
    assert.deepEqual(
      results.map((existing) => existing?.orderId),
      [undefined, undefined, undefined, numbered(1).Id],
    );
  });

  for (const code of ['40P01', '40001']) {
    test(`a batch that PostgreSQL rolls back with ${code} is written again, once`, async (t) => {
      const schema = schemaOfFile();
      let failures = 0;
      let attempts = 0;
      const store = watched(t, schema, (text) => {
        if (!/^INSERT INTO \w+\.outbox_entry/.test(text)) return;
        attempts++;
        if (failures-- > 0) throw Object.assign(new Error('rolled back'), { code });
      });
      failures = 1;
      const both = await Promise.all([store.add(entryOf(1)), store.add(entryOf(2))]);
      assert.deepEqual([both, attempts], [[null, null], 2]);
      failures = 2;
      const error = await rejection(store.add(entryOf(3)));
      assert.deepEqual([error.reason, error.code, attempts], ['store', code, 4]);
      assert.match(error.message, /Nothing was written/);
      assert.equal(await store.add(entryOf(3)), null);
    });
  }
});

test('counts read indexes, not the entries', async (t) => {
  const schema = schemaOfFile();
  let counting = '';
  const store = watched(t, schema, (text) => {
    if (text.includes('GROUP BY state, location')) counting = text;
  });
  await store.add(entryOf(1));
  const [{ state, entries }] = await store.count();
  assert.deepEqual([state, entries], ['waiting', 1]);
  // The last VACUUM decides if pages are read beside an index; the indexes alone decide if they have to be.
  const client = await pool.connect();
  t.after(() => client.release(true));
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
  const { rows } = await client.query(`EXPLAIN (COSTS OFF) ${counting}`);
  const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Scan'));
  assert.deepEqual(
    scans.map((line) => line.match(/(\w+ )*Scan using \w+/)?.[0]),
    ['Index Only Scan using outbox_entry_page', 'Index Only Scan using outbox_entry_stalled'],
    scans.join('\n'),
  );
});
