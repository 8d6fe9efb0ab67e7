import { type Guid, type PreparedRequest, type PreviewOptions, previewOrder } from 'sales-order-intake';
import type { Entry, ResultEvent } from 'sales-order-intake/outbox';
import { platform, type Platform } from '../../pkg-template/src/platform/platform.js';
import { ControlTotal } from '../output/control-total.js';
import { addOrReplace, isUnchanged, withdraw } from './changes.js';
import { Counts } from './counts.js';
import type { Journal } from './journal.js';
import { isGivenUp, OtherOrders } from './other-orders.js';
import type { SourceOrder } from '../files/source-order.js';
import type { OrderResult, ReportFile } from './report-file.js';
import {
  placedAt,
  preparedOrder,
  repeatOf,
  requestIfNotStrict,
  type Row,
  rowOf,
  withChange,
  withRowsApart,
  withSkip,
} from '../files/order-issue.js';
import { Suspicion } from './trouble.js';

/** Why a delivery ended: all is settled; Ctrl-C; a refused token; time is up; suspect responses only; an error. */
export type Ending = 'settled' | 'interrupted' | 'token' | 'time' | 'suspect' | 'failed';

/** The number of orders that are written to the journal in one commit. */
const ADDING = 64;
const LOOK_MS = 200;
/** Shared by all open orders: there may be millions. */
const NO_ISSUES: readonly object[] = [];
const NO_RESPONSE = { reason: null, status: null, url: null, requestId: null, detail: null };
/** The result of an order that is not sent. */
const UNSENT = { ...NO_RESPONSE, attempts: 0, alreadyThere: false, isChanged: false };

/** An order of the file that is not settled. */
interface OpenOrder extends Row {
  /** The entry has other contents, and can't be replaced. */
  isChanged: boolean;
  /** Later orders of the file with the same Id. */
  repeats?: Row[];
}

/** The outputs of a delivery for the user. */
export interface DeliveryOutputs {
  report: ReportFile;
  onSettled(order: OrderResult): void;
  /** Returns the URL that an order is sent to. */
  urlOf(order: Pick<PreparedRequest, 'orderId' | 'version'>): string;
}

/** The simulation of the tests has a clock of its own. */
type Clock = Pick<Platform, 'now' | 'after'>;

/** Puts the orders of a file into the outbox, and follows them until they are settled. */
export class Delivery {
  readonly counts = new Counts();
  /** The URL of the first order that was refused with 404. */
  notFoundUrl: string | undefined;
  /** The sum of the orders of the file that are at the service, with the contents that they have at the service. */
  readonly total = new ControlTotal();
  readonly suspicion: Suspicion;
  readonly others: OtherOrders;
  /** The error of the file, the journal or the report; orders in flight were settled nevertheless. */
  failure: unknown;
  readonly #outputs: DeliveryOutputs;
  readonly #clock: Clock;
  readonly #unsettled = new Map<string, OpenOrder>();
  readonly #seen = new Set<string>();
  #options: PreviewOptions = {};
  #ending: Ending | undefined;
  #wake: () => void = () => {};

  /** @param isOwnJournal No other file shares the journal. */
  constructor(outputs: DeliveryOutputs, isOwnJournal: boolean, clock: Clock = platform) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.suspicion = new Suspicion(clock.now);
    this.others = new OtherOrders(isOwnJournal);
  }

  get unsettled(): number {
    return this.#unsettled.size;
  }

  /** Reads no further order, and starts no further attempt. */
  end(ending: Ending): void {
    this.#ending ??= ending;
    this.#wake();
  }

  /** No further order is read, and no further attempt started. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** Ends the delivery because of an error. The first error is shown. */
  fail(error: unknown): void {
    this.failure ??= error;
    this.end('failed');
  }

  /** Runs an action that may fail at the report: an error ends the delivery, but the summary is still shown. */
  runOrFail(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }

  /** For the outbox: called for each order that is settled, including those of other files. If it threw, it would be called again. */
  readonly settled = (entry: Entry): void =>
    this.runOrFail(() => {
      this.others.settle(entry);
      this.#settle(entry, false);
    });

  /** Notes why there is no new token: `--token-command` may have failed. The order itself stays in the journal. */
  tokenFailed(problem: unknown): void {
    if (!this.#ending) this.failure ??= problem;
  }

  /** For the outbox: called after each attempt. */
  readonly attempted = (event: ResultEvent): void => {
    if (event.state === 'waiting' && event.reason === 'AuthenticationError') this.end('token');
    this.suspicion.add(event);
    if (this.suspicion.isCertain()) this.end('suspect');
  };

  /** Where the last suspect response came from. */
  get suspectUrl(): string | undefined {
    const { last } = this.suspicion;
    return last && this.#outputs.urlOf({ orderId: last.orderId, version: this.#options.version ?? 'v3' });
  }

  /** Why it has ended, or would end now. */
  get ending(): Ending {
    return this.#ending ?? 'settled';
  }

  /**
   * Starts the outbox. Resolves when all orders are settled, or the delivery has to end.
   *
   * @param isTable A later row of the file may belong to an order before it: no order is sent before all are read.
   */
  async run(
    orders: AsyncIterable<SourceOrder>,
    journal: Journal,
    options: PreviewOptions,
    isTable = false,
  ): Promise<void> {
    const { outbox } = journal;
    this.#options = options;
    try {
      const { waiting, sending, created, refused, stalled, cancelled } = await outbox.counts();
      // The file is read first if it may correct or omit orders of an earlier run that still wait.
      const isResumed = waiting + sending > 0;
      const isNew = !isResumed && created + refused + stalled + cancelled === 0;
      const isReadFirst = isTable || isResumed;
      if (!isReadFirst) outbox.start();
      await this.#addAll(orders, journal);
      const isOther = ({ orderId }: Entry) => !this.#ending && !this.#seen.has(orderId);
      if (!isNew && !this.#ending) await this.others.find(journal, isOther, this.#withdrawn);
      if (isReadFirst && !this.#ending) outbox.start();
      while (!this.#ending) {
        if (this.#unsettled.size === 0) {
          // Other files may share the journal.
          const { waiting, sending } = await outbox.counts();
          if (waiting + sending === 0) return;
        }
        if (this.suspicion.isCertain(this.#unsettled)) this.end('suspect');
        else await this.#sleep();
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sleeps until it is time to look again, or the delivery has to end: the outbox would go on sending meanwhile. */
  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(LOOK_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Called after the last attempt. Reports orders that are not sent because another one has their Id, and waits. */
  reportOpen(): void {
    for (const [orderId, { isChanged, repeats = [], ...row }] of this.#unsettled) {
      this.counts.invalid += repeats.length;
      for (const { issues, ...each } of [...(isChanged ? [withChange(row, 'unknown')] : []), ...repeats]) {
        this.#outputs.report.add({ ...each, orderId, state: 'waiting', outcome: 'unknown', ...UNSENT, issues });
      }
    }
  }

  async #addAll(orders: AsyncIterable<SourceOrder>, journal: Journal): Promise<void> {
    const adding = new Set<Promise<void>>();
    const failures: unknown[] = [];
    try {
      for await (const order of orders) {
        if (this.#ending || failures.length > 0) break;
        const prepared = preparedOrder(order, this.#options);
        if (order.isSkipped) {
          await this.#skip(prepared.orderId, order, journal);
          continue;
        }
        this.counts.read++;
        if (order.fileIssues.some(({ code }) => code === 'csv_rows_apart')) {
          await Promise.all(adding);
          await this.#withdrawPart(prepared.orderId, order, journal);
        }
        const one = this.#add(order, prepared, journal)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => adding.delete(one));
        adding.add(one);
        // An invalid order is looked up in the journal first: its state decides about later orders with the same Id.
        if (!prepared.request) await one;
        else if (adding.size >= ADDING) await Promise.race(adding);
      }
    } finally {
      await Promise.all(adding);
    }
    if (failures.length > 0) throw failures[0];
    if (!this.#ending) this.counts.isRead = true;
  }

  async #add(order: SourceOrder, prepared: ReturnType<typeof preparedOrder>, journal: Journal): Promise<void> {
    const { orderId, request } = prepared;
    if (orderId === null) return this.#invalid(rowOf(order, prepared.issues), null);
    if (this.#seen.has(orderId)) return this.#repeat(orderId, repeatOf(order, prepared), journal);
    this.#seen.add(orderId);
    if (request) return this.#send(order, request, journal);
    return this.#follow(orderId, order, rowOf(order, prepared.issues), journal);
  }

  async #send({ file, key, start }: SourceOrder, request: PreparedRequest, journal: Journal): Promise<void> {
    const { orderId } = request;
    const open: OpenOrder = { file, ...start, key, issues: NO_ISSUES, isChanged: false };
    this.#unsettled.set(orderId, open);
    const { entry, isCorrected, isChanged = false } = await addOrReplace(request, key, journal);
    if (isCorrected) this.counts.corrected++;
    open.isChanged = isChanged;
    if (entry) this.#settle(entry, true);
  }

  /** Withdraws the rows of an order that came before these: alone they are another order. */
  async #withdrawPart(id: Guid | null, { key, start }: SourceOrder, journal: Journal): Promise<void> {
    // The Id may be in the first rows only.
    const orderId = id ?? [...this.#unsettled].find(([, open]) => open.key === key)?.[0] ?? '';
    const open = this.#unsettled.get(orderId);
    if (!open || !(await withdraw(orderId, '', journal))) return;
    this.#unsettled.delete(orderId);
    this.#invalid(withRowsApart(open, start.line), orderId);
  }

  /** Withdraws an order that is skipped now; reports one that was or may have been sent. */
  async #skip(orderId: Guid | null, order: SourceOrder, journal: Journal): Promise<void> {
    this.counts.skipped++;
    const entry = orderId === null || this.#seen.has(orderId) ? null : await journal.outbox.get(orderId);
    if (!entry) return;
    this.#seen.add(entry.orderId);
    const name = order.key ?? entry.orderId;
    if (await withdraw(entry.orderId, '', journal)) {
      if (entry.state !== 'waiting') return;
      this.counts.skippedUnsent.add(name);
      this.#withdrawn(entry.orderId, order.key);
      return;
    }
    this.counts.skippedLate.add(name);
    const late = (await journal.outbox.get(entry.orderId)) ?? entry;
    this.#finish(withSkip(rowOf(order, []), late.outcome), late, true);
  }

  /** Withdraws an order that is invalid, or follows it if it was or may have been sent before. */
  async #follow(orderId: Guid, order: SourceOrder, row: Row, journal: Journal): Promise<void> {
    const request = this.#options.strict ? requestIfNotStrict(order, this.#options) : null;
    const isChanged = request === null || !(await isUnchanged(request, journal));
    this.#unsettled.set(orderId, { ...row, isChanged });
    if (await withdraw(orderId, order.json, journal)) {
      this.#unsettled.delete(orderId);
      return this.#invalid(row, orderId);
    }
    const entry = await journal.outbox.get(orderId);
    if (entry) this.#settle(entry, true);
  }

  /** Handles an order whose Id an earlier one has: it is not sent, and the result of the earlier one decides. */
  async #repeat(orderId: Guid, row: Row, { outbox }: Journal): Promise<void> {
    const open = this.#unsettled.get(orderId);
    if (!open) return this.#finishRepeat(row, orderId, await outbox.get(orderId));
    open.repeats ??= [];
    open.repeats.push(row);
  }

  #finishRepeat(row: Row, orderId: Guid, entry: Entry | null): void {
    if (!entry || entry.outcome === 'not-created') this.#invalid(row, orderId);
    else {
      this.counts.invalid++;
      this.#finish(row, entry, true);
    }
  }

  #invalid({ issues, ...row }: Row, orderId: Guid | null): void {
    this.counts.invalid++;
    const order = { ...row, orderId, state: 'invalid', outcome: 'not-created', ...UNSENT, issues } as const;
    this.#outputs.report.add(order);
    this.#outputs.onSettled(order);
  }

  readonly #withdrawn = (orderId: Guid, key: string | null): void => {
    const order = { file: null, line: null, column: null, key, orderId, ...UNSENT, issues: [] };
    this.#outputs.onSettled({ ...order, state: 'cancelled', outcome: 'not-created' });
  };

  #settle(entry: Entry, isOfEarlierRun: boolean): void {
    const { orderId, state, outcome, reason } = entry;
    const open = this.#unsettled.get(orderId);
    // An order of another file, or one that is handed over a second time.
    if (!open || state === 'waiting' || state === 'sending') return;
    this.#unsettled.delete(orderId);
    const { isChanged, repeats = [], ...row } = open;
    // A relay that has cancelled it refuses it.
    if (state === 'cancelled' && reason !== 'RejectedError') this.counts.cancelled++;
    else if (isGivenUp(entry)) this.counts.givenUp++;
    else {
      this.#count(entry, open, isOfEarlierRun);
      const { issues, ...placed } = isChanged ? withChange(row, outcome) : row;
      this.#finish({ ...placed, issues: [...issues, ...placedAt(row, entry.issues)] }, entry, isChanged);
    }
    for (const repeat of repeats) this.#finishRepeat(repeat, orderId, entry);
  }

  #finish({ issues, ...row }: Row, entry: Entry, isChanged: boolean): void {
    const { orderId, state, outcome, attempts, reason, status, requestId, detail, alreadyThere } = entry;
    const url = status === null ? null : this.#outputs.urlOf(entry);
    const response = { reason, status, url, requestId, detail };
    const order = { ...row, orderId, state, outcome, ...response, attempts, alreadyThere, isChanged, issues };
    if (state !== 'created' || isChanged) this.#outputs.report.add(order);
    if (state === 'refused' && status === 404 && url !== null) this.notFoundUrl ??= url;
    this.#outputs.onSettled(order);
  }

  #count(entry: Entry, { key, isChanged }: OpenOrder, isOfEarlierRun: boolean): void {
    const { orderId, state, alreadyThere, body, version } = entry;
    if (state === 'created')
      this.total.add(body === null ? null : previewOrder(body, { ...this.#options, version }), true);
    const name = key ?? orderId;
    const { counts } = this;
    if (body === null) counts.forgotten++;
    if (isOfEarlierRun) counts.settledBefore++;
    if (state === 'stalled') counts.stalled++;
    else if (state === 'refused' || state === 'cancelled') counts.refused++;
    else if (isChanged) counts.changed.add(name);
    else if (alreadyThere) counts.alreadyThere.add(name);
    else {
      counts.created++;
      if (isOfEarlierRun) counts.createdBefore++;
    }
  }
}
