/**
 * The simulation runs PostgreSQL as PGlite, in its own process. This runs the same plans on a server, and nothing else
 * changes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { newSchema, Pool, URL_OF_TESTS } from '../../../outbox/postgres.mjs';
import { prepared } from '../../postgres-disk.mjs';
import { system } from '../../sources.mjs';
import { WORLDS } from '../../worlds/index.mjs';

/** Each takes some seconds. */
const RUNS = 2;
const name = newSchema();
const admin = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
const url = new URL(URL_OF_TESTS ?? '');
url.pathname = name;
/** One connection, for as long as the test runs. */
const session = new Pool({ connectionString: url.href, max: 1, idleTimeoutMillis: 0 });

before(() => admin.query(`CREATE DATABASE ${name}`));

after(async () => {
  await session.end();
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
});

test('processes on a server have the same histories as on PGlite', async () => {
  const server = prepared({
    exec: async (sql) => [await session.query(sql)].flat(),
    query: (sql, values) => session.query(sql, values),
  });
  const { plan, simulate } = WORLDS['outbox on PostgreSQL'];
  const plans = fc.sample(plan, { numRuns: RUNS, seed: 7 });
  const [onPglite, onServer] = [await system(), await system([], server)];
  for (const each of plans) {
    const { history: expected } = await simulate(structuredClone(each), onPglite);
    const { history } = await simulate(each, onServer);
    assert.ok(history.some(({ what }) => what === 'stored'));
    assert.deepEqual(history, expected);
  }
});
