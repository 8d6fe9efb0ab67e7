import { Gate, type GateBounds, type Turn } from '../pkg-template/src/sending/gate.js';
import type { Platform } from '../pkg-template/src/platform/platform.js';
import type { Pause } from './options.js';
import type { OutboxStore, TakenEntry } from './store.js';
import { Suspects } from './repeated-responses.js';

/**
 * What an attempt shows about the way to the service.
 *
 * - `created`: the service has created the order, or had it.
 * - `responded`: the service has responded, as it does when nothing is wrong with it.
 * - `trouble`: 429, 5xx, a time-out or a lost connection: the service, or the location, has too much to do or is failing.
 * - `unreachable`: no connection could be made, so nothing was sent.
 * - `token`: the service refused the token, or there is none.
 * - `suspect`: a redirect, a page, a 2xx that proves nothing, or a 403, 404 or 405: it may not come from the service (D26, D51).
 * - `nothing`: nothing was sent.
 */
export type Effect = 'created' | 'responded' | 'trouble' | 'unreachable' | 'token' | 'suspect' | 'nothing';

/** The end of an attempt, as far as it concerns the gates. */
export interface AttemptEnd {
  effect: Effect;
  /** Milliseconds that the Retry-After of a 429 or 503 asks for; 0 if there is none. */
  askedMs: number;
  /** The last error and response, for a pause. */
  sign: Pick<Pause, 'reason' | 'status' | 'mediaType' | 'failure'>;
}

/** An attempt in flight. */
export interface Pass {
  entry: TakenEntry;
  service: Turn;
  local: Turn;
}

/** What a suspect response means for its order (D51). */
export interface SuspectResponse {
  /** How many there have been in a row. */
  responses: number;
  /** True if they are enough to settle the order. */
  isEnough: boolean;
  /** Milliseconds until other orders have had their turn as probes; 0 if no gate holds back the order. */
  pauseMs: number;
}

export interface GatesSettings extends Omit<GateBounds, 'leastGroups'> {
  concurrencyPerLocation: number;
  /** The least time between the first and the last of the suspect responses that settle an order. */
  suspectMs: number;
  onGate(event: GateChange): void;
}

/** A gate closes, closes again or opens; `location` is null for the gate of the service. */
export interface GateChange {
  location: string | null;
  isOpen: boolean;
  waitMs: number;
  pause: Pause | null;
}

/** Why deliveries are held back now: all of them, and those to locations. */
export interface Closed {
  service: Pause | null;
  locations: ReadonlyMap<string, Pause>;
}

/** The gate of the service, and one for each location. */
export class Gates {
  readonly #platform: Platform;
  readonly #settings: GatesSettings;
  /** Read by the dispatcher: how many attempts may start now, and how many may run at the same time. */
  readonly service: Gate;
  readonly #locations = new Map<string, Location>();
  /** The service has created an order since the start, or since its gate last closed: the way to it is good (D51). */
  #isProven = false;
  readonly #suspects: Suspects;
  #pause: Pause | null = null;
  /** Locations whose last response asked for a pause, since another one got its order. */
  readonly #asking = new Set<string>();

  constructor(platform: Platform, settings: GatesSettings) {
    this.#platform = platform;
    this.#settings = settings;
    // The orders of one location can't close the gate for the others.
    this.service = new Gate(platform, { ...settings, leastGroups: 2 });
    this.#suspects = new Suspects(platform, settings.suspectMs);
  }

  /** True if nothing but a probe can be sent to a location for now. */
  isClosed(location: string): boolean {
    return !this.service.isOpen || this.#locations.get(location)?.gate.isOpen === false;
  }

  /** True if an order of a location has to wait for the end of a pause, or of a probe. */
  holdsBack(location: string): boolean {
    return this.isClosed(location) && (!this.service.isOpen || this.roomOf(location) <= 0);
  }

  roomOf(location: string): number {
    const { concurrency, concurrencyPerLocation } = this.#settings;
    // Its share of the concurrent attempts, so that a location that never responds leaves room for the others.
    const share = Math.ceil((this.service.limit * concurrencyPerLocation) / concurrency);
    const gate = this.#locations.get(location)?.gate;
    if (!gate) return Math.max(1, share);
    // Beside attempts that never end, another one finds out whether the outage is over.
    const isProbe = gate.waitMs === 0;
    return Math.min(gate.room, Math.max(Math.max(1, share) - gate.inFlight, Number(isProbe)));
  }

  /** Milliseconds until time alone makes a gate let another attempt pass; Infinity if there is nothing to wait for. */
  get opensInMs(): number {
    if (this.service.isClosed) return this.service.pauseMs;
    const waits = [this.service.waitMs, ...[...this.#locations.values()].map(({ gate }) => gate.waitMs)];
    return Math.min(Number.POSITIVE_INFINITY, ...waits.filter((ms) => ms > 0));
  }

  get closed(): Closed {
    const locations = [...this.#locations].flatMap(([location, { pause }]) =>
      pause ? [[location, pause] as const] : [],
    );
    return { service: this.#pause, locations: new Map(locations) };
  }

  /**
   * Forgets locations that nothing was sent to for twice the longest wait, although the gates permitted it: their orders are
   * settled, or other processes send them. A closed gate of such a location opens, because no order is left to open it.
   */
  expire(): void {
    if (!this.service.isOpen) return;
    const usedAfter = this.#platform.now() - 2 * this.#settings.capMs;
    for (const [location, { gate, pause, freeAt }] of this.#locations) {
      if (gate.inFlight > 0 || freeAt > usedAfter) continue;
      this.#locations.delete(location);
      this.#asking.delete(location);
      if (pause) this.#settings.onGate({ location, isOpen: true, waitMs: 0, pause: null });
    }
  }

  enter(entry: TakenEntry): Pass {
    const { location } = entry;
    let local = this.#locations.get(location);
    if (!local) {
      const { concurrencyPerLocation: concurrency } = this.#settings;
      local = {
        gate: new Gate(this.#platform, { ...this.#settings, concurrency, leastGroups: 1 }, concurrency),
        pause: null,
        freeAt: 0,
      };
      this.#locations.set(location, local);
    }
    this.#suspects.sent(entry);
    return { entry, service: this.service.enter(), local: local.gate.enter() };
  }

  /** Ends an attempt. Returns null if its response is not suspect. */
  leave(pass: Pass, end: AttemptEnd): SuspectResponse | null {
    const { location, orderId } = pass.entry;
    const local = this.#locations.get(location);
    if (!local) return null;
    local.gate.leave();
    this.service.leave();
    const { effect } = end;
    const suspicion = effect === 'suspect' ? this.#suspected(pass, local, end) : null;
    if (!suspicion) this.#suspects.forget(orderId);
    if (effect === 'created' || effect === 'responded') this.#responded(pass, local, effect);
    else if (effect === 'trouble') this.#troubled(pass, local, end);
    else if (effect === 'unreachable' || effect === 'token') this.#closeService(pass, end, { isCertain: true });
    local.freeAt = this.#platform.now() + Math.max(local.gate.pauseMs, local.gate.askedMs);
    if (local.gate.isIdle) this.#locations.delete(location);
    return suspicion;
  }

  /**
   * As long as nothing proves that the way to the service is good, it is not. Later the response may be about the order, unless
   * several orders in a row get such responses.
   */
  #suspected(pass: Pass, local: Location, end: AttemptEnd): SuspectResponse {
    const { entry, service, local: turn } = pass;
    const { location, orderId } = entry;
    const counted = this.#suspects.add(entry, this.#isProven);
    if (!this.#isProven) this.#closeService(pass, end);
    else {
      if (local.gate.failed(turn, orderId, location, true)) this.#localClosed(location, local, end);
      if (this.service.failed(service, orderId, location, true)) this.#closed(end);
    }
    const pauseMs = Math.max(this.service.pauseMs, local.gate.pauseMs);
    return { ...counted, pauseMs: this.isClosed(location) ? pauseMs + this.#settings.baseMs : 0 };
  }

  #responded(pass: Pass, local: Location, effect: Effect): void {
    if (effect === 'created' && !this.service.isStale(pass.service)) {
      this.#isProven = true;
      this.#suspects.created(pass.entry.location);
    }
    this.#asking.clear();
    const [wasOpen, wasLocalOpen] = [this.service.isOpen, local.gate.isOpen];
    this.service.succeeded(pass.service);
    local.gate.succeeded(pass.local);
    if (!wasOpen && this.service.isOpen) {
      this.#pause = null;
      const now = this.#platform.now();
      for (const other of this.#locations.values()) other.freeAt = Math.max(other.freeAt, now);
      this.#report(null, this.service, null);
    }
    if (!wasLocalOpen && local.gate.isOpen) {
      local.pause = null;
      this.#report(pass.entry.location, local.gate, null);
    }
  }

  #troubled(pass: Pass, local: Location, end: AttemptEnd): void {
    const { askedMs } = end;
    const { location, orderId } = pass.entry;
    const isLocalClosed =
      askedMs > 0 ? local.gate.close(pass.local, { askedMs }) : local.gate.failed(pass.local, orderId);
    if (isLocalClosed) this.#localClosed(location, local, end);
    // One location that asks for a pause holds up only itself; several, with none that creates orders, mean the service.
    if (askedMs > 0) this.#asking.add(location);
    if (askedMs > 0 && (this.#asking.size > 1 || !this.service.isOpen)) this.#closeService(pass, end, { askedMs });
    else if (this.service.failed(pass.service, orderId, location)) this.#closed(end);
  }

  #localClosed(location: string, local: Location, end: AttemptEnd): void {
    local.pause = this.#pauseFor(end, local.pause);
    this.#report(location, local.gate, local.pause);
  }

  #closeService(pass: Pass, end: AttemptEnd, how: { askedMs?: number; isCertain?: boolean } = {}): void {
    if (this.service.close(pass.service, how)) this.#closed(end);
  }

  #closed(end: AttemptEnd): void {
    this.#isProven = false;
    this.#asking.clear();
    this.#pause = this.#pauseFor(end, this.#pause);
    this.#report(null, this.service, this.#pause);
  }

  #pauseFor({ effect, askedMs, sign }: AttemptEnd, before: Pause | null): Pause {
    const since = before?.since ?? new Date(this.#platform.date());
    const own = CAUSES.find((cause) => cause === effect) ?? 'failures';
    return { cause: askedMs > 0 ? 'retry-after' : own, since, ...sign };
  }

  #report(location: string | null, gate: Gate, pause: Pause | null): void {
    this.#settings.onGate({ location, isOpen: gate.isOpen, waitMs: Math.ceil(gate.pauseMs), pause });
  }
}

/** Effects that are causes of a pause by themselves. */
const CAUSES = ['suspect', 'unreachable', 'token'] as const;

interface Location {
  gate: Gate;
  pause: Pause | null;
  /** When another order of the location may be sent, because of the last one. */
  freeAt: number;
}

// ---------------------------------------------------------------- pauses that other processes read

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
