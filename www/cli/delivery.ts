import { OrderValidationError, prepareRequest, type PreparedRequest, type PreviewOptions } from 'sales-order-intake';
import { AuthenticationError } from 'sales-order-intake/client';
import { OutboxError, type Entry, type ResultEvent } from 'sales-order-intake/outbox';
import { changedOrderIssue } from './changed-order.js';
import type { Journal } from './journal.js';
import { issueJson, placed } from './order-issue.js';
import { Problem } from './problem.js';
import type { ProgressState } from './progress.js';
import type { FailedOrder, ReportFile } from './report-file.js';
import type { Position } from './source/position.js';
import type { SourceOrder } from './source/source-order.js';
import { Suspicion } from './suspicion.js';

/** Why a delivery ended: all is settled; Ctrl-C; the token was refused; time is up; what came is not from the service. */
export type Ending = 'settled' | 'interrupted' | 'token' | 'time' | 'suspect' | 'failed';

/** The number of orders that are written to the journal in one commit. */
const ADDING = 64;
const LOOK_MS = 200;
/** How many orders are named in a sentence. */
const NAMED = 5;
/** Of an order without a response. */
const NOTHING = { reason: null, status: null, url: null, requestId: null };

/** The result of an order, for `--json`. */
export interface SettledOrder extends Omit<FailedOrder, 'detail' | 'issues'> {
  attempts: number;
  alreadyThere: boolean;
  /** An earlier run sent, or may have sent, the order with other contents. */
  isChanged: boolean;
}

/** An order of the file that is not settled. */
interface OpenOrder extends Position {
  file: string;
  key: string | null;
  /** The entry has other contents, and can't be replaced. */
  isChanged: boolean;
}

/** What is called with each order, for the user. */
export interface DeliveryOutputs {
  report: ReportFile;
  onSettled(order: SettledOrder): void;
  /** Returns the URL that an order is sent to. */
  urlOf(order: Pick<PreparedRequest, 'orderId' | 'version'>): string;
}

/** Calls back once after some time; returns a function that cancels this. The simulation of the tests has its own. */
export type After = (ms: number, callback: () => void) => () => void;

const afterTime: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Puts the orders of a file into the outbox, and follows them until they are settled. */
export class Delivery {
  readonly counts: ProgressState = {
    read: 0,
    isRead: false,
    created: 0,
    alreadyThere: 0,
    changed: 0,
    settledBefore: 0,
    refused: 0,
    stalled: 0,
    invalid: 0,
    trouble: '',
    isStopping: false,
  };
  /** Created in earlier runs. */
  createdBefore = 0;
  /** Withdrawn by the user. */
  cancelled = 0;
  /** Stalled, and then forgotten by the user. */
  givenUp = 0;
  /** Orders that replaced earlier ones. */
  corrected = 0;
  /** The first few that were already at the service: their keys, or their Ids. */
  readonly alreadyThere: string[] = [];
  /** The first few that are at the point of sale with earlier contents. */
  readonly changed: string[] = [];
  /** The URL of the first order that was refused with 404. */
  notFoundUrl: string | undefined;
  readonly suspicion = new Suspicion();
  /** What went wrong with the file, the journal or the report; orders in flight were settled nevertheless. */
  failure: unknown;
  readonly #outputs: DeliveryOutputs;
  readonly #after: After;
  readonly #unsettled = new Map<string, OpenOrder>();
  readonly #seen = new Set<string>();
  #ending: Ending | undefined;
  #wake: () => void = () => {};

  constructor(outputs: DeliveryOutputs, after: After = afterTime) {
    this.#outputs = outputs;
    this.#after = after;
  }

  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** Reads no further order, and starts no further attempt. */
  end(ending: Ending): void {
    this.#ending ??= ending;
    this.counts.isStopping = true;
    this.#wake();
  }

  /** Ends because of an error. The first one is shown. */
  fail(error: unknown): void {
    this.failure ??= error;
    this.end('failed');
  }

  /** For the outbox: called for each order that is settled, those of other files included. */
  readonly settled = (entry: Entry): void => {
    try {
      this.#settle(entry, false);
    } catch (error) {
      // Of the report. The outbox would only try again.
      this.fail(error);
    }
  };

  /** Keeps why there is no other token: `--token-command` may have failed. The order itself stays in the journal. */
  attemptFailed(error: unknown): void {
    if (!this.#ending && error instanceof AuthenticationError && error.cause instanceof Problem)
      this.failure ??= error.cause;
  }

  /** For the outbox: called after each attempt. */
  readonly attempted = (event: ResultEvent): void => {
    if (event.state === 'waiting' && event.reason === 'AuthenticationError') this.end('token');
    this.suspicion.add(event);
    if (this.suspicion.isCertain()) this.end('suspect');
  };

  /** Starts the outbox. Resolves when all orders are settled, or the delivery has to end. */
  async run(orders: AsyncIterable<SourceOrder>, journal: Journal, options: PreviewOptions): Promise<Ending> {
    const { outbox } = journal;
    try {
      // What waits since an earlier run may be corrected in the file, so the file is read first.
      const isResumed = (await outbox.counts()).waiting > 0;
      if (!isResumed) outbox.start();
      await this.#addAll(orders, journal, options);
      if (isResumed && !this.#ending) outbox.start();
      while (!this.#ending) {
        if (this.#unsettled.size === 0 && (await isIdle(journal))) return 'settled';
        if (this.suspicion.isCertain(this.#unsettled)) this.end('suspect');
        else await this.#sleep();
      }
    } catch (error) {
      this.fail(error);
    }
    return this.#ending ?? 'settled';
  }

  /** Sleeps until it is time to look again, or the delivery has to end: the outbox would go on sending meanwhile. */
  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#after(LOOK_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Called when nothing is sent any more. Reports changed orders whose earlier contents will be sent by the next run. */
  reportOpen(): void {
    for (const [orderId, { isChanged, ...order }] of this.#unsettled) {
      if (!isChanged) continue;
      const state = { state: 'waiting', outcome: 'unknown' } as const;
      this.#report({ ...order, orderId, ...state, ...NOTHING, detail: null, issues: [changedOrderIssue('unknown')] });
    }
  }

  async #addAll(orders: AsyncIterable<SourceOrder>, journal: Journal, options: PreviewOptions): Promise<void> {
    const adding = new Set<Promise<void>>();
    const failures: unknown[] = [];
    for await (const order of orders) {
      if (this.#ending || failures.length > 0) break;
      this.counts.read++;
      const one = this.#add(order, journal, options)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => adding.delete(one));
      adding.add(one);
      if (adding.size >= ADDING) await Promise.race(adding);
    }
    await Promise.all(adding);
    if (failures.length > 0) throw failures[0];
    if (!this.#ending) this.counts.isRead = true;
  }

  async #add(order: SourceOrder, journal: Journal, options: PreviewOptions): Promise<void> {
    const request = this.#valid(order, options);
    if (!request) return;
    const { orderId } = request;
    const { file, key, start } = order;
    this.#seen.add(orderId);
    this.#unsettled.set(orderId, { file, key, ...start, isChanged: false });
    await journal.tables.setKey(orderId, key);
    const entry = await this.#accepted(request, journal);
    if (entry) this.#settle(entry, true);
  }

  /** Puts an order into the outbox. Returns its entry if an earlier run has settled it. */
  async #accepted(request: PreparedRequest, { outbox, tables }: Journal): Promise<Entry | null> {
    const { orderId } = request;
    try {
      const { state } = await outbox.add(request);
      await tables.dropContents(orderId);
      return state === 'waiting' ? null : await outbox.get(orderId);
    } catch (error) {
      if (!(error instanceof OutboxError) || error.reason !== 'duplicate') throw error;
    }
    const entry = await outbox.get(orderId);
    const isSame = tables.areNoted(orderId, request) ?? entry?.body === null;
    if (isSame) return entry;
    try {
      await outbox.replace(request);
      await tables.dropContents(orderId);
      this.corrected++;
      return null;
    } catch (error) {
      if (!(error instanceof OutboxError) || error.reason !== 'wrong-state' || !error.entry) throw error;
      const open = this.#unsettled.get(orderId);
      if (open) open.isChanged = true;
      return error.entry;
    }
  }

  /** Returns the request of an order; one that is invalid goes to the report. */
  #valid(order: SourceOrder, options: PreviewOptions): PreparedRequest | undefined {
    try {
      const request = prepareRequest(order.json, options);
      if (order.fileIssues.length > 0) {
        this.#invalid(order, request.orderId, placed(order, request.issues).map(issueJson));
        return undefined;
      }
      if (!this.#seen.has(request.orderId)) return request;
      const message = 'An earlier order of the input has the same Id';
      this.#invalid(order, request.orderId, [{ code: 'duplicate_order_id', severity: 'error', message }]);
    } catch (error) {
      if (!(error instanceof OrderValidationError)) throw error;
      this.#invalid(order, error.orderId, placed(order, error.issues).map(issueJson));
    }
    return undefined;
  }

  #invalid({ file, key, start }: SourceOrder, orderId: string | null, issues: readonly object[]): void {
    this.counts.invalid++;
    const order = { file, ...start, key, orderId, state: 'invalid', outcome: 'not-created', ...NOTHING } as const;
    this.#report({ ...order, detail: null, issues });
    this.#outputs.onSettled({ ...order, attempts: 0, alreadyThere: false, isChanged: false });
  }

  #settle(entry: Entry, isOfEarlierRun: boolean): void {
    const { orderId, state, outcome, attempts, reason, status, requestId, detail, issues, alreadyThere } = entry;
    const open = this.#unsettled.get(orderId);
    // Of another file, or handed over a second time.
    if (!open || state === 'waiting' || state === 'sending') return;
    this.#unsettled.delete(orderId);
    if (state === 'cancelled') this.cancelled++;
    else if (state === 'stalled' && entry.body === null) this.givenUp++;
    else {
      const { isChanged, ...position } = open;
      this.#count(entry, open, isOfEarlierRun);
      const url = status === null ? null : this.#outputs.urlOf(entry);
      const order = { ...position, orderId, state, outcome, reason, status, url, requestId };
      if (state !== 'created' || isChanged) {
        this.#report({ ...order, detail, issues: isChanged ? [changedOrderIssue(outcome), ...issues] : issues });
      }
      if (state === 'refused' && status === 404 && url !== null) this.notFoundUrl ??= url;
      this.#outputs.onSettled({ ...order, attempts, alreadyThere, isChanged });
    }
  }

  #count({ orderId, state, alreadyThere }: Entry, { key, isChanged }: OpenOrder, isOfEarlierRun: boolean): void {
    const name = key ?? orderId;
    if (isOfEarlierRun) this.counts.settledBefore++;
    if (state === 'refused' || state === 'stalled') this.counts[state]++;
    else if (isChanged) this.#name(this.changed, 'changed', name);
    else if (alreadyThere) this.#name(this.alreadyThere, 'alreadyThere', name);
    else {
      this.counts.created++;
      if (isOfEarlierRun) this.createdBefore++;
    }
  }

  #name(names: string[], count: 'changed' | 'alreadyThere', name: string): void {
    this.counts[count]++;
    if (names.length < NAMED) names.push(name);
  }

  #report(order: FailedOrder): void {
    this.#outputs.report.add(order);
  }
}

/** Other files may share the journal. */
async function isIdle({ outbox }: Journal): Promise<boolean> {
  const { waiting, sending } = await outbox.counts();
  return waiting + sending === 0;
}
