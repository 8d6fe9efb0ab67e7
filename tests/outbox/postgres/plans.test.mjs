/** Tests that PostgreSQL executes statements by indexes, with a month of orders, and reads no entries but those it returns or changes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clientOf, createOutbox } from '../harness.mjs';
import { Pool, URL_OF_TESTS, postgresStore } from '../postgres.mjs';
import { schemaOfFile } from './afterwards.mjs';

const ORDERS = 100_000;
/** Of 8 KB: the table has 10,000 or more. */
const FEW = 250;
/** What an index of all entries of a state has. */
const AN_INDEX = 2000;
const schema = schemaOfFile();
const pool = new Pool({ connectionString: URL_OF_TESTS, max: 4 });
/** The statements of the store, with their values. */
const statements = [];
const recorded = {
  query: (...args) => pool.query(...args),
  async connect() {
    const client = await pool.connect();
    return new Proxy(client, {
      get(target, name) {
        const value = target[name];
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        return (text, values) => {
          statements.push({ text, values });
          return target.query(text, values);
        };
      },
    });
  },
};
const store = postgresStore({ pool: recorded, schema });
const outbox = createOutbox({ client: clientOf('http://127.0.0.1:9'), store });

before(async () => {
  await outbox.counts();
  // One of a thousand has stalled, was refused, or waits since the first day; one of 20,000 is of another location.
  await pool.query(`INSERT INTO ${schema}.outbox_entry (order_id, version, location, state, outcome, attempts,
      added_at, due_at, deadline_at, settled_at, reason, body, reference, receipt_number, events)
    SELECT gen_random_uuid()::text, 'v3', CASE n % 20000 WHEN 7 THEN '1/9' ELSE '1/' || n % 5 END,
      CASE n % 1000 WHEN 1 THEN 'stalled' WHEN 2 THEN 'refused' WHEN 3 THEN 'waiting' ELSE 'created' END, 'created', 1,
      n * 25000::bigint, n, n, CASE n % 1000 WHEN 3 THEN NULL ELSE n * 25000::bigint END,
      CASE n % 1000 WHEN 1 THEN 'Deadline' WHEN 2 THEN 'RejectedError' END, repeat(md5(n::text), 24),
      'Cart ' || n, n::text, 2
    FROM generate_series(1, ${ORDERS}) AS n`);
  await pool.query(`INSERT INTO ${schema}.outbox_event (position, number, at, what)
    SELECT position, number, added_at, 'attempt' FROM ${schema}.outbox_entry, generate_series(1, 2) AS number`);
  await pool.query(`VACUUM ANALYZE ${schema}.outbox_entry, ${schema}.outbox_event`);
});
after(async () => {
  await outbox.stop();
  await pool.end();
});

/** Returns the plan of the last statement that contains a text, with what it read. */
async function planOfLast(part = 'SELECT position') {
  const last = statements.findLast(({ text }) => text.includes(part));
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${last.text}`, last.values);
  const { Plan: plan } = rows[0]['QUERY PLAN'][0];
  return { text: JSON.stringify(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
}

for (const [title, filter, entries, most] of /** @type {[string, object, number, number][]} */ ([
  ['all', {}, 50, FEW],
  ['the oldest first', { newestFirst: false }, 50, FEW],
  ['two states', { states: ['stalled', 'refused'] }, 50, FEW],
  ['those that wait', { states: ['waiting', 'sending'] }, 50, FEW],
  ['a reason', { states: ['stalled', 'refused'], reason: 'Deadline' }, 50, FEW],
  ['a location', { companyId: 1, entityId: 2 }, 50, FEW],
  ['a location with five orders', { companyId: 1, entityId: 9 }, 5, AN_INDEX],
  ['those that wait for long', { state: 'waiting', before: 25_000 * 20_000 }, 20, FEW],
  ['orders of the first day', { state: 'created', before: 25_000 * 3456 }, 50, AN_INDEX],
  ['a reference', { reference: 'Cart 77777' }, 1, FEW],
  ['a reference of the first orders, in some states', { reference: 'Cart 1', states: ['stalled'] }, 12, AN_INDEX * 10],
  ['a receipt number', { receiptNumber: '4711', state: 'created' }, 1, FEW],
  ['the last day', { since: 25_000 * (ORDERS - 3456) }, 50, AN_INDEX],
])) {
  test(`of ${ORDERS} orders, a page of ${title} is found by an index`, async () => {
    const page = await outbox.page(filter);
    assert.equal(page.entries.length, entries);
    const { text, blocks } = await planOfLast();
    assert.ok(blocks <= most, `${blocks} blocks: ${text}`);
    assert.doesNotMatch(text, /Seq Scan/);
    if (!page.next) return;
    const second = await outbox.page({ ...filter, after: page.next });
    assert.equal(
      new Set([...page.entries, ...second.entries].map(({ orderId }) => orderId)).size,
      entries + second.entries.length,
    );
    const plan = await planOfLast();
    assert.ok(plan.blocks <= most, `${plan.blocks} blocks: ${plan.text}`);
  });
}

test(`${ORDERS} orders are counted without reading them`, async () => {
  const { created, stalled, refused, waiting } = await outbox.counts();
  assert.deepEqual([created + stalled + refused + waiting, stalled], [ORDERS, ORDERS / 1000]);
  const { text } = await planOfLast('GROUP BY state, location');
  assert.deepEqual(
    text
      .match(/"Node Type":"[^"]*Scan"[^{}]*?"Index Name":"\w+"/g)
      ?.map((scan) => scan.match(/Index Only.*/)?.[0].split(',')[0]),
    ['Index Only Scan"', 'Index Only Scan"'],
    text,
  );
});

test('what a process that delivers runs all the time scans no table of entries or events', async () => {
  statements.length = 0;
  // Twice: the first call looks for locations.
  const { entries } = await store.take({ now: Date.now(), limit: 4, room: () => 2 });
  await store.take({ now: Date.now(), limit: 4, room: () => 0 });
  const [entry] = entries;
  const event = { at: 1, what: 'attempt' };
  assert.equal(await store.settle(entry, { ...entry, event }), true);
  await store.sweep({ now: 0, createdBefore: 0 });
  await store.list({ noticeUntil: Date.now(), after: 0, limit: 100, contents: true });
  assert.equal(
    await store.add({ ...entry, body: '{}', isAddedNow: true }).then(({ orderId }) => orderId),
    entry.orderId,
  );
  await store.change(entry.orderId, { noticeAt: 1 }, { noticeAt: 2 });
  await store.change(entry.orderId, {}, { reason: null, event: { at: 1, what: 'retry' } });
  await store.get(entry.orderId);
  await store.history(entry.orderId);
  for (const part of [
    'beat AS',
    'first AS',
    'taken AS (UPDATE',
    'row.lease',
    'stalled AS',
    'added AS',
    'notice_at <=',
  ]) {
    assert.ok(
      statements.some(({ text }) => text.includes(part)),
      part,
    );
  }
  for (const { text, values } of statements) {
    const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
    const plan = JSON.stringify(rows[0]['QUERY PLAN']);
    assert.doesNotMatch(plan, /"Seq Scan"[^{}]*"outbox_(entry|event)"/, text);
  }
});
