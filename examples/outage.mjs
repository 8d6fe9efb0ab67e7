// Part of `make demo`: stops the service, adds two orders to the outbox, starts the service again, and both are delivered.
// Everything runs on this machine, with new databases for each run.

import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { createClient } from '../pkg/dist/esm/client/index.js';
import { createOutbox } from '../pkg/dist/esm/outbox/index.js';
import { sqliteStore } from '../pkg/dist/esm/outbox/sqlite/index.js';
import { startDemoService } from '../scripts/service.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const FILE = at('target/demo-outbox.sqlite');
const SERVICE_FILE = at('target/demo-outage.sqlite');
const shown = (what) => console.log(`  ${what}`);

console.log('The outbox accepts orders while the service is down\n');

for (const file of [FILE, SERVICE_FILE]) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
let service = await start();
const { baseUrl } = service;
shown(`the service listens at ${baseUrl}`);
await service.stop();
shown('the service is stopped');

// The service creates a new token at each start; the client calls this function again after a 401.
const client = createClient({ baseUrl, token: () => service.token });
const outbox = createOutbox({
  client,
  store: sqliteStore(FILE),
  retry: { baseMs: 300, capMs: 1000 },
  onSettled: ({ orderId, state, attempts, order }) => {
    shown(`settled   ${orderId}: ${state} with receipt ${order?.ReceiptNumber}, ${attempts} attempt`);
  },
  hooks: {
    onGate: ({ isOpen, waitMs }) =>
      shown(isOpen ? 'the service is back' : `no service: next probe in ${Math.round(waitMs)} ms`),
  },
}).start();

for (const file of ['grams-v2.json', 'member-v3.json']) {
  const { version, order } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const { orderId, state } = await outbox.add(order, { version });
  shown(`accepted  ${orderId}: ${state}`);
}
await pause(2000);
const { waiting, created } = await outbox.counts();
shown(`${waiting} waiting, ${created} created`);
service = await start(new URL(baseUrl).host);
shown('the service is started again');
while ((await outbox.counts()).created < 2) await pause(50);
await outbox.stop();
await service.stop();
console.log('');

function start(address) {
  return startDemoService({ database: `sqlite:${SERVICE_FILE}`, listen: address });
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
