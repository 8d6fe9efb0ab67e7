/**
 * Three workers on PostgreSQL, and what a public benchmark of queues does to them: each order is at the service once, with its bytes,
 * and each is handed over. `ORDERS=2000 SECONDS=10` sets how many orders, and how long the longest trouble; with WITHIN=30, they must
 * be handed over within 30 seconds of its end.
 */
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, creates, startFaultServer } from '../../../client/fault-server.mjs';
import { startSilentProxy } from '../../../silent-proxy.mjs';
import { assertDelivered, startWorker } from '../../crash.mjs';
import { clientOf, createOutbox, numbered, until } from '../../harness.mjs';
import { Pool, URL_OF_TESTS, postgresStore } from '../../postgres.mjs';
import { schemaOfFile } from '../afterwards.mjs';
import { privateCluster, restart } from '../cluster.mjs';

const { ORDERS = '300', SECONDS = '2', WITHIN = '300' } = process.env;
/** Long enough for orders to be waiting while there is trouble. */
const LATENCY_MS = 60;
const TERMINATE_EVERY_MS = 60;
/** A worker that is frozen has lost its orders once they are not its own any more. */
const LOST = `SELECT 1 FROM SCHEMA.outbox_entry WHERE state = 'sending'
  AND process NOT IN (SELECT id FROM SCHEMA.outbox_process WHERE seen_at > clock_timestamp() - interval '8 s')`;

/** @typedef {{ workers: any[], sql: (text: string) => Promise<any[]>, proxy: any, t: import('node:test').TestContext }} Scene */

/** @type {Record<string, (scene: Scene) => Promise<unknown>>} */
const TROUBLES = {
  async 'a worker is killed'({ workers }) {
    workers[0].child.kill('SIGKILL');
  },
  async 'a worker is frozen past its lease'({ workers, sql }) {
    workers[0].child.kill('SIGSTOP');
    await until(async () => (await sql(LOST)).length > 0, 'what it was sending is lost', 120_000);
    await until(async () => (await sql(LOST)).length === 0, 'others are sending it', 120_000);
    workers[0].child.kill('SIGCONT');
  },
  async 'the database is restarted'({ t }) {
    const cluster = await privateCluster(t);
    if (cluster) restart(cluster);
  },
  async 'all connections are terminated, again and again'({ sql }) {
    for (const endsAt = performance.now() + 1000 * Number(SECONDS); performance.now() < endsAt; ) {
      await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sales-order-outbox'`);
      await sleep(TERMINATE_EVERY_MS);
    }
  },
  async 'all connections are cut at once'({ proxy }) {
    proxy.cut();
  },
};

describe(`${ORDERS} orders and three workers on PostgreSQL are not harmed if`, () => {
  for (const [trouble, happens] of Object.entries(TROUBLES)) {
    test(trouble, async (t) => {
      const proxy = await startSilentProxy(URL_OF_TESTS ?? '');
      const server = await startFaultServer();
      server.playAlways(after(LATENCY_MS, creates));
      const schema = schemaOfFile();
      const open = () => postgresStore({ connectionString: URL_OF_TESTS, schema });
      const outbox = createOutbox({ client: clientOf(server.baseUrl), store: open() });
      const added = Array.from({ length: Number(ORDERS) }, (_, n) => numbered(n, { EntityId: 1 + (n % 3) }));
      await Promise.all(added.map((order) => outbox.add(order)));
      await outbox.stop();

      const options = { store: { postgres: { connectionString: proxy.url, schema } }, baseUrl: server.baseUrl };
      const workers = [1, 2, 3].map(() => startWorker(options));
      t.after(async () => {
        for (const { child } of workers) child.kill('SIGKILL');
        await Promise.all(workers.map(({ ended }) => ended));
        await Promise.all([proxy.close(), server.close()]);
      });
      await until(() => workers.every(({ said }) => said.settled.size > 0), 'all workers deliver', 120_000);
      const sql = async (text) => {
        const pool = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
        try {
          return (await pool.query(text.replaceAll('SCHEMA', schema))).rows;
        } finally {
          await pool.end();
        }
      };
      const before = server.orders.size;
      await happens({ workers, sql, proxy, t });
      const end = performance.now();
      const settled = () => new Map(workers.flatMap(({ said }) => [...said.settled]));
      await until(() => settled().size === added.length, 'all are handed over', 1000 * Number(WITHIN));
      const seconds = ((performance.now() - end) / 1000).toFixed(1);
      t.diagnostic(`${before} at the service before; all handed over ${seconds} s after the end`);
      const alive = workers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
      if (alive.length < (trouble === 'a worker is killed' ? 2 : 3)) throw new Error('a worker has ended by itself');
      await assertDelivered({ added: added.map(({ Id }) => Id), settled: settled() }, server, open);
    });
  }
});
