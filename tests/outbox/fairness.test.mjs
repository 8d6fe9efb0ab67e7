/** Tests that a location that always fails does not slow down the others. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { answer, creates, stallsBeforeHeaders, startFaultServer } from '../client/fault-server.mjs';
import { RETRY, clientOf, createOutbox, numbered, sqliteStore, until } from './harness.mjs';
import { Pool, URL_OF_TESTS, newSchema, postgresStore } from './postgres.mjs';

const ORDERS = 300;
const WARM = 50;
const ROUNDS = 4;
const ALLOWED = 1.5;
/** Smaller differences come from the timer. */
const FLOOR_MS = 10;

const pool = new Pool({ connectionString: URL_OF_TESTS, max: 2 });
const schemas = [];
after(async () => {
  for (const schema of schemas) await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await pool.end();
});

const STORES = [
  { database: 'SQLite', skip: false, newStore: () => sqliteStore(':memory:') },
  {
    database: 'PostgreSQL',
    // The conformance checks notice sooner if a location holds up others.
    skip: !(URL_OF_TESTS && process.env.SOAK) && 'takes minutes: part of make soak-outbox',
    newStore() {
      const schema = newSchema();
      schemas.push(schema);
      return postgresStore({ connectionString: URL_OF_TESTS, schema });
    },
  },
];

/** Returns the 99th percentile of the milliseconds from `add` to the result, for orders of a location without faults. */
async function p99(newStore, fault) {
  const server = await startFaultServer();
  server.playAlways((exchange) => (JSON.parse(exchange.body).EntityId === 1 ? (fault ?? creates) : creates)(exchange));
  const ages = [];
  const onResult = ({ entityId, ageMs }) => {
    if (entityId !== 1) ages.push(ageMs);
  };
  const outbox = createOutbox({
    ...{ client: clientOf(server.baseUrl), store: newStore(), retry: RETRY, hooks: { onResult } },
  }).start();
  try {
    // Waits until the ramp at the start is over.
    for (let n = 0; n < WARM; n++) await outbox.add(numbered(10_000 + n, { EntityId: 2 }));
    await until(() => ages.length === WARM, 'the first ones created');
    ages.length = 0;
    for (let n = 0; n < ORDERS; n++) {
      await Promise.all([
        outbox.add(numbered(2 * n, { EntityId: 1 })),
        outbox.add(numbered(2 * n + 1, { EntityId: 2 + (n % 3) })),
      ]);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    await until(() => ages.length === ORDERS, 'the others created');
  } finally {
    await outbox.stop({ timeoutMs: 0 });
    await server.close();
  }
  return ages.sort((a, b) => a - b)[Math.floor(0.99 * ages.length)];
}

for (const { database, skip, newStore } of STORES) {
  describe(`on ${database}`, { skip }, () => {
    for (const [what, fault] of [
      ['answers 503', answer(503)],
      ['responds with 429 and an hour of Retry-After', answer(429, '', { 'Retry-After': '3600' })],
      ['answers 500', answer(500)],
      ['never answers', stallsBeforeHeaders],
    ]) {
      test(`while one location ${what}, the others' p99 stays within ${ALLOWED} × of a quiet run`, async (t) => {
        const ratios = [];
        // The best of some rounds: other programs disturb both runs.
        while (ratios.length < ROUNDS && !ratios.some((ratio) => ratio <= ALLOWED)) {
          const quiet = Math.max(FLOOR_MS, await p99(newStore));
          ratios.push((await p99(newStore, fault)) / quiet);
        }
        t.diagnostic(`ratios: ${ratios.map((ratio) => ratio.toFixed(2)).join()}`);
        assert.ok(Math.min(...ratios) <= ALLOWED, `${ratios}`);
      });
    }
  });
}
