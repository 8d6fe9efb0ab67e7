/**
 * P9: what the outbox does when the service fails (D52), against a server of its own. Prints JSON: orders per second with
 * sporadic faults ÷ without; requests in the first second after an outage ÷ `concurrency`, and during it ÷ pauses; requests
 * within a pause that the service asks for. `node scripts/node.mjs 24 benches/outages.mjs`
 */
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#package/client';
import { createOutbox } from '../pkg/dist/esm/outbox/index.js';
import { sqliteStore } from '../pkg/dist/esm/outbox/sqlite/index.js';
import { root, target } from '../scripts/places.mjs';
import { median } from './measure.mjs';
import { atLocations, CONCURRENCY } from './send.mjs';

const EXPORT = 1500;
const WAITING = 10_000;
const TURNS = 5;
const OUTAGE_MS = 30_000;
const ASKED_S = 5;

mkdirSync(join(target, 'outbox'), { recursive: true });
const folder = mkdtempSync(join(target, 'outbox', 'outages-'));
const server = fork(join(root, 'benches/failing-server.mjs'));
const { baseUrl } = await next();
const client = createClient({ baseUrl, token: 'a-token' });
let files = 0;
try {
  const whole = [];
  const some = [];
  const many = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const good = await exported(0);
    whole.push(good);
    some.push((await exported(0.08)) / good);
    many.push((await exported(0.3)) / good);
  }
  const figures = { perSecond: Math.round(median(whole)), faults8: median(some), faults30: median(many) };
  console.log(JSON.stringify({ ...figures, ...(await afterOutage()), ...(await afterRetryAfter()) }));
} finally {
  server.kill();
  rmSync(folder, { recursive: true });
}

function next() {
  return new Promise((resolve) => server.once('message', resolve));
}

async function set(mode) {
  const answered = next();
  server.send(mode);
  await answered;
}

/** Returns the times of the requests since the mode was set. */
async function requests() {
  const answered = next();
  server.send({ report: true });
  return (await answered).times;
}

async function filled(count, hooks = {}) {
  const outbox = createOutbox({
    ...{ client, store: sqliteStore(join(folder, `${files++}.sqlite`)), concurrency: CONCURRENCY, hooks },
  });
  await Promise.all([...atLocations(count)].map((order) => outbox.add(order)));
  return outbox;
}

/** Returns orders per second, from the start until all are created. */
async function exported(share) {
  await set({ share });
  let left = EXPORT;
  let end;
  const all = new Promise((resolve) => {
    end = resolve;
  });
  const outbox = await filled(EXPORT, { onResult: ({ state }) => state === 'created' && --left === 0 && end() });
  const start = performance.now();
  outbox.start();
  await all;
  const rate = (EXPORT * 1000) / (performance.now() - start);
  await outbox.stop();
  return rate;
}

async function afterOutage() {
  let pauses = 0;
  let closedAt = Number.POSITIVE_INFINITY;
  let isBack = false;
  let opened;
  const open = new Promise((resolve) => {
    opened = resolve;
  });
  const onGate = ({ scope, isOpen }) => {
    if (scope === 'service' && !isOpen && pauses++ === 0) closedAt = Date.now();
    if (scope === 'service' && isOpen && isBack) opened();
  };
  await set({ isDown: true });
  const outbox = await filled(WAITING, { onGate });
  outbox.start();
  await sleep(OUTAGE_MS);
  // Requests that were on their way when the first pause began do not count.
  const during = (await requests()).filter((time) => time > closedAt).length;
  const duringPauses = pauses;
  isBack = true;
  await set({});
  await open;
  await sleep(1500);
  const times = await requests();
  const firstSecond = times.filter((time) => time < times[0] + 1000).length;
  await outbox.stop({ timeoutMs: 1000 });
  return { outagePerPause: during / duringPauses, firstSecond: firstSecond / CONCURRENCY };
}

async function afterRetryAfter() {
  await set({ asks: ASKED_S });
  const outbox = await filled(200);
  outbox.start();
  await sleep(1000);
  const before = (await requests()).length;
  await sleep(ASKED_S * 1000 - 1500);
  const after = (await requests()).length;
  await outbox.stop({ timeoutMs: 1000 });
  return { whileAsked: after - before };
}
