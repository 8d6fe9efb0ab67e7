/**
 * A process that adds and delivers orders, and can kill itself at one of several points. Prints one report per line on stdout:
 * `added <id>`, `settled <id> <state>`, `idle`.
 *
 * `worker.mjs '{ "store": …, "baseUrl": …, "from": 0, "count": 10, "killAt": "add", "killAfter": 3 }'`
 */
import { writeSync } from 'node:fs';
import { PLACES } from './places.mjs';
import { OutboxError, RETRY, clientOf, createOutbox, numbered, sqliteStore } from './harness.mjs';
import { STORE_FUNCTIONS } from './set-up.mjs';

const {
  store: place,
  baseUrl,
  from = 0,
  count = 0,
  killAt,
  killAfter = 1,
  locations = 3,
  ...rest
} = JSON.parse(process.argv[2]);
const say = (line) => writeSync(1, `${line}\n`);

let passed = 0;
/** Kills the process when it reaches the point `killAt` for the `killAfter`th time. */
function at(name) {
  if (name === killAt && ++passed === killAfter) process.kill(process.pid, 'SIGKILL');
}

const inner = await openStore();
const store = {
  ...Object.fromEntries(['start', ...STORE_FUNCTIONS].map((name) => [name, (...args) => inner[name]?.(...args)])),
  ...(inner.now && { now: (...args) => inner.now(...args) }),
  add(...args) {
    const adding = inner.add(...args);
    at(PLACES.add);
    return adding;
  },
  async take(options) {
    at(PLACES.take);
    return inner.take(options);
  },
  async settle(...args) {
    at(PLACES.settle);
    const isSettled = await inner.settle(...args);
    at(PLACES.handler);
    return isSettled;
  },
};

const client = clientOf(baseUrl, {
  timeoutMs: 2000,
  fetch(url, init) {
    at(PLACES.send);
    const answering = fetch(url, init);
    // At this moment the request is on its way, has arrived, or has its response.
    if (killAt === PLACES.answer && passed < killAfter) setTimeout(() => at(PLACES.answer), Math.random() * 8);
    return answering;
  },
});

const outbox = createOutbox({
  ...{ client, store, retry: RETRY, concurrency: 8, handlerTimeoutMs: 4000, ...rest },
  onSettled: ({ orderId, state }) => say(`settled ${orderId} ${state}`),
});
outbox.start();
for (let n = from; n < from + count; n++) {
  const { orderId } = await outbox.add(numbered(n, { EntityId: 1 + (n % locations) }));
  say(`added ${orderId}`);
}
let isStopping = false;
process.on('SIGTERM', () => {
  isStopping = true;
});
while (!isStopping) {
  if (await isIdle()) say('idle');
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await outbox.stop();

async function isIdle() {
  try {
    const { waiting, sending } = await outbox.counts();
    const handedOver = await inner.list({ noticeUntil: Number.MAX_SAFE_INTEGER, after: 0, limit: 1 });
    return waiting + sending + handedOver.length === 0;
  } catch (error) {
    // A process that was frozen while it connected finds that the time to connect is over.
    if (error instanceof OutboxError && error.reason === 'store') return false;
    throw error;
  }
}

async function openStore() {
  if (place.file) return sqliteStore(place.file);
  const { postgresStore } = await import('./postgres.mjs');
  return postgresStore(place.postgres);
}
