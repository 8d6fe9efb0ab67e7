/**
 * P9: compares the outbox with its parts. Prints JSON: adds per second ÷ a bare prepared insert of the same bytes with the
 * same durability, deliveries per second ÷ `createOrders` from memory, and orders through PostgreSQL ÷ a bare loop of pg-boss that
 * sends the same requests; and the bytes of a delivered order with its history. `node scripts/with-postgres.mjs node scripts/node.mjs 24 benches/outbox.mjs`
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { prepareRequest } from '#package';
import { createClient } from '#package/client';
import { createOutbox } from '../pkg/dist/esm/outbox/index.js';
import { sqliteStore } from '../pkg/dist/esm/outbox/sqlite/index.js';
import { root, target } from '../scripts/places.mjs';
import { startService } from '../scripts/service.mjs';
import { Pool, URL_OF_TESTS, newSchema, postgresStore } from '../tests/outbox/postgres.mjs';
import { PgBoss } from '../tests/node_modules/pg-boss/dist/index.js';
import { median } from './measure.mjs';
import { atLocations, CONCURRENCY } from './send.mjs';

const TURNS = 15;
const ADDS = 600;
const DELIVERIES = 1500;
const JOBS = 2000;

// On the disk of the clone, not in memory.
mkdirSync(join(target, 'outbox'), { recursive: true });
const folder = mkdtempSync(join(target, 'outbox', 'bench-'));
const server = await startService(process.execPath, [join(root, 'benches/server.mjs')]);
const client = createClient({ baseUrl: server.baseUrl, token: 'a-token' });
let files = 0;
/** Bytes an order of the last file and the last schema. */
const bytes = { sqlite: 0, postgres: 0, body: prepareRequest([...atLocations(1)][0]).body.length };
try {
  const adds = await ratioOf(
    () => addToOutbox(),
    () => insertBarely(),
  );
  const addsAtOnce = await ratioOf(
    () => addToOutbox(CONCURRENCY),
    () => insertBarely(),
  );
  const sqlite = await ratioOf(
    () => deliver(newFile),
    () => throughCreateOrders(),
  );
  const postgres = await ratioOf(
    () => throughPostgres(),
    () => throughPgBoss(),
  );
  console.log(JSON.stringify({ adds, addsAtOnce, sqlite, postgres, bytes }));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

/** Runs both in turns; returns their median orders per second, and the median ratio within a turn. */
async function ratioOf(own, bare) {
  await own();
  await bare();
  /** @type {{ own: number[], bare: number[] }} */
  const rates = { own: [], bare: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    // In alternating order: what the first one leaves in memory is cleared in the time of the second.
    if (turn % 2) rates.own.push(await own());
    rates.bare.push(await bare());
    if (turn % 2 === 0) rates.own.push(await own());
  }
  return {
    ratio: median(rates.own.map((rate, turn) => rate / rates.bare[turn])),
    own: Math.round(median(rates.own)),
    bare: Math.round(median(rates.bare)),
  };
}

async function perSecond(count, work) {
  const start = performance.now();
  await work();
  return (count * 1000) / (performance.now() - start);
}

function newFile() {
  return sqliteStore(join(folder, `${files++}.sqlite`));
}

async function addToOutbox(callers = 1) {
  const outbox = createOutbox({ client, store: newFile() });
  const source = [...atLocations(ADDS)].values();
  const rate = await perSecond(ADDS, () => addAll(outbox, source, callers));
  await outbox.stop();
  return rate;
}

async function insertBarely() {
  const database = new DatabaseSync(join(folder, `${files++}.sqlite`));
  database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE entry (id TEXT PRIMARY KEY, body TEXT)');
  const insert = database.prepare('INSERT INTO entry VALUES (?, ?)');
  const source = [...atLocations(ADDS)].map((order) => prepareRequest(order));
  const rate = await perSecond(ADDS, async () => {
    for (const { orderId, body } of source) insert.run(orderId, body);
  });
  database.close();
  return rate;
}

async function addAll(outbox, source, callers = CONCURRENCY) {
  const work = async () => {
    for (const order of source) await outbox.add(order);
  };
  await Promise.all(Array.from({ length: callers }, work));
}

async function deliver(open) {
  const { outbox, allSettled } = counting(open(), DELIVERIES);
  await addAll(outbox, atLocations(DELIVERIES));
  const rate = await perSecond(DELIVERIES, async () => {
    outbox.start();
    await allSettled;
  });
  await outbox.stop();
  bytes.sqlite = Math.round(statSync(join(folder, `${files - 1}.sqlite`)).size / DELIVERIES);
  return rate;
}

function counting(store, count) {
  let left = count;
  let resolve;
  const allSettled = new Promise((done) => {
    resolve = done;
  });
  const onResult = ({ state }) => {
    if (state === 'created' && --left === 0) resolve();
  };
  return { outbox: createOutbox({ client, store, concurrency: CONCURRENCY, hooks: { onResult } }), allSettled };
}

function throughCreateOrders() {
  const source = [...atLocations(DELIVERIES)].map((order) => prepareRequest(order));
  return perSecond(DELIVERIES, async () => {
    for await (const result of client.createOrders(source, { concurrency: CONCURRENCY }))
      if (!result.ok) throw result.error;
  });
}

/** Measures from the first add to the last settlement; deliveries start after the last add. */
async function throughPostgres() {
  const schema = newSchema();
  const store = postgresStore({ connectionString: URL_OF_TESTS, schema });
  const { outbox, allSettled } = counting(store, JOBS);
  await outbox.counts();
  const rate = await perSecond(JOBS, async () => {
    await addAll(outbox, atLocations(JOBS));
    outbox.start();
    await allSettled;
  });
  await outbox.stop();
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
  const tables = `SELECT sum(pg_total_relation_size(oid)) AS size FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'`;
  bytes.postgres = Math.round((await pool.query(tables, [schema])).rows[0].size / JOBS);
  await pool.end();
  return rate;
}

/** Measures the same with pg-boss alone: one job per order, with its body. */
async function throughPgBoss() {
  const boss = new PgBoss({ connectionString: URL_OF_TESTS, schema: newSchema(), max: 8, schedule: false });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue('order');
  const source = atLocations(JOBS);
  const inParallel = (work) => Promise.all(Array.from({ length: CONCURRENCY }, work));
  const rate = await perSecond(JOBS, async () => {
    await inParallel(async () => {
      for (const order of source) await boss.send('order', prepareRequest(order));
    });
    await inParallel(async () => {
      for (;;) {
        const [job] = await boss.fetch('order');
        if (!job) return;
        await client.createOrder(job.data);
        await boss.complete('order', job.id);
      }
    });
  });
  await boss.stop({ graceful: false });
  return rate;
}
