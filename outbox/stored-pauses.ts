import type { Closed } from './delivery-pauses.js';
import type { Pause } from './options.js';
import type { OutboxStore } from './store.js';

/** How often a process stores its pauses again, so that others know that they still last. */
const REPEAT_MS = 30_000;
/** Pauses that were not stored again for this long are of a process that has died. */
const STALE_MS = 3 * REPEAT_MS;

interface Report {
  service: Pause | null;
  locations: [string, Pause][];
}

/** Stores the pauses of the processes that deliver beside the entries, so that those that do not deliver can read them. */
export class StoredPauses {
  readonly #store: OutboxStore;
  /** The JSON that was stored last, and when; unknown at first, because a process that died may have left some. */
  #stored: string | null | undefined;
  #storedAt = 0;

  constructor(store: OutboxStore) {
    this.#store = store;
  }

  /** Stores the pauses of this process, if they have changed or have to be repeated. */
  async report({ service, locations }: Closed, now: number): Promise<void> {
    const report: Report = { service, locations: [...locations] };
    const json = service || locations.size > 0 ? JSON.stringify(report) : null;
    if (json === this.#stored && (json === null || now < this.#storedAt + REPEAT_MS)) return;
    await this.#store.setPauses?.(json, now);
    this.#stored = json;
    this.#storedAt = now;
  }

  /** Returns the pauses of all processes; if several hold back the same location or all, the earliest pause. */
  async read(now: number): Promise<Closed> {
    const reports = (await this.#store.getPauses?.(now - STALE_MS)) ?? [];
    const closed = { service: null as Pause | null, locations: new Map<string, Pause>() };
    for (const json of reports) {
      const { service, locations } = JSON.parse(json) as Report;
      closed.service = earlier(closed.service, service);
      for (const [location, pause] of locations) {
        closed.locations.set(location, earlier(closed.locations.get(location) ?? null, pause) as Pause);
      }
    }
    return closed;
  }
}

function earlier(known: Pause | null, stored: Pause | null): Pause | null {
  const other = stored && { ...stored, since: new Date(stored.since) };
  return known && (!other || known.since <= other.since) ? known : other;
}
