/** Kills workers, and compares their reports with the store and the service. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  afterStoring,
  answer,
  creates,
  resetsBeforeHeaders,
  resetsInBody,
  startFaultServer,
} from '../client/fault-server.mjs';
import { clientOf, core, createOutbox, numbered, until } from './harness.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
const FAULTS = [resetsBeforeHeaders, answer(500), answer(502), answer(408), resetsInBody];
const FAULT_SHARE = 0.3;

/** Starts a service that fails three attempts in ten, half of them after storing the order. */
export async function startFailingService() {
  const server = await startFaultServer();
  server.playAlways((exchange) => {
    if (Math.random() >= FAULT_SHARE) return creates(exchange);
    const fault = FAULTS[Math.floor(Math.random() * FAULTS.length)];
    return Math.random() < 0.5 ? afterStoring(fault)(exchange) : fault(exchange);
  });
  return server;
}

/** Starts a worker and collects its reports. */
export function startWorker(options) {
  const child = spawn(process.execPath, ['--no-warnings', WORKER, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {{ added: string[], settled: Map<string, string>, isIdle: boolean }} */
  const said = { added: [], settled: new Map(), isIdle: false };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [what, id, state] = line.split(' ');
    if (what === 'added') said.added.push(id);
    else if (what === 'settled') said.settled.set(id, state);
    said.isIdle = what === 'idle';
  });
  const ended = new Promise((resolve) => child.once('close', (status, signal) => resolve(signal ?? status)));
  return { child, said, ended };
}

/** Runs processes that die at a given point, and a last one that does not. */
export async function killRounds({ store, place, rounds, server, perRound = 12, firstOrder = 0 }) {
  /** @type {{ added: string[], settled: Map<string, string> }} */
  const said = { added: [], settled: new Map() };
  const take = (worker) => {
    said.added.push(...worker.said.added);
    for (const [id, state] of worker.said.settled) said.settled.set(id, state);
  };
  for (let round = 0; round < rounds; round++) {
    // The first process accepts at least one order.
    const killAfter = Math.max(round === 0 ? 2 : 1, Math.ceil(Math.random() * perRound));
    const worker = startWorker({
      ...{
        store,
        baseUrl: server.baseUrl,
        from: firstOrder + round * perRound,
        count: perRound,
        killAt: place,
        killAfter,
      },
    });
    // Because of faults, the point may be reached fewer times than requested.
    const { child, said: its } = worker;
    await until(() => its.isIdle || child.exitCode !== null || child.signalCode, `idle or dead at ${place}`);
    child.kill('SIGKILL');
    assert.equal(await worker.ended, 'SIGKILL');
    take(worker);
  }
  const last = startWorker({ store, baseUrl: server.baseUrl });
  await until(() => last.said.isIdle, 'everything delivered');
  last.child.kill('SIGTERM');
  assert.equal(await last.ended, 0);
  take(last);
  return said;
}

/**
 * Asserts that the service and the store have every accepted order once, with its bytes; that it was handed over; and that each attempt
 * that the service saw is in its history.
 */
export async function assertDelivered({ added, settled }, server, open) {
  const sent = Map.groupBy(server.requests, ({ url }) => /\(([^)]*)\)$/.exec(url)?.[1]);
  for (const [id, requests] of sent) {
    const bodies = new Set(requests.map(({ body }) => body));
    assert.equal(bodies.size, 1, `${id} was sent with different bytes`);
  }
  const store = await open();
  try {
    const entries = await store.list({ after: 0, limit: 1_000_000, contents: true });
    const outbox = createOutbox({ client: clientOf(server.baseUrl), store });
    for (const { orderId, state, outcome, body } of entries) {
      assert.deepEqual([state, outcome], ['created', 'created'], orderId);
      const n = Number(orderId.slice(-12)) - 1;
      assert.equal(body, core.prepareRequest(numbered(n, { EntityId: 1 + (n % 3) })).body);
      assert.equal(server.orders.get(orderId)?.body, body, orderId);
      assert.equal(server.orders.get(orderId)?.creations, 1);
      assert.equal(settled.get(orderId), 'created', `${orderId} was not handed over`);
      const history = await outbox.history(orderId);
      const attempts = history.filter(({ what }) => what === 'attempt').length;
      const seen = sent.get(orderId)?.length ?? 0;
      assert.ok(attempts >= seen, `${orderId} was sent ${seen} times: ${JSON.stringify(history)}`);
      assert.deepEqual([history.at(0)?.what, history.at(-1)?.what], ['added', 'settled']);
    }
    const ids = new Set(entries.map(({ orderId }) => orderId));
    for (const id of added) assert.ok(ids.has(id), `${id} was accepted and is not in the store`);
    assert.equal(server.orders.size, entries.length);
  } finally {
    await store.close();
  }
  assert.notEqual(added.length, 0);
}
