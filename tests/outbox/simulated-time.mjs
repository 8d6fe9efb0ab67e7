/** Time that passes only when a test says so, or while it waits and nothing else happens: pauses take no time. */
import { handClock } from '../hand-clock.mjs';

/** Catches a hang; a condition that holds at all holds long before. */
const LIMIT_MS = 60_000;

export function simulatedTime() {
  const clock = handClock(Date.now());
  let calls = 0;
  return {
    platform: clock.platform,
    advance: clock.advance,

    /** Returns an object like `inner`. While a call of one of these functions lasts, no time passes in `until`. */
    observed(inner, names) {
      const counted =
        (call) =>
        async (...args) => {
          calls++;
          try {
            return await call()?.(...args);
          } finally {
            calls--;
          }
        };
      const functionsOf = (name) => {
        // The outbox sends stored orders by a member of createOrder.
        const keys = Object.getOwnPropertySymbols(inner[name] ?? {});
        const members = Object.fromEntries(keys.map((key) => [key, counted(() => inner[name][key])]));
        return [
          name,
          Object.assign(
            counted(() => inner[name]?.bind(inner)),
            members,
          ),
        ];
      };
      return { ...inner, ...Object.fromEntries(names.map(functionsOf)) };
    },

    /** Waits until a condition holds, and returns its value. */
    async until(condition, what = String(condition)) {
      const endsAt = performance.now() + LIMIT_MS;
      for (;;) {
        const before = await condition();
        if (before) return before;
        await clock.settle();
        const value = await condition();
        if (value) return value;
        if (performance.now() > endsAt) throw new Error(`not within ${LIMIT_MS} ms: ${what}`);
        if (calls > 0) await new Promise((resolve) => setTimeout(resolve, 1));
        else await clock.next();
      }
    },
  };
}
