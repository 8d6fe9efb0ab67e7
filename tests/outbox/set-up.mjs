/** An outbox that sends to a service on loopback, which plays faults; and the stores that need no database server. */
import { startFaultServer } from '../client/fault-server.mjs';
import { RETRY, clientOf, createOutboxOn, platform, sqliteStore, until } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';
import { simulatedTime } from './simulated-time.mjs';

/** The functions of a store, for tests that replace some. */
export const STORE_FUNCTIONS = [
  ...['bind', 'add', 'take', 'settle', 'change', 'changeAll', 'get', 'history', 'list', 'count', 'sweep'],
  ...['setPauses', 'getPauses', 'close'],
];

/** Creates an empty store on SQLite, which a test can read after the outbox has stopped. The conformance tests have the others. */
export function newStore() {
  const store = sqliteStore(':memory:');
  store.close = async () => {};
  return store;
}

/** Time as it is, for stores whose database has a clock of its own. */
const realTime = () => ({ platform, until, advance: async () => {}, observed: (inner) => inner });

/**
 * Starts a service that plays a script, and an outbox that sends to it, in simulated time unless the setting says otherwise.
 * Returns them with `settled`, `until`, `advance`, `now` and the platform of this time.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ script?: Function[], client?: object, store?: any, wrap?: (inner: any) => any, isInRealTime?: boolean,
 *   [option: string]: any }} [setting]
 */
export async function setUp(t, setting = {}) {
  const { script = [], client = {}, store = memoryStore(), wrap = (inner) => inner, ...others } = setting;
  const { isInRealTime = false, ...options } = others;
  const { platform, until, advance, observed } = isInRealTime ? realTime() : simulatedTime();
  const server = await startFaultServer(...script);
  const events = [];
  const hooks = Object.fromEntries(
    ['onAdd', 'onResult', 'onGate', 'onError'].map((name) => [name, (event) => events.push({ name, ...event })]),
  );
  const outbox = createOutboxOn(platform, {
    client: observed(wrap(clientOf(server.baseUrl, client)), ['createOrder']),
    store: observed(store, ['start', ...STORE_FUNCTIONS]),
    ...{ retry: RETRY, hooks, ...options },
  });
  t.after(async () => {
    const stopping = outbox.stop({ timeoutMs: 0 });
    await advance(0);
    await stopping;
    await server.close();
  });
  const settled = (orderId) =>
    until(async () => {
      const entry = await outbox.get(orderId);
      return !['waiting', 'sending'].includes(entry.state) && entry;
    }, `order ${orderId} settled`);
  return { server, outbox, store, events, settled, until, advance, platform, now: platform.date };
}
