/** An outbox that sends to a service on loopback, which plays faults; and the stores that need no database server. */
import { startFaultServer } from '../client/fault-server.mjs';
import { RETRY, clientOf, createOutbox, sqliteStore, until } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';

/** The functions of a store, for tests that replace some. */
export const STORE_FUNCTIONS = [
  'add',
  'take',
  'settle',
  'change',
  'changeAll',
  'get',
  'list',
  'count',
  'sweep',
  'close',
];

/** Creates an empty store, by name. A test can read it after the outbox has stopped. */
export const STORES = {
  'a store in memory': memoryStore,
  SQLite() {
    const store = sqliteStore(':memory:');
    store.close = async () => {};
    return store;
  },
};

/**
 * Starts a service that plays a script, and an outbox that sends to it.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ script?: Function[], client?: object, store?: any, wrap?: (inner: any) => any, [option: string]: any }} [setting]
 */
export async function setUp(
  t,
  { script = [], client = {}, store = memoryStore(), wrap = (inner) => inner, ...options } = {},
) {
  const server = await startFaultServer(...script);
  const sender = wrap(clientOf(server.baseUrl, client));
  const events = [];
  const hooks = Object.fromEntries(
    ['onAdd', 'onResult', 'onGate', 'onError'].map((name) => [name, (event) => events.push({ name, ...event })]),
  );
  const outbox = createOutbox({ client: sender, store, retry: RETRY, hooks, ...options });
  t.after(async () => {
    await outbox.stop({ timeoutMs: 0 });
    await server.close();
  });
  const settled = (orderId) =>
    until(async () => {
      const entry = await outbox.get(orderId);
      return !['waiting', 'sending'].includes(entry.state) && entry;
    }, 'settled');
  return { server, outbox, store, events, settled };
}
