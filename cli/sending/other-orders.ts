import type { Guid } from 'sales-order-intake';
import type { Entry } from 'sales-order-intake/outbox';
import { batches, withdraw } from './changes.js';
import type { Journal } from './journal.js';

/** The number of orders that are withdrawn in one commit, and of those that are named in a sentence. */
const AT_ONCE = 64;
const NAMED = 5;

type SettledState = Exclude<Entry['state'], 'waiting' | 'sending'>;

type OnWithdrawn = (orderId: Guid, key: string | null) => void;

/** The orders of a journal that are not in the file: deleted from it, or of other files that share the journal (D61). */
export class OtherOrders {
  /** The journal is of this file alone. */
  readonly isOwn: boolean;
  /** Never sent, and not to be sent any more: the file has them no longer. */
  withdrawn = 0;
  readonly counts: Record<SettledState, number> = { created: 0, refused: 0, stalled: 0, cancelled: 0 };
  /** Stalled, and then forgotten by the user. */
  givenUp = 0;
  /** The first few that were withdrawn: their keys, or their Ids. */
  readonly names: string[] = [];
  readonly #unsettled = new Set<string>();

  constructor(isOwn: boolean) {
    this.isOwn = isOwn;
  }

  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** Finds them when the whole file is read. Withdraws those of its own journal that were never sent, and reports each. */
  async find(journal: Journal, isWanted: (entry: Entry) => boolean, onWithdrawn: OnWithdrawn): Promise<void> {
    for await (const entries of batches(filtered(journal.outbox.list(), isWanted), AT_ONCE)) {
      await Promise.all(entries.map((entry) => this.#add(entry, journal, onWithdrawn)));
    }
  }

  /** Counts one that is settled in this run. */
  settle({ orderId, state, body }: Entry): void {
    if (state !== 'waiting' && state !== 'sending' && this.#unsettled.delete(orderId)) this.#count(state, body);
  }

  async #add({ orderId, state, outcome, body }: Entry, journal: Journal, onWithdrawn: OnWithdrawn): Promise<void> {
    if (state !== 'waiting' && state !== 'sending') return this.#count(state, body);
    const isUnsent = state === 'waiting' && outcome === 'not-created';
    // Without contents: they are sent whatever they are if they are in the file again.
    if (this.isOwn && isUnsent && (await withdraw(orderId, '', journal))) {
      this.withdrawn++;
      const key = journal.tables.keyOf(orderId);
      if (this.names.length < NAMED) this.names.push(key ?? orderId);
      onWithdrawn(orderId, key);
    } else this.#unsettled.add(orderId);
  }

  #count(state: SettledState, body: string | null): void {
    if (state === 'stalled' && body === null) this.givenUp++;
    else this.counts[state]++;
  }
}

async function* filtered(entries: AsyncIterable<Entry>, isWanted: (entry: Entry) => boolean): AsyncGenerator<Entry> {
  for await (const entry of entries) if (isWanted(entry)) yield entry;
}
