/**
 * What the relay responds without storing anything: orders a second at /evaluate, ÷ those of a bare Fastify with zod and decimal.js
 * that computes the same totals; and the memory of a relay with 1,000 orders of 1 MB while its lists and its page are read.
 * Prints JSON. `node benches/relay-reads.mjs [seconds] [rounds] [orders]`
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { prepareRequest } from '#package';
import { root, target } from '../scripts/places.mjs';
import { startRelay, startService } from '../scripts/service.mjs';
import { median } from './measure.mjs';
import { orderOf } from './orders.mjs';

const [seconds = 3, rounds = 5, orders = 1000] = process.argv.slice(2).map(Number);
const CONNECTIONS = 32;
const NOBODY = 'http://127.0.0.1:2';
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(target, 'relay-reads-'));
try {
  const evaluate = {};
  for (const lines of [3, 10, 100]) evaluate[lines] = await compared(lines);
  console.log(JSON.stringify({ evaluate, memory: await memory() }));
} finally {
  agent.destroy();
  rmSync(folder, { recursive: true });
}

/** Returns the orders a second of both, and the median of their ratios. */
async function compared(lines) {
  const relay = await startRelay(NOBODY, join(folder, `${lines}.sqlite`));
  const peer = await startService(process.execPath, [join(root, 'benches/fastify/evaluate.js')]);
  const bodies = Array.from({ length: 200 }, (_, number) => JSON.stringify({ order: orderOf(lines, number) }));
  try {
    const rates = { relay: [], peer: [] };
    for (let round = -1; round < rounds; round++) {
      for (const [name, { baseUrl }] of Object.entries({ relay, peer })) {
        const rate = await load(baseUrl, bodies);
        if (round >= 0) rates[name].push(rate);
      }
    }
    const ratio = median(rates.relay.map((rate, round) => rate / rates.peer[round]));
    return { relay: Math.round(median(rates.relay)), peer: Math.round(median(rates.peer)), ratio };
  } finally {
    await relay.stop();
    await peer.stop();
  }
}

async function load(baseUrl, bodies) {
  const startedAt = performance.now();
  let done = 0;
  const send = async () => {
    for (; performance.now() - startedAt < seconds * 1000; done++)
      await ask(`${baseUrl}/evaluate`, 'POST', bodies[done % bodies.length]);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return (done * 1000) / (performance.now() - startedAt);
}

/** Returns the MiB of the process before and while 500 orders are listed and the page is shown, 20 times. */
async function memory() {
  const relay = await startRelay(NOBODY, join(folder, 'large.sqlite'));
  const mebibytes = async () => {
    const [, bytes = ''] = /memory_bytes (\d+)/.exec(await ask(`${relay.baseUrl}/metrics`)) ?? [];
    return Math.round(Number(bytes) / 2 ** 20);
  };
  try {
    for (let number = 0; number < orders; number++) {
      const { path, body } = prepareRequest({ ...orderOf(1, number), Notes: 'x'.repeat(1_000_000) });
      await ask(`${relay.baseUrl}/${path}`, 'PUT', body);
    }
    const before = await mebibytes();
    let most = before;
    for (let round = 0; round < 20; round++) {
      await Promise.all(['/orders?limit=500', '/', '/orders?state=waiting'].map((path) => ask(relay.baseUrl + path)));
      most = Math.max(most, await mebibytes());
    }
    return { orders, before, most };
  } finally {
    await relay.stop();
  }
}

/** @returns {Promise<string>} the body */
function ask(url, method = 'GET', body = '') {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) } : {};
    const sent = request(url, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => (Number(response.statusCode) < 300 ? resolve(text) : reject(new Error(text))));
    });
    sent.on('error', reject).end(body);
  });
}
