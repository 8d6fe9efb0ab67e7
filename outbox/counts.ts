import type { Closed } from './delivery-pauses.js';
import { locationOf } from './entry.js';
import { STATES } from './members.js';
import type { EntryState, LocationCount } from './store.js';
import type { LocationCounts, OutboxCounts } from './types.js';

/** Sums up the rows of a store. */
export function countsOf(rows: readonly LocationCount[], closed: Closed, now: number): OutboxCounts {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<EntryState, number>;
  let oldestWaitingMs: number | null = null;
  const locations = new Map<string, LocationCounts>();
  for (const { state, location, entries, oldestAddedAt } of rows) {
    // A later version of this package may have written states that this one does not know.
    if (!Object.hasOwn(counts, state)) continue;
    counts[state] += entries;
    if (state === 'created' || state === 'cancelled') continue;
    let local = locations.get(location);
    if (!local) {
      const pause = closed.service ?? closed.locations.get(location) ?? null;
      const none = { waiting: 0, refused: 0, stalled: 0, invalid: 0, oldestWaitingMs: null };
      local = { ...locationOf(location), ...none, isPaused: pause !== null, pause };
      locations.set(location, local);
    }
    if (state === 'refused' || state === 'stalled' || state === 'invalid') {
      local[state] += entries;
      continue;
    }
    local.waiting += entries;
    local.oldestWaitingMs = Math.max(local.oldestWaitingMs ?? 0, now - oldestAddedAt);
    oldestWaitingMs = Math.max(oldestWaitingMs ?? 0, now - oldestAddedAt);
  }
  const pause = closed.service;
  return { ...counts, oldestWaitingMs, locations: [...locations.values()], isPaused: pause !== null, pause };
}
