/** A process that retries many refused orders: `retry-all.mjs <file> <orders>`. Prints what happened as JSON. */
import { createOutbox, numbered, sqliteStore } from './harness.mjs';

const [file, orders] = [process.argv[2], Number(process.argv[3])];
const store = sqliteStore(file);
const sent = new Uint8Array(orders);
const client = {
  async createOrder({ orderId }) {
    sent[Number(orderId.slice(-12)) - 1]++;
    return { order: null, status: 201, issues: [], requestId: null };
  },
};
const outbox = createOutbox({ client, store, concurrency: 64, concurrencyPerLocation: 64 });
for (let n = 0; n < orders; n += 500) {
  await Promise.all(Array.from({ length: 500 }, (_, index) => outbox.add(numbered(n + index))));
}
// All refused, as after a mistake in the registry of the service.
const refused = { state: 'refused', reason: 'PermissionError', status: 403, settledAt: Date.now() };
const everything = { limit: 500, after: 0 };
for (let after = 0; after !== null; ) after = (await store.changeAll({ ...everything, after }, {}, refused)).last;

/** Retained memory: how much more a process has depends on the machine. */
const mib = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};
const before = mib();
let most = before;
const { changeAll } = store;
store.changeAll = async (...args) => {
  const page = await changeAll.apply(store, args);
  most = Math.max(most, mib());
  return page;
};
const changed = await outbox.retryAll({ states: ['refused'], reason: 'PermissionError' });
const changedAgain = await outbox.retryAll({ states: ['refused'] });
const { waiting } = await outbox.counts();
outbox.start();
while ((await outbox.counts()).created < orders) await new Promise((resolve) => setTimeout(resolve, 100));
await outbox.stop();
const once = sent.reduce((count, times) => count + Number(times === 1), 0);
console.log(JSON.stringify({ changed, changedAgain, waiting, once, mib: { before, most } }));
