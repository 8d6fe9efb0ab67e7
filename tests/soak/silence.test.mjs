/**
 * An outbox and a relay on PostgreSQL, whose connections fall silent at random, while SIGKILL ends their processes: no
 * order is lost or doubled, and each call ends within its limit (D59). `SECONDS=600` says how long each is disturbed,
 * `SEED` repeats the random numbers.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDelivered, startFailingService, startWorker } from '../outbox/crash.mjs';
import { clientOf, createOutbox, numbered, until } from '../outbox/harness.mjs';
import { Pool, URL_OF_TESTS, newSchema, postgresStore, projectWithPostgres } from '../outbox/postgres.mjs';
import { startSilentProxy } from '../silent-proxy.mjs';
import { serviceOf } from '../cli/program.mjs';
import { ask, put, relayed } from '../cli/relay/relays.mjs';
import { numbered as numberedAtRelay } from '../cli/orders.mjs';
import { pickOf, randomOf } from '../node/random-orders.mjs';

const SECONDS = Number(process.env.SECONDS ?? 600);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const QUERY_MS = 2000;
/** A call asks the store a few times, each within its limit; the rest is for a machine that is busy. */
const MOST_MS = 60_000;
const MAIN = `${projectWithPostgres()}/node_modules/sales-order-intake/dist/cli/main.js`;

/** Returns a proxy before a database of its own. */
async function proxied(t) {
  const admin = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
  const name = newSchema();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(URL_OF_TESTS ?? '');
  url.pathname = `/${name}`;
  const proxy = await startSilentProxy(url.href);
  t.after(async () => {
    await proxy.close();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
  return { proxy, url: url.href };
}

/** Disturbs until the time is up: silences of connections, and kills. Returns how many there were of each. */
async function disturb(random, proxy, kill) {
  const counts = { silences: 0, kills: 0 };
  const end = performance.now() + SECONDS * 1000;
  while (performance.now() < end) {
    await sleep(random() * 3000);
    if (random() < 0.3) {
      await kill();
      counts.kills++;
      continue;
    }
    proxy.silence({ newOnes: random() < 0.5 });
    counts.silences++;
    await sleep(random() * 4000);
    proxy.recover();
  }
  return counts;
}

/**
 * Calls until it succeeds, however often the store fails meanwhile, or the test is aborted. Returns how long the slowest call
 * took.
 */
async function timed({ signal }, call) {
  let slowest = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const isDone = await call().catch(() => false);
    slowest = Math.max(slowest, performance.now() - startedAt);
    if (isDone) break;
    await sleep(50);
  }
  return slowest;
}

describe(`with connections that fall silent for ${SECONDS} s, SEED=${SEED}`, { concurrency: 2 }, () => {
  test('workers that are killed deliver each order of an outbox once', { timeout: 1e6 + SECONDS * 1000 }, async (t) => {
    const random = randomOf(SEED);
    const { proxy, url } = await proxied(t);
    const service = await startFailingService();
    t.after(() => service.close());
    const place = { connectionString: proxy.url, queryTimeoutMs: QUERY_MS };
    const outbox = createOutbox({ client: clientOf(service.baseUrl), store: await postgresStore(place) });
    t.after(() => outbox.stop({ timeoutMs: 0 }).catch(() => {}));
    const workers = [];
    const start = () => {
      const worker = startWorker({ store: { postgres: place }, baseUrl: service.baseUrl });
      workers.push(worker);
      t.after(() => worker.child.kill('SIGKILL'));
    };
    start();
    start();
    const added = [];
    let slowest = 0;
    let isOver = false;
    const selling = (async () => {
      for (let n = 0; !isOver && !t.signal.aborted; n++) {
        const order = numbered(n, { EntityId: 1 + (n % 3) });
        slowest = Math.max(slowest, await timed(t, () => outbox.add(order)));
        added.push(order.Id);
        await sleep(20);
      }
    })();
    const counts = await disturb(random, proxy, async () => {
      const worker = pickOf(random)(workers);
      worker.child.kill('SIGKILL');
      await worker.ended;
      // A process that lost its connection while it started ends with an error; there are always two more.
      start();
    });
    isOver = true;
    await selling;
    start();
    const isDelivered = async () => (await outbox.counts().catch(() => ({ created: 0 }))).created >= added.length;
    await until(isDelivered, 'all orders created', 600_000);
    const last = workers.at(-1);
    await until(() => last.said.isIdle, 'everything handed over', 600_000);
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    const settled = new Map(workers.flatMap(({ said }) => [...said.settled]));
    await assertDelivered({ added, settled }, service, () => postgresStore({ connectionString: url }));
    t.diagnostic(`${JSON.stringify(counts)}, ${added.length} orders, slowest add ${slowest.toFixed(0)} ms`);
    assert.ok(slowest < MOST_MS, `an add took ${slowest} ms`);
    const startedAt = performance.now();
    await outbox.stop({ timeoutMs: 5000 }).catch(() => {});
    assert.ok(performance.now() - startedAt < MOST_MS, 'the stop took too long');
  });

  test('a relay that is killed delivers each order once', { timeout: 1e6 + SECONDS * 1000 }, async (t) => {
    const random = randomOf(SEED + 1);
    const { proxy } = await proxied(t);
    const stored = new Map();
    const service = await serviceOf(t, ({ body }) => {
      const { Id: orderId } = JSON.parse(body);
      stored.set(orderId, (stored.get(orderId) ?? new Set()).add(body));
      return { status: 201, body };
    });
    const start = () => relayed(t, { ...service, outbox: proxy.url, main: MAIN });
    let relay = await start();
    let slowest = 0;
    let isOver = false;
    const ids = [];
    const selling = (async () => {
      for (let n = 0; !isOver && !t.signal.aborted; n++) {
        const order = numberedAtRelay(n);
        const accepted = async () => [200, 202].includes((await put(relay, order)).status);
        slowest = Math.max(slowest, await timed(t, accepted));
        ids.push(order.Id);
        await sleep(20);
      }
    })();
    const counts = await disturb(random, proxy, async () => {
      relay.child.kill('SIGKILL');
      await relay.child.ended;
      proxy.recover();
      relay = await start();
    });
    isOver = true;
    await selling;
    for (const id of ids) {
      const isCreated = async () => (await ask(relay, `/orders/${id}`)).json?.state === 'created';
      await until(() => isCreated().catch(() => false), `the delivery of ${id}`, 600_000);
      assert.equal(stored.get(id)?.size, 1, `${id} was sent with other bytes`);
    }
    assert.equal(stored.size, ids.length);
    t.diagnostic(`${JSON.stringify(counts)}, ${ids.length} orders, slowest PUT ${slowest.toFixed(0)} ms`);
    assert.ok(slowest < MOST_MS, `a PUT took ${slowest} ms`);
  });
});
