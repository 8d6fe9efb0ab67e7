import type { Guid } from 'sales-order-intake';
import type { Outcome } from './errors.js';

/** The oldest ids are forgotten first. */
const MOST_REMEMBERED = 10_000;

/** The knowledge from all calls that send an order with the same id. */
interface SharedFate {
  calls: number;
  /** Requests that are in flight. */
  inFlight: number;
  /** The service may have stored the order: a request got no response that rules it out. */
  mayBeStored: boolean;
}

/**
 * The fates of a client's orders by id (D31, D34): of those that are being sent, and of those whose last call left the
 * fate unknown. A rejection does not prove that an order was not created if another request may have created it.
 */
export class OrderFates {
  readonly #current = new Map<Guid, SharedFate>();
  readonly #unknown = new Set<Guid>();

  /** Enters a call that sends the order. The call must {@link CallFate.leave} when it ends. */
  enter(id: Guid, earlierAttempts: 'none' | 'unknown'): CallFate {
    let fate = this.#current.get(id);
    if (!fate) {
      fate = { calls: 0, inFlight: 0, mayBeStored: this.#unknown.has(id) };
      this.#current.set(id, fate);
    }
    fate.calls++;
    if (earlierAttempts === 'unknown') fate.mayBeStored = true;
    return new CallFate(fate, (isCreated) => this.#leave(id, fate, isCreated));
  }

  #leave(id: Guid, fate: SharedFate, isCreated: boolean): void {
    if (--fate.calls === 0) this.#current.delete(id);
    if (isCreated || !fate.mayBeStored) this.#unknown.delete(id);
    else this.#unknown.add(id);
    if (this.#unknown.size > MOST_REMEMBERED) this.#unknown.delete(this.#unknown.values().next().value as Guid);
  }
}

/** What one call knows about its order. */
export class CallFate {
  readonly #shared: SharedFate;
  /** Ends the call. An order that was not created may be sent again. */
  readonly leave: (isCreated: boolean) => void;
  #mayBeCreated = false;

  constructor(shared: SharedFate, leave: (isCreated: boolean) => void) {
    this.#shared = shared;
    this.leave = leave;
  }

  /** An attempt of this call that has ended may have created the order. */
  get mayBeCreated(): boolean {
    return this.#mayBeCreated;
  }

  /** What is known if the attempt that has ended did not create the order: another one, of any call, may have, or may yet. */
  get outcome(): Outcome {
    return this.#shared.mayBeStored || this.#shared.inFlight > 0 ? 'unknown' : 'not-created';
  }

  begin(): void {
    this.#shared.inFlight++;
  }

  end(): void {
    this.#shared.inFlight--;
  }

  /** Records that an attempt may have created the order. */
  setMayBeCreated(): void {
    this.#mayBeCreated = true;
    this.#shared.mayBeStored = true;
  }

  /** Records that the service has the order: other calls with the same Id may end with a 409 because of that. */
  setStored(): void {
    this.#shared.mayBeStored = true;
  }
}
