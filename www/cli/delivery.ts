import { isOrderValidationError, prepareRequest, type PreparedRequest, type PreviewOptions } from 'sales-order-intake';
import { isAuthenticationError } from 'sales-order-intake/client';
import { isOutboxError, type Entry, type Outbox, type ResultEvent } from 'sales-order-intake/outbox';
import { issueJson, placed } from './order-issue.js';
import { Problem } from './problem.js';
import type { ProgressState } from './progress.js';
import type { FailedOrder, ReportFile } from './report-file.js';
import type { Position } from './source/position.js';
import type { SourceOrder } from './source/source-order.js';

/** Why a delivery ended: all is settled; Ctrl-C; the token was refused; time is up; the service knows none of it. */
export type Ending = 'settled' | 'interrupted' | 'token' | 'time' | 'wrong-service' | 'failed';

/** The number of orders that are written to the journal in one commit. */
const ADDING = 64;
const LOOK_MS = 200;
/** Refusals of this kind, without one order created, mean that the base URL or the permissions are wrong. */
const WRONG_SERVICE_STATUS = [403, 404, 405];
const WRONG_SERVICE_COUNT = 10;

/** The result of an order, for `--json`. */
export interface SettledOrder extends Position {
  file: string;
  orderId: string | null;
  state: 'created' | FailedOrder['state'];
  outcome: Entry['outcome'];
  attempts: number;
  reason: string | null;
  status: number | null;
  requestId: string | null;
}

/** Puts the orders of a file into the outbox, and follows them until they are settled. */
export class Delivery {
  readonly counts: ProgressState = {
    ...{ read: 0, isRead: false, created: 0, settledBefore: 0, refused: 0, stalled: 0, invalid: 0 },
    ...{ trouble: '', isStopping: false },
  };
  /** Withdrawn by the user. */
  cancelled = 0;
  /** What went wrong with the file, the journal or the report; orders in flight were settled nevertheless. */
  failure: unknown;
  readonly #report: ReportFile;
  readonly #onSettled: (order: SettledOrder) => void;
  /** Orders of the file that are not settled. */
  readonly #unsettled = new Map<string, { file: string } & Position>();
  readonly #seen = new Set<string>();
  #wrongService = 0;
  #ending: Ending | undefined;

  constructor(report: ReportFile, onSettled: (order: SettledOrder) => void) {
    this.#report = report;
    this.#onSettled = onSettled;
  }

  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** Reads no further order. */
  end(ending: Ending): void {
    this.#ending ??= ending;
    this.counts.isStopping = true;
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
    if (!this.#ending && isAuthenticationError(error) && error.cause instanceof Problem) this.failure ??= error.cause;
  }

  /** For the outbox: called after each attempt. */
  readonly attempted = ({ state, reason }: ResultEvent): void => {
    if (state === 'waiting' && reason === 'AuthenticationError') this.end('token');
  };

  /** Resolves when all orders are settled, or the delivery has to end. */
  async run(orders: AsyncIterable<SourceOrder>, outbox: Outbox, options: PreviewOptions): Promise<Ending> {
    try {
      await this.#addAll(orders, outbox, options);
      while (!this.#ending) {
        if (this.#unsettled.size === 0 && (await isIdle(outbox))) return 'settled';
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    } catch (error) {
      this.fail(error);
    }
    return this.#ending ?? 'settled';
  }

  async #addAll(orders: AsyncIterable<SourceOrder>, outbox: Outbox, options: PreviewOptions): Promise<void> {
    const adding = new Set<Promise<void>>();
    const failures: unknown[] = [];
    for await (const order of orders) {
      if (this.#ending || failures.length > 0) break;
      this.counts.read++;
      const one = this.#add(order, outbox, options)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => adding.delete(one));
      adding.add(one);
      if (adding.size >= ADDING) await Promise.race(adding);
    }
    await Promise.all(adding);
    if (failures.length > 0) throw failures[0];
    if (!this.#ending) this.counts.isRead = true;
  }

  async #add(order: SourceOrder, outbox: Outbox, options: PreviewOptions): Promise<void> {
    const request = this.#valid(order, options);
    if (!request) return;
    const { orderId } = request;
    this.#seen.add(orderId);
    this.#unsettled.set(orderId, { file: order.file, ...order.start });
    try {
      const { state } = await outbox.add(request);
      if (state === 'cancelled') {
        this.cancelled++;
        this.#unsettled.delete(orderId);
      } else if (state !== 'waiting' && state !== 'sending') {
        const entry = await outbox.get(orderId);
        if (entry) this.#settle(entry, true);
      }
    } catch (error) {
      if (!isOutboxError(error) || error.reason !== 'duplicate') throw error;
      this.#unsettled.delete(orderId);
      const message = 'An earlier run sent this order with other contents under the same Id';
      const hint = 'give the changed order a new Id, or the mapping a new key';
      this.#invalid(order, orderId, [{ code: 'order_changed', severity: 'error', message, hint }]);
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
      if (!isOrderValidationError(error)) throw error;
      this.#invalid(order, error.orderId, placed(order, error.issues).map(issueJson));
    }
    return undefined;
  }

  #invalid({ file, start }: SourceOrder, orderId: string | null, issues: readonly object[]): void {
    this.counts.invalid++;
    const position = { file, ...start };
    const nothing = { reason: null, status: null, requestId: null };
    this.#report.add({
      ...position,
      orderId,
      state: 'invalid',
      outcome: 'not-created',
      ...nothing,
      detail: null,
      issues,
    });
    this.#onSettled({ ...position, orderId, state: 'invalid', outcome: 'not-created', attempts: 0, ...nothing });
  }

  #settle(entry: Entry, isOfEarlierRun: boolean): void {
    const { orderId, state, outcome, attempts, reason, status, requestId, detail, issues } = entry;
    const position = this.#unsettled.get(orderId);
    // Of another file, or handed over a second time.
    if (!position || (state !== 'created' && state !== 'refused' && state !== 'stalled')) return;
    this.#unsettled.delete(orderId);
    this.counts[state]++;
    if (isOfEarlierRun) this.counts.settledBefore++;
    if (state !== 'created') {
      const known = outcome === 'unknown' ? 'unknown' : 'not-created';
      this.#report.add({ ...position, orderId, state, outcome: known, reason, status, requestId, detail, issues });
      if (!isOfEarlierRun) this.#checkService(status);
    }
    this.#onSettled({ ...position, orderId, state, outcome, attempts, reason, status, requestId });
  }

  /** A wrong base URL must not mark every order of a file as refused. */
  #checkService(status: number | null): void {
    if (this.counts.created > 0 || !WRONG_SERVICE_STATUS.includes(status ?? 0)) return;
    this.#wrongService++;
    if (this.#wrongService >= WRONG_SERVICE_COUNT) this.end('wrong-service');
  }
}

/** Other files may share the journal. */
async function isIdle(outbox: Outbox): Promise<boolean> {
  const { waiting, sending } = await outbox.counts();
  return waiting + sending === 0;
}
