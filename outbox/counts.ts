import type { Closed } from './gates.js';
import { locationOf } from './entry.js';
import type { LocationCount } from './store/index.js';
import type { LocationCounts, OutboxCounts } from './types.js';

/** Sums up the rows of a store. */
export function countsOf(rows: readonly LocationCount[], closed: Closed, now: number): OutboxCounts {
  const counts: OutboxCounts = {
    waiting: 0,
    sending: 0,
    created: 0,
    refused: 0,
    stalled: 0,
    cancelled: 0,
    oldestWaitingMs: null,
    locations: [],
    isPaused: closed.service !== null,
    pause: closed.service,
  };
  const locations = new Map<string, LocationCounts>();
  for (const { state, location, entries, oldestAddedAt } of rows) {
    counts[state] += entries;
    if (state === 'created' || state === 'cancelled') continue;
    let local = locations.get(location);
    if (!local) {
      const pause = closed.service ?? closed.locations.get(location) ?? null;
      const isPaused = pause !== null;
      local = {
        ...locationOf(location),
        waiting: 0,
        refused: 0,
        stalled: 0,
        oldestWaitingMs: null,
        isPaused,
        pause,
      };
      locations.set(location, local);
    }
    if (state === 'refused' || state === 'stalled') {
      local[state] += entries;
      continue;
    }
    local.waiting += entries;
    local.oldestWaitingMs = Math.max(local.oldestWaitingMs ?? 0, now - oldestAddedAt);
    counts.oldestWaitingMs = Math.max(counts.oldestWaitingMs ?? 0, now - oldestAddedAt);
  }
  counts.locations = [...locations.values()];
  return counts;
}
