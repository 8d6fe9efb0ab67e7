import { counted, nonZero, number, printable } from '../output/printable-text.js';
import type { Progress } from '../output/progress.js';
import type { Delivery } from './delivery.js';
import type { ServiceTrouble } from './trouble.js';

/** How many orders a sentence names. */
const NAMED = 5;

/** Orders that a sentence names: how many there are, and the first few by their keys, or their Ids. */
export class NamedOrders {
  count = 0;
  readonly #names: string[] = [];

  add(name: string): void {
    this.count++;
    if (this.#names.length < NAMED) this.#names.push(name);
  }

  /** "S-1, S-2 and 3 more". */
  get text(): string {
    const more = this.count - this.#names.length;
    return `${this.#names.map(printable).join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`;
  }
}

/** Numbers of the orders of a file, by their results. */
export class Counts {
  /** Orders that were read so far. */
  read = 0;
  /** Whether all are read, so that `read` is the number of all. */
  isRead = false;
  /** Orders that the mapping leaves out; they are not among those that were read. */
  skipped = 0;
  /** Skipped orders of the journal that were never sent, and will not be. */
  readonly skippedUnsent = new NamedOrders();
  /** Skipped orders that are at the service, or may be. */
  readonly skippedLate = new NamedOrders();
  /** Including those of earlier runs. */
  created = 0;
  /** Created in earlier runs. */
  createdBefore = 0;
  /** Created, and without personal data in the journal. */
  forgotten = 0;
  /** Created orders that the service had before they were first sent. */
  readonly alreadyThere = new NamedOrders();
  /** Created orders that were changed in the file afterwards. */
  readonly changed = new NamedOrders();
  /** Orders that replaced one that was not created. */
  corrected = 0;
  /** Settled in earlier runs: they say nothing about the rate. */
  settledBefore = 0;
  refused = 0;
  stalled = 0;
  invalid = 0;
  /** Withdrawn by the user. */
  cancelled = 0;
  /** Stalled, and then forgotten by the user. */
  givenUp = 0;

  /** The number of orders that are at the service, or will not get there as they are: the progress. */
  get settled(): number {
    const { created, alreadyThere, changed, refused, stalled, invalid } = this;
    return created + alreadyThere.count + changed.count + refused + stalled + invalid;
  }
}

/** After the first Ctrl-C. */
export const STOPPING = 'Stopping: waiting for the orders in flight. Ctrl-C again ends at once.';

/** Returns how many orders are settled, and why the others wait. */
export function deliveryProgress({ counts, isEnding }: Delivery, trouble: ServiceTrouble): Progress {
  const { settled, settledBefore, read, isRead } = counts;
  const { created, alreadyThere, changed, refused, stalled, invalid } = counts;
  const others = {
    'already there': alreadyThere.count,
    'changed afterwards': changed.count,
    refused,
    stalled,
    invalid,
  };
  const text = [`${number(created)} created`, ...nonZero(others)].join(', ');
  return {
    done: `${number(settled)}${isRead ? `/${number(read)}` : ''}`,
    rated: settled - settledBefore,
    share: isRead && read > 0 ? settled / read : 0,
    left: isRead ? read - settled : 0,
    counts: text,
    line: `${number(settled)}${isRead ? ` of ${counted(read, 'order')}` : ' orders'} settled: ${text}`,
    note: isEnding ? STOPPING : trouble.now.text,
  };
}
