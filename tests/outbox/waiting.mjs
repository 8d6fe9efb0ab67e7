/**
 * A process with many waiting orders, on a clock that it controls: an outage of six hours and the deliveries after it.
 * Prints what happened as JSON: `waiting.mjs <file> <orders>`.
 */
import { createClientOn, createOutboxOn, handClock, numbered, sqliteStore } from './harness.mjs';

const HOUR_MS = 3_600_000;
const [file, orders] = [process.argv[2], Number(process.argv[3])];
const clock = handClock();
let isDown = true;
let inFlight = 0;
const requests = [];
const most = { inFlight: 0, rss: 0 };
const mib = () => {
  const { rss } = process.memoryUsage();
  most.rss = Math.max(most.rss, rss / 2 ** 20);
  return rss / 2 ** 20;
};

async function fetch(_, { body }) {
  requests.push(clock.platform.date());
  if (isDown) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  most.inFlight = Math.max(most.inFlight, ++inFlight);
  await new Promise((resolve) => clock.platform.after(50, resolve));
  inFlight--;
  return new Response(body, { status: 201 });
}

const client = createClientOn(clock.platform, { baseUrl: 'https://intake.test', token: 'token', fetch });
const outbox = createOutboxOn(clock.platform, { client, store: sqliteStore(file) });
for (let n = 0; n < orders; ) {
  const batch = Array.from({ length: Math.min(256, orders - n) }, (_, index) =>
    outbox.add(numbered(n + index, { EntityId: 1 + ((n + index) % 50) })),
  );
  n += batch.length;
  await Promise.all(batch);
}
const afterAdding = mib();
outbox.start();
const hourly = [];
for (let hour = 0; hour < 6; hour++) {
  for (let minute = 0; minute < 60; minute++) await clock.advance(HOUR_MS / 60);
  hourly.push(mib());
}
const outage = requests.splice(0);
const { waiting, sending } = await outbox.counts();
isDown = false;
const upAt = clock.platform.date();
while (requests.length === 0) await clock.advance(250);
await clock.advance(2000);
mib();
const perSecond = {};
const firstAt = requests[0];
for (const at of requests)
  perSecond[Math.floor((at - firstAt) / 100)] = (perSecond[Math.floor((at - firstAt) / 100)] ?? 0) + 1;
const [sample] = await (async () => {
  for await (const entry of outbox.list({ state: 'waiting' })) return [entry];
  return [];
})();
console.log(
  JSON.stringify({
    outageRequests: outage.length,
    waiting: waiting + sending,
    attempts: sample.attempts,
    delaySeconds: (firstAt - upAt) / 1000,
    firstTenths: Object.values(perSecond).slice(0, 6),
    delivered: (await outbox.counts()).created,
    mostInFlight: most.inFlight,
    mib: { afterAdding, hourly, most: most.rss },
  }),
);
process.exit(0);
