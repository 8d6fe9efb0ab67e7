import type { Platform } from '../pkg-template/src/platform/platform.js';
import type { Dispatcher } from './dispatcher.js';
import type { OutboxStore } from './store.js';

/** After the time of a stop is up, this long is left to write which orders were interrupted, and to close the store. */
const LAST_WRITES_MS = 250;

/**
 * Begins to stop an outbox, which has ended soon after the time is up, whatever the store does (D59).
 *
 * @returns a function that takes a time and resolves when the outbox has ended: within that time, or a shorter one of an earlier
 * call. Inside a handler, it resolves without waiting for that handler, which can then end.
 */
export function beginStop(
  platform: Platform,
  dispatcher: Dispatcher,
  store: OutboxStore,
): (timeoutMs: number) => Promise<void> {
  const cancels = new Set<() => void>();
  let giveUp: () => void = () => {};
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  let isOver = false;
  // The end of all work except handlers that stop the outbox, and the end of everything.
  const working = Promise.race([dispatcher.stop(), givenUp]);
  store.hurry?.();
  const closed = Promise.race([close(), givenUp]).finally(() => {
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
      cancels.add(platform.after(LAST_WRITES_MS, giveUp));
    });
    cancels.add(cancel);
    return end;
  };

  async function close(): Promise<void> {
    await working;
    await Promise.race([dispatcher.handler.ended(), givenUp]);
    await store.close();
  }
}
