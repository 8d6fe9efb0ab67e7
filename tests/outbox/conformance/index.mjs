import { addingChecks } from './adding.mjs';
import { administrationChecks } from './administration.mjs';
import { attemptsChecks } from './attempts.mjs';
import { changingChecks } from './changing.mjs';
import { historyChecks } from './history.mjs';

/** How long a store may take to give up on a process that died. */
const patienceMs = 30_000;
/** @type {Record<string, (store: any, bench: any) => Promise<void>>} */
const CHECKS = { ...addingChecks, ...attemptsChecks, ...changingChecks, ...historyChecks, ...administrationChecks };

/**
 * Returns the checks that each store must pass, as titles and functions that reject if the store does not.
 *
 * @param createLocation Returns a new, empty location for each check. `open` opens a store there, also again after it was closed;
 * `begin` begins a transaction as a caller would; `dispose` removes what was stored.
 */
export function storeChecks(createLocation) {
  return Object.entries(CHECKS).map(([title, run]) => ({
    title,
    async run() {
      const location = await createLocation();
      const opened = [];
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
