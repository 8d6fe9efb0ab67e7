/**
 * Shows the parts of the time of createOrders: CPU time per order, of a bare loop of fetch and of loops that each do
 * one more thing that the client does. `node benches/send-parts.mjs`
 *
 * Measures CPU time, because the server is a separate process. All loops take turns, because other programs slow down what
 * runs next to them. The time of a part is the median difference to the previous loop within a turn.
 */
import { join } from 'node:path';
import { createClient } from '#package/client';
import { prepareRequest, readOrder } from '#package';
import { root } from '../scripts/places.mjs';
import { startService } from '../scripts/service.mjs';
import { median } from './measure.mjs';
import { CONCURRENCY, orders, throughClient, throughFetch } from './send.mjs';

const COUNT = 150;
const TURNS = 100;
const WARM = 3_000;
const TIMEOUT_MS = 60_000;
const HEADERS = { Authorization: 'Bearer a-token', Accept: 'application/json', 'Content-Type': 'application/json' };

const server = await startService(process.execPath, [join(root, 'benches/server.mjs')]);
try {
  await print(server.baseUrl);
} finally {
  await server.stop();
}

async function print(baseUrl) {
  const ways = waysTo(baseUrl);
  for (const way of Object.values(ways)) await way(orders(WARM));
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, way] of Object.entries(ways)) times[name].push(await cpuTime(way));
  }
  let before;
  for (const [name, own] of Object.entries(times)) {
    const more = before && median(own.map((time, turn) => time - before[turn]));
    console.log(
      `${name.padEnd(40)}${median(own).toFixed(0).padStart(6)} µs${more === undefined ? '' : more.toFixed(0).padStart(6)}`,
    );
    before = own;
  }
}

/** Returns the loops, each with one more thing than the one before. */
function waysTo(baseUrl) {
  const client = createClient({ baseUrl, token: () => 'a-token' });
  const sent = async ({ Id }, body, init) =>
    textOf(await fetch(`${baseUrl}/v3/ServiceOrder(${Id})`, { method: 'PUT', headers: HEADERS, body, ...init }));
  return {
    'bare fetch': (source) => throughFetch(baseUrl, source),
    'body read chunk by chunk': looped(async (order) => JSON.parse(await sent(order, JSON.stringify(order)))),
    'a signal': looped(async (order) => {
      const { signal } = new AbortController();
      JSON.parse(await sent(order, JSON.stringify(order), { signal }));
    }),
    'a timer': looped(async (order) =>
      JSON.parse(await inTime((signal) => sent(order, JSON.stringify(order), { signal }))),
    ),
    'prepareRequest, not JSON.stringify': looped(async (order) => {
      const { body } = prepareRequest(order);
      JSON.parse(await inTime((signal) => sent(order, body, { signal })));
    }),
    'readOrder, not JSON.parse': looped(async (order) => {
      const { body } = prepareRequest(order);
      readOrder(await inTime((signal) => sent(order, body, { signal })));
    }),
    createOrders: (source) => throughClient(client, source),
  };
}

/** Runs `send` in a loop, like the bare loop. */
function looped(send) {
  const work = async (source) => {
    for (const order of source) await send(order);
  };
  return (source) => Promise.all(Array.from({ length: CONCURRENCY }, () => work(source)));
}

async function inTime(work) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function textOf({ ok, status, body }) {
  if (!ok) throw new Error(`the server responded with ${status}`);
  const decoder = new TextDecoder();
  let text = '';
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value);
  }
}

/** Returns the CPU microseconds per order, of all threads of this process. */
async function cpuTime(way) {
  const before = process.cpuUsage();
  await way(orders(COUNT));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / COUNT;
}
