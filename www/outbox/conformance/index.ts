import type { Store } from '../store.js';
import { addingChecks } from './adding.js';
import { administrationChecks } from './administration.js';
import { attemptsChecks } from './attempts.js';
import type { Bench } from './bench.js';
import { changingChecks } from './changing.js';
import type { StoreLocation } from './store-location.js';

export type { StoreLocation } from './store-location.js';

const CHECKS = [...addingChecks, ...attemptsChecks, ...changingChecks, ...administrationChecks];

/** One check, for the test runner of your choice. */
export interface StoreCheck {
  title: string;
  /** Rejects if the store does not conform. */
  run(): Promise<void>;
}

/**
 * Returns the checks that a store for {@link createOutbox} must pass.
 *
 * @param createLocation Returns a new, empty location for each check.
 * @param options.patienceMs How long a store may take to give up on a process that died. Default 30,000.
 *
 * @example
 * ```js
 * import { storeChecks } from 'sales-order-intake/outbox/conformance';
 * import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
 *
 * for (const { title, run } of storeChecks(() => ({ open: () => sqliteStore(':memory:') }))) {
 *   console.log(title, typeof run); // test(title, run)
 * }
 * ```
 */
export function storeChecks(
  createLocation: () => StoreLocation | Promise<StoreLocation>,
  options: { patienceMs?: number } = {},
): StoreCheck[] {
  const { patienceMs = 30_000 } = options;
  return CHECKS.map(({ title, check }) => ({
    title,
    async run() {
      const location = await createLocation();
      const opened: Store[] = [];
      const bench: Bench = {
        location,
        patienceMs,
        async open() {
          const store = await location.open();
          opened.push(store);
          return store;
        },
      };
      try {
        await check(bench);
      } finally {
        for (const store of opened) await store.close();
        await location.dispose?.();
      }
    },
  }));
}
