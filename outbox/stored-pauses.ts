import type { Closed } from './gates.js';
import type { Pause } from './options.js';
import type { OutboxStore } from './store/index.js';

/** How often a process repeats what it holds back, so that others know that it still does. */
const REPEAT_MS = 30_000;
/** What was not repeated for as long is of a process that has died. */
const STALE_MS = 3 * REPEAT_MS;

interface Report {
  service: Pause | null;
  locations: [string, Pause][];
}

/** What the processes that deliver hold back, stored beside the entries, so that those that do not deliver can read it. */
export class StoredPauses {
  readonly #store: OutboxStore;
  /** What was stored last, and when; unknown at first, since a process that died may have left something. */
  #stored: string | null | undefined;
  #storedAt = 0;

  constructor(store: OutboxStore) {
    this.#store = store;
  }

  /** Stores what this process holds back, if that has changed or has to be repeated. */
  async report({ service, locations }: Closed, now: number): Promise<void> {
    const report: Report = { service, locations: [...locations] };
    const json = service || locations.size > 0 ? JSON.stringify(report) : null;
    if (json === this.#stored && (json === null || now < this.#storedAt + REPEAT_MS)) return;
    await this.#store.setPauses?.(json, now);
    this.#stored = json;
    this.#storedAt = now;
  }

  /** Returns what any process holds back; of several, since the earliest time. */
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
