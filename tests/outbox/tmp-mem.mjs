import { createClientOn, createOutboxOn, handClock, numbered, sqliteStore } from './harness.mjs';
const clock = handClock();
const client = createClientOn(clock.platform, {
  baseUrl: 'https://intake.test',
  token: 'token',
  fetch: async () => new Response('', { status: 201 }),
});
const outbox = createOutboxOn(clock.platform, { client, store: sqliteStore(process.argv[2]) });
const show = (w) => {
  globalThis.gc();
  const m = process.memoryUsage();
  console.log(w, (m.rss / 2 ** 20).toFixed(0), (m.heapUsed / 2 ** 20).toFixed(1), (m.external / 2 ** 20).toFixed(1));
};
show('start');
for (let n = 0; n < 40000; ) {
  const batch = Array.from({ length: 256 }, (_, i) => outbox.add(numbered(n + i, { EntityId: 1 + ((n + i) % 50) })));
  n += batch.length;
  await Promise.all(batch);
  if (n % 10240 === 0) show(n);
}
process.exit();
