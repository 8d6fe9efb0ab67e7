import type { Guid } from 'sales-order-intake';
import { Gate, type GateBounds, type Turn } from '../sending/gate.js';
import type { Platform } from '../platform/platform.js';
import type { Pause } from './options.js';

/**
 * What an attempt shows about the way to the service.
 *
 * - `created`: the service has created the order, or had it.
 * - `responded`: the service has responded, as it does when nothing is wrong with it.
 * - `trouble`: 429, 5xx, a time-out or a lost connection: the service, or the location, has too much to do or is failing.
 * - `unreachable`: no connection could be made, so nothing was sent.
 * - `token`: the service refused the token, or there is none.
 * - `suspect`: a redirect, a page, or a 2xx that proves nothing: it may not come from the service (D26, D51).
 * - `doubtful`: a refusal in JSON that a wrong base URL or a missing permission causes for every order (D51).
 * - `nothing`: nothing was sent.
 */
export type Effect = 'created' | 'responded' | 'trouble' | 'unreachable' | 'token' | 'suspect' | 'doubtful' | 'nothing';

/** The end of an attempt, as far as it concerns the gates. */
export interface AttemptEnd {
  effect: Effect;
  /** What the Retry-After of a 429 or 503 asks for; 0 if nothing. */
  askedMs: number;
  /** What came. */
  sign: Pick<Pause, 'reason' | 'status' | 'mediaType' | 'failure'>;
}

/** The oldest are forgotten first. */
const MOST_SUSPECTS = 10_000;

/** An attempt on its way. */
export interface Pass {
  location: string;
  service: Turn;
  local: Turn;
  /** The last response to the order was suspect, and since this process got it, the service has created an order. */
  isLastChance: boolean;
}

export interface GatesSettings extends Omit<GateBounds, 'leastGroups'> {
  concurrencyPerLocation: number;
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
  readonly #service: Gate;
  readonly #locations = new Map<string, Location>();
  /** The service has created an order since the start, or since its gate last closed: the way to it is good (D51). */
  #isProven = false;
  /** How many orders it has created. */
  #proofs = 0;
  /** Orders whose last response here was suspect, each with the number of proofs at that time. */
  readonly #suspects = new Map<Guid, number>();
  #pause: Pause | null = null;
  /** Locations whose last response asked for a pause, since another one got its order. */
  readonly #asking = new Set<string>();

  constructor(platform: Platform, settings: GatesSettings) {
    this.#platform = platform;
    this.#settings = settings;
    // The orders of one location can't close the gate for the others.
    this.#service = new Gate(platform, { ...settings, leastGroups: 2 });
  }

  /** Attempts that may start now. */
  get room(): number {
    return this.#service.room;
  }

  /** The number of concurrent attempts for now. */
  get limit(): number {
    return this.#service.limit;
  }

  /** True if no gate is closed, and none waits for a probe. */
  get isOpen(): boolean {
    return this.#service.isOpen && ![...this.#locations.values()].some(({ gate }) => !gate.isOpen);
  }

  /** Milliseconds until the pause of the service ends. */
  get pauseMs(): number {
    return this.#service.pauseMs;
  }

  /** True if nothing can be sent to a location for now. */
  isClosed(location: string): boolean {
    return !this.#service.isOpen || this.#locations.get(location)?.gate.isOpen === false;
  }

  roomOf(location: string): number {
    const { concurrency, concurrencyPerLocation } = this.#settings;
    // Its share of what runs at the same time for now, so that a location that never responds leaves room for the others.
    const share = Math.ceil((this.#service.limit * concurrencyPerLocation) / concurrency);
    const gate = this.#locations.get(location)?.gate;
    return gate ? Math.min(gate.room, Math.max(1, share) - gate.inFlight) : Math.max(1, share);
  }

  /** Locations that may start no attempt now. */
  get full(): string[] {
    return [...this.#locations.keys()].filter((location) => this.roomOf(location) <= 0);
  }

  /** Milliseconds until a gate lets another attempt pass by itself, which it does not now; Infinity if there is nothing to wait for. */
  get opensInMs(): number {
    if (this.#service.isClosed) return this.#service.pauseMs;
    const waits = [this.#service.waitMs, ...[...this.#locations.values()].map(({ gate }) => gate.waitMs)];
    return Math.min(Number.POSITIVE_INFINITY, ...waits.filter((ms) => ms > 0));
  }

  get closed(): Closed {
    const locations = [...this.#locations].flatMap(([location, { pause }]) =>
      pause ? [[location, pause] as const] : [],
    );
    return { service: this.#pause, locations: new Map(locations) };
  }

  /** @param wasSuspect The last response to the order was suspect, whoever got it. */
  enter(location: string, orderId: Guid, wasSuspect: boolean): Pass {
    let local = this.#locations.get(location);
    if (!local) {
      const { concurrencyPerLocation: concurrency } = this.#settings;
      local = {
        gate: new Gate(this.#platform, { ...this.#settings, concurrency, leastGroups: 1 }, concurrency),
        pause: null,
      };
      this.#locations.set(location, local);
    }
    // Another process that got a suspect response has its own gate: here, the way may have been proven long before.
    const proofsThen = this.#suspects.get(orderId) ?? Number.POSITIVE_INFINITY;
    const isLastChance = wasSuspect && this.#isProven && this.#proofs > proofsThen;
    return { location, service: this.#service.enter(), local: local.gate.enter(), isLastChance };
  }

  /** Ends an attempt. Returns true if the response must not settle the order, because it may not come from the service. */
  leave(pass: Pass, orderId: Guid, end: AttemptEnd): boolean {
    const local = this.#locations.get(pass.location);
    if (!local) return false;
    local.gate.leave();
    this.#service.leave();
    const isSuspect = this.#isSuspect(pass, end.effect);
    if (isSuspect) this.#remember(orderId);
    else if (end.effect !== 'suspect') this.#suspects.delete(orderId);
    if (isSuspect) this.#closeService(pass, end);
    else if (end.effect === 'created' || end.effect === 'responded' || end.effect === 'doubtful') {
      this.#responded(pass, local, end.effect);
    } else if (end.effect === 'trouble') this.#troubled(pass, local, orderId, end);
    else if (end.effect === 'unreachable' || end.effect === 'token') this.#closeService(pass, end, { isCertain: true });
    if (local.gate.isIdle) this.#locations.delete(pass.location);
    return isSuspect;
  }

  /**
   * While nothing proves the way, no response that may have another origin counts. Once the service has created an order, an
   * order whose response was suspect is tried once more, and what comes then is about the order.
   */
  #isSuspect(pass: Pass, effect: Effect): boolean {
    if (effect === 'doubtful') return !this.#isProven;
    return effect === 'suspect' && !(pass.isLastChance && this.#isProven);
  }

  #remember(orderId: Guid): void {
    this.#suspects.delete(orderId);
    this.#suspects.set(orderId, this.#proofs);
    // Another process may have settled them. One that is forgotten is tried once more than others.
    if (this.#suspects.size <= MOST_SUSPECTS) return;
    for (const oldest of this.#suspects.keys()) {
      this.#suspects.delete(oldest);
      break;
    }
  }

  #responded(pass: Pass, local: Location, effect: Effect): void {
    if (effect === 'created' && !this.#service.isStale(pass.service)) {
      this.#isProven = true;
      this.#proofs++;
    }
    this.#asking.clear();
    const [wasOpen, wasLocalOpen] = [this.#service.isOpen, local.gate.isOpen];
    this.#service.succeeded(pass.service);
    local.gate.succeeded(pass.local);
    if (!wasOpen && this.#service.isOpen) {
      this.#pause = null;
      this.#report(null, this.#service, null);
    }
    if (!wasLocalOpen && local.gate.isOpen) {
      local.pause = null;
      this.#report(pass.location, local.gate, null);
    }
  }

  #troubled(pass: Pass, local: Location, orderId: Guid, end: AttemptEnd): void {
    const { askedMs } = end;
    const isLocalClosed =
      askedMs > 0 ? local.gate.close(pass.local, { askedMs }) : local.gate.failed(pass.local, orderId);
    if (isLocalClosed) {
      local.pause = this.#pauseFor(end, local.pause);
      this.#report(pass.location, local.gate, local.pause);
    }
    // One location that asks for a pause holds up only itself; several, and none that creates, speak for the service.
    if (askedMs > 0) this.#asking.add(pass.location);
    if (askedMs > 0 && (this.#asking.size > 1 || !this.#service.isOpen)) this.#closeService(pass, end, { askedMs });
    else if (this.#service.failed(pass.service, orderId, pass.location)) this.#closed(end);
  }

  #closeService(pass: Pass, end: AttemptEnd, how: { askedMs?: number; isCertain?: boolean } = {}): void {
    if (this.#service.close(pass.service, how)) this.#closed(end);
  }

  #closed(end: AttemptEnd): void {
    this.#isProven = false;
    this.#asking.clear();
    this.#pause = this.#pauseFor(end, this.#pause);
    this.#report(null, this.#service, this.#pause);
  }

  #pauseFor({ effect, askedMs, sign }: AttemptEnd, before: Pause | null): Pause {
    const since = before?.since ?? new Date(this.#platform.date());
    return { cause: askedMs > 0 ? 'retry-after' : (CAUSES[effect] ?? 'failures'), since, ...sign };
  }

  #report(location: string | null, gate: Gate, pause: Pause | null): void {
    this.#settings.onGate({ location, isOpen: gate.isOpen, waitMs: Math.ceil(gate.pauseMs), pause });
  }
}

const CAUSES: { [Name in Effect]?: Pause['cause'] } = {
  suspect: 'suspect',
  doubtful: 'suspect',
  unreachable: 'unreachable',
  token: 'token',
};

interface Location {
  gate: Gate;
  pause: Pause | null;
}
