import type { Platform } from '../pkg-template/src/platform/platform.js';
import type { Dispatcher } from './dispatcher.js';
import type { StoreLimit } from './store-limit.js';
import type { OutboxStore } from './store.js';

/**
 * Begins to stop an outbox, which has ended when the time is up, whatever the store does (D59).
 *
 * @param store With its time limit.
 * @returns a function that takes a time and resolves when the outbox has ended: within that time, or a shorter one of an earlier
 * call. Inside a handler, it resolves without waiting for that handler, which can then end.
 */
export function beginStop(
  platform: Platform,
  dispatcher: Dispatcher,
  store: OutboxStore,
  limit: StoreLimit,
): (timeoutMs: number) => Promise<void> {
  const cancels = new Set<() => void>();
  let isOver = false;
  // The end of all work except handlers that stop the outbox, and the end of everything.
  const working = dispatcher.stop();
  store.hurry?.();
  const closed = close().finally(() => {
    isOver = true;
    for (const cancel of cancels) cancel();
  });
  // Possibly nobody awaits it: a handler that stops the outbox awaits only `working`.
  closed.catch(() => {});
  return (timeoutMs) => {
    const end = dispatcher.handler.leave() ? working : closed;
    if (timeoutMs === Number.POSITIVE_INFINITY || isOver) return end;
    const cancel = platform.after(timeoutMs, () => {
      dispatcher.interrupt();
      cancels.add(limit.endSoon(timeoutMs));
    });
    cancels.add(cancel);
    return end;
  };

  async function close(): Promise<void> {
    await working;
    await dispatcher.handler.ended();
    try {
      await store.close();
    } catch (error) {
      if (!limit.isOver) throw error;
      dispatcher.report('close', error, null);
    }
  }
}
