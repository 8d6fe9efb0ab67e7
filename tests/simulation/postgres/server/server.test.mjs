/** PGlite stands for PostgreSQL in the simulation. Here a server takes its place, and nothing else changes. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { prepared } from '../../postgres-disk.mjs';
import { system } from '../../sources.mjs';
import { WORLDS } from '../../worlds/index.mjs';

/** Each takes some seconds. */
const RUNS = 2;
const { TEST_DATABASE_URL } = process.env;
const name = `simulation_${randomUUID().replaceAll('-', '')}`;
const admin = new pg.Client(TEST_DATABASE_URL);
/** @type {pg.Client} */
let client;

before(async () => {
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const { user, host, port } = admin;
  client = new pg.Client({ user, host, port, database: name });
  await client.connect();
});

after(async () => {
  await client.end();
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
});

test('processes on a server have the same histories as on PGlite', async () => {
  const server = prepared({
    exec: async (sql) => [await client.query(sql)].flat(),
    query: (...args) => client.query(...args),
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
