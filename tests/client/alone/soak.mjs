/**
 * Sends many orders to a service that often fails, sometimes after storing the order. Checks that every order is stored
 * exactly once and that no report of the client is wrong. Failed orders are sent again with their Ids, as a caller would.
 *
 * `node tests/client/alone/soak.mjs [orders] [concurrency]`; soak.test.mjs runs a short form.
 */
import { fileURLToPath } from 'node:url';
import { randomOf } from '../../node/random-orders.mjs';
import { client, clientOf, numbered } from '../clients.mjs';
import { platform } from '../clock.mjs';
import {
  afterStoring,
  answer,
  creates,
  resetsBeforeHeaders,
  resetsInBody,
  stallsBeforeHeaders,
  stallsInBody,
  startFaultServer,
} from '../fault-server.mjs';

const FAULT_SHARE = 0.3;
const ROUNDS = 20;
const FAULTS = [
  resetsBeforeHeaders,
  afterStoring(resetsBeforeHeaders),
  afterStoring(resetsInBody),
  stallsBeforeHeaders,
  afterStoring(stallsBeforeHeaders),
  afterStoring(stallsInBody),
  answer(408),
  afterStoring(answer(408)),
  answer(429),
  answer(429, '', { 'Retry-After': '1' }),
  answer(500, '{"Message":"An error has occurred."}'),
  afterStoring(answer(500)),
  answer(502, '<html><title>Bad Gateway</title></html>', { 'Content-Type': 'text/html' }),
  afterStoring(answer(502)),
  answer(503, '', { 'Retry-After': '1' }),
  afterStoring(answer(504)),
  // Not retried by the client: the order fails although it may be stored.
  afterStoring(answer(501)),
  afterStoring(answer(302, '', { Location: '/elsewhere' })),
  answer(403),
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [orders = 10_000, concurrency = 32] = process.argv.slice(2).map(Number);
  const report = await soak({ orders, concurrency });
  console.log(report);
  if (report.mistakes.length > 0) process.exitCode = 1;
}

/** Sends the orders and reports what happened; `mistakes` is empty if all is well. */
export async function soak({ orders, concurrency }) {
  const startedAt = performance.now();
  const random = randomOf(20_261_120);
  let faults = 0;
  const play = (exchange) => {
    if (random() >= FAULT_SHARE) return creates(exchange);
    faults++;
    return FAULTS[Math.floor(random() * FAULTS.length)](exchange);
  };
  const server = await startFaultServer();
  server.playAlways(play);
  const sender = clientOf(
    server.baseUrl,
    { timeoutMs: 10_000, totalTimeoutMs: 2 ** 30, retry: { baseMs: 200, capMs: 2000 } },
    { ...platform, random },
  );
  const mistakes = [];
  const failures = {};
  let waiting = Array.from({ length: orders }, (_, n) => n);
  let rounds = 0;
  try {
    while (waiting.length > 0 && rounds++ < ROUNDS) {
      const sent = waiting;
      waiting = [];
      for await (const { index, ok, created, error } of sender.createOrders(
        sent.map((n) => numbered(n)),
        { concurrency },
      )) {
        const n = sent[index];
        const { Id } = numbered(n);
        const isStored = server.orders.has(Id);
        if (ok) {
          if (!isStored || created.orderId !== Id)
            mistakes.push(`order ${n} was reported as created and is not stored`);
        } else {
          waiting.push(n);
          failures[error.name] = (failures[error.name] ?? 0) + 1;
          if (!(error instanceof client.OrderIntakeError) || error.orderId !== Id)
            mistakes.push(`order ${n}: ${error}`);
          if (isStored && error.outcome === 'not-created')
            mistakes.push(`order ${n} is stored and was reported as not created: ${error.message}`);
        }
      }
    }
    for (let n = 0; n < orders; n++) {
      const { creations } = server.orders.get(numbered(n).Id) ?? { creations: 0 };
      if (creations !== 1) mistakes.push(`order ${n} is stored ${creations} times`);
    }
    if (server.orders.size !== orders) mistakes.push(`${server.orders.size} orders are stored`);
    mistakes.push(...differing(server.requests));
    return {
      orders,
      concurrency,
      requests: server.requests.length,
      faults,
      rounds,
      failures,
      mistakes,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    };
  } finally {
    await server.close();
  }
}

/** Lists the orders whose attempts, in all rounds, did not all have the same bytes. */
function differing(requests) {
  const bodies = new Map();
  for (const { url, body } of requests) bodies.set(url, (bodies.get(url) ?? new Set()).add(body));
  return [...bodies].filter(([, different]) => different.size > 1).map(([url]) => `${url} came with different bodies`);
}
