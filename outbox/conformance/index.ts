import { check, checkNames, copyOptions } from '../../pkg-template/src/options/check.js';
import type { OutboxStore } from '../store/index.js';
import { addingChecks } from './adding.js';
import { administrationChecks } from './administration.js';
import { attemptsChecks } from './attempts.js';
import type { StoreLocation } from './bench.js';
import { changingChecks } from './changing.js';

export type { OpenTransaction, StoreLocation } from './bench.js';

const CHECKS = { ...addingChecks, ...attemptsChecks, ...changingChecks, ...administrationChecks };

/** Options of {@link storeChecks}. */
export interface StoreCheckOptions {
  /**
   * Milliseconds that a store may take to give up on a process that died.
   * @default 30_000
   */
  patienceMs?: number | undefined;
}

/** One check, for the test runner of your choice. */
export interface StoreCheck {
  /** What the store must do. */
  title: string;
  /** Rejects if the store does not do it. */
  run(): Promise<void>;
}

/**
 * Returns the checks that a store for {@link createOutbox} must pass.
 *
 * @param createLocation Returns a new, empty location for each check.
 * @throws OptionError if an option is wrong.
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
export function storeChecks<Transaction = never>(
  createLocation: () => StoreLocation<Transaction> | Promise<StoreLocation<Transaction>>,
  options: StoreCheckOptions = {},
): StoreCheck[] {
  const given = copyOptions(options);
  checkNames('', Object.keys(given), ['patienceMs']);
  const { patienceMs = 30_000 } = given;
  check('/patienceMs', typeof patienceMs === 'number' && patienceMs >= 0, 'milliseconds, 0 or more');
  return Object.entries(CHECKS).map(([title, run]) => ({
    title,
    async run() {
      const location = await createLocation();
      const opened: OutboxStore<Transaction>[] = [];
      const open = async () => {
        const store = await location.open();
        opened.push(store);
        return store;
      };
      try {
        await run(await open(), { open, begin: location.begin?.bind(location), patienceMs });
      } finally {
        for (const store of opened) await store.close();
        await location.dispose?.();
      }
    },
  }));
}
