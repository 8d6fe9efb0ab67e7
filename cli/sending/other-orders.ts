import type { Guid } from 'sales-order-intake';
import type { Entry } from 'sales-order-intake/outbox';
import { batches, withdraw } from './changes.js';
import { NamedOrders } from './counts.js';
import type { Journal } from './journal.js';

/** Returns true if the user has forgotten a stalled order: it has no body, so it can't be sent again. */
export const isGivenUp = ({ state, can }: Pick<Entry, 'state' | 'can'>) => state === 'stalled' && !can.retry;

type SettledState = Exclude<Entry['state'], 'waiting' | 'sending'>;

type OnWithdrawn = (orderId: Guid, key: string | null) => void;

/** The orders of a journal that are not in the file: deleted from it, or of other files that share the journal (D61). */
export class OtherOrders {
  /** The journal is of this file alone. */
  readonly isOwn: boolean;
  /**
   * The numbers of settled orders, named as the summary prints them. `given up`: stalled, and then forgotten by the user.
   */
  readonly counts = { created: 0, refused: 0, stalled: 0, cancelled: 0, invalid: 0, 'given up': 0 };
  /** Orders that were never sent and will not be, because they are no longer in the file. */
  readonly withdrawn = new NamedOrders();
  readonly #unsettled = new Set<string>();

  constructor(isOwn: boolean) {
    this.isOwn = isOwn;
  }

  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** Finds these orders once the whole file is read. If the journal is its own, withdraws and reports those never sent. */
  async find(journal: Journal, isWanted: (entry: Entry) => boolean, onWithdrawn: OnWithdrawn): Promise<void> {
    async function* others() {
      for await (const entry of journal.outbox.list({ contents: false })) if (isWanted(entry)) yield entry;
    }
    for await (const entries of batches(others())) {
      await Promise.all(entries.map((entry) => this.#add(entry, journal, onWithdrawn)));
    }
  }

  /** Counts an order that is settled in this run. */
  settle(entry: Entry): void {
    const { orderId, state } = entry;
    if (state !== 'waiting' && state !== 'sending' && this.#unsettled.delete(orderId)) this.#count(entry, state);
  }

  async #add(entry: Entry, journal: Journal, onWithdrawn: OnWithdrawn): Promise<void> {
    const { orderId, state, outcome } = entry;
    if (state !== 'waiting' && state !== 'sending') return this.#count(entry, state);
    const isUnsent = state === 'waiting' && outcome === 'not-created';
    // Without contents, so that the order is sent, changed or not, if it is in the file again.
    if (this.isOwn && isUnsent && (await withdraw(orderId, '', journal))) {
      this.withdrawn.add(entry.reference ?? orderId);
      onWithdrawn(orderId, entry.reference);
    } else this.#unsettled.add(orderId);
  }

  #count(entry: Entry, state: SettledState): void {
    this.counts[isGivenUp(entry) ? 'given up' : state]++;
  }
}
