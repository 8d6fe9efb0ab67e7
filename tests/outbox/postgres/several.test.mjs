/** Tests what several processes do to each other on one PostgreSQL, and how much of it a statement reads. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { numbered, rejection } from '../harness.mjs';
import { Pool, URL_OF_TESTS } from '../postgres.mjs';
import { schemaOfFile, watched } from './afterwards.mjs';

const pool = new Pool({ connectionString: URL_OF_TESTS, max: 8 });
after(() => pool.end());

const HOUR_MS = 3_600_000;
const entryOf = (n) => ({
  ...{ orderId: numbered(n).Id, version: 'v3', body: '{}', location: '1/1' },
  ...{ addedAt: Date.now(), dueAt: Date.now(), deadlineAt: Date.now() + HOUR_MS },
});

/** Returns SQL that adds entries to as many locations, the first of which has some already. All are due since long ago. */
function fill(schema, { locations, each }) {
  return `INSERT INTO ${schema}.outbox_entry (order_id, version, location, state, outcome, attempts, added_at, due_at, deadline_at, body)
    SELECT gen_random_uuid(), 'v3', '1/' || n % ${locations}, 'waiting', 'not-created', 0, n, n, 1e15, '{}'
    FROM generate_series(0, ${locations * each - 1}) AS n`;
}

describe('the first deployment', { concurrency: 4 }, () => {
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
    const store = watched(t, schema, () => {});
    await store.count();
    const ids = [3, 1, 2, 1];
    const results = await Promise.all(ids.map((n) => store.add(entryOf(n))));
    const written = await store.list({ after: 0, limit: 9 });
    assert.deepEqual(
      written.map(({ orderId }) => orderId),
      [1, 2, 3].map((n) => numbered(n).Id),
    );
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
        if (!/INSERT INTO \w+\.outbox_entry/.test(text)) return;
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

describe('locations', { concurrency: 4 }, () => {
  const location = (n) => `1/${n}`;

  test('one with many orders that are due delays no other: a new one of another location is taken next', async (t) => {
    const schema = schemaOfFile();
    const store = watched(t, schema, () => {});
    await store.add({ ...entryOf(0), location: location(0) });
    await pool.query(fill(schema, { locations: 1, each: 20_000 }));
    const taken = () => store.take({ now: Date.now(), limit: 16, room: () => 8 });
    assert.deepEqual([...new Set((await taken()).entries.map((entry) => entry.location))], [location(0)]);
    await store.add({ ...entryOf(1), location: location(9) });
    // The first call finds it beside others.
    const next = [...(await taken()).entries, ...(await taken()).entries];
    assert.equal(next.filter((entry) => entry.location === location(9)).length, 1);
  });

  test('if there are more than can be taken at once, all take turns', async (t) => {
    const schema = schemaOfFile();
    const store = watched(t, schema, () => {});
    await store.add({ ...entryOf(0), location: location(0) });
    await pool.query(fill(schema, { locations: 30, each: 10 }));
    const turns = [];
    for (let n = 0; n < 8; n++) {
      const { entries } = await store.take({ now: Date.now(), limit: 8, room: () => 2 });
      assert.equal(entries.length, 8);
      turns.push(...entries.map((entry) => entry.location));
    }
    assert.equal(new Set(turns.slice(0, 32)).size, 30);
  });

  test('of two, what one has not is taken of the other, as far as there is room for it', async (t) => {
    const schema = schemaOfFile();
    const store = watched(t, schema, () => {});
    await store.add({ ...entryOf(0), location: location(0) });
    await pool.query(fill(schema, { locations: 1, each: 50 }));
    await store.add({ ...entryOf(1), location: location(9) });
    const { entries } = await store.take({
      now: Date.now(),
      limit: 32,
      room: (name) => (name === location(0) ? 20 : 9),
    });
    const of = (name) => entries.filter((entry) => entry.location === name).length;
    assert.deepEqual([of(location(0)), of(location(9))], [20, 1]);
  });
});
