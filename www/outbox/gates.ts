import type { Guid } from 'sales-order-intake';
import type { Platform } from '../client/platform.js';
import { Gate, type GateBounds } from './gate.js';

/** The number of successive failed orders of a location after which its gate closes. */
const LOCATION_STREAK = 5;
/** The number of successive failed orders, of two or more locations, after which the gate of the service closes. */
const SERVICE_STREAK = 10;

/** The part of the way to the service that failed in an attempt; `unsent` if the attempt says nothing about the way. */
export type Trouble = 'none' | 'transient' | 'location' | 'service' | 'unsent';

/** An attempt on its way. */
export interface Pass {
  location: string;
  service: number;
  local: number;
}

export interface GatesSettings extends GateBounds {
  concurrencyPerLocation: number;
  onGate(event: { scope: 'service' | 'location'; location: string | null; isOpen: boolean; waitMs: number }): void;
}

/** The gate of the service, and one for each location. */
export class Gates {
  readonly #platform: Platform;
  readonly #settings: GatesSettings;
  readonly #service: Gate;
  readonly #locations = new Map<string, Location>();
  readonly #streak = new Map<Guid, string>();

  constructor(platform: Platform, settings: GatesSettings) {
    this.#platform = platform;
    this.#settings = settings;
    // The first attempt after a start is a probe too, because many programs may start at once.
    this.#service = new Gate(platform, settings, 1);
  }

  /** Attempts that may start now. */
  get room(): number {
    return this.#service.room;
  }

  /** True if no gate holds anything back. */
  get isOpen(): boolean {
    return (
      this.#service.room === Number.POSITIVE_INFINITY && ![...this.#locations.values()].some(({ gate }) => !gate.isOpen)
    );
  }

  /** True if nothing can be sent to a location for now. */
  isClosed(location: string): boolean {
    return !this.#service.isOpen || this.#locations.get(location)?.gate.isOpen === false;
  }

  roomOf(location: string): number {
    const known = this.#locations.get(location);
    const { concurrencyPerLocation } = this.#settings;
    return known ? Math.min(known.gate.room, concurrencyPerLocation - known.inFlight) : concurrencyPerLocation;
  }

  /** Locations that may start no attempt now. */
  get full(): string[] {
    return [...this.#locations.keys()].filter((location) => this.roomOf(location) <= 0);
  }

  /** Milliseconds until a gate lets an attempt pass by itself; Infinity if there is nothing to wait for. */
  get opensInMs(): number {
    if (this.#service.isClosed) return this.#service.pauseMs;
    const waits = [...this.#locations.values()].map(({ gate }) => gate.waitMs);
    return Math.min(this.#service.waitMs, ...waits);
  }

  /** Which gates are closed. */
  get closed(): { service: boolean; locations: string[] } {
    const locations = [...this.#locations].filter(([, { gate }]) => !gate.isOpen).map(([location]) => location);
    return { service: !this.#service.isOpen, locations };
  }

  enter(location: string): Pass {
    let local = this.#locations.get(location);
    if (!local) {
      local = {
        gate: new Gate(this.#platform, this.#settings, Number.POSITIVE_INFINITY),
        inFlight: 0,
        failed: new Set(),
      };
      this.#locations.set(location, local);
    }
    local.inFlight++;
    return { location, service: this.#service.enter(), local: local.gate.enter() };
  }

  leave(pass: Pass, orderId: Guid, trouble: Trouble, askedMs: number): void {
    const local = this.#locations.get(pass.location);
    if (!local) return;
    local.inFlight--;
    local.gate.leave();
    this.#service.leave();
    if (trouble === 'none') this.#succeeded(pass, local);
    else if (trouble === 'service') this.#closeService(pass, askedMs);
    else if (trouble !== 'unsent') this.#failed(pass, local, orderId, trouble, askedMs);
    if (local.gate.isIdle && local.failed.size === 0) this.#locations.delete(pass.location);
  }

  #succeeded(pass: Pass, local: Location): void {
    this.#streak.clear();
    local.failed.clear();
    this.#serviceResponded(pass);
    const wasOpen = local.gate.isOpen;
    local.gate.succeeded(pass.local);
    if (!wasOpen && local.gate.isOpen) this.#report('location', pass.location, local.gate);
  }

  #serviceResponded(pass: Pass): void {
    const wasOpen = this.#service.isOpen;
    this.#service.succeeded(pass.service);
    if (!wasOpen && this.#service.isOpen) this.#report('service', null, this.#service);
  }

  #failed(pass: Pass, local: Location, orderId: Guid, trouble: Trouble, askedMs: number): void {
    local.failed.add(orderId);
    this.#streak.set(orderId, pass.location);
    // A response about a failing location proves that the service is up.
    if (trouble === 'location') this.#serviceResponded(pass);
    // A probe that fails in any way has not shown that the trouble is over.
    if (trouble === 'location' || !local.gate.isOpen || local.failed.size >= LOCATION_STREAK) {
      local.failed.clear();
      if (local.gate.close(pass.local, askedMs)) this.#report('location', pass.location, local.gate);
    }
    const isStreak = this.#streak.size >= SERVICE_STREAK && new Set(this.#streak.values()).size > 1;
    if (isStreak || !this.#service.isOpen) this.#closeService(pass, 0);
  }

  #closeService(pass: Pass, askedMs: number): void {
    this.#streak.clear();
    if (this.#service.close(pass.service, askedMs)) this.#report('service', null, this.#service);
  }

  #report(scope: 'service' | 'location', location: string | null, gate: Gate): void {
    this.#settings.onGate({ scope, location, isOpen: gate.isOpen, waitMs: gate.pauseMs });
  }
}

interface Location {
  gate: Gate;
  inFlight: number;
  /** Orders that failed since the last response. */
  failed: Set<Guid>;
}
