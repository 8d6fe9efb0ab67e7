import type { Guid } from 'sales-order-intake';
import { pageUrl } from '../pkg-template/src/doc-url.js';
import { defineMember, isInstance, markClasses } from '../pkg-template/src/error-class.js';
import type { Entry } from './entry.js';

/**
 * - `duplicate`: another order with this Id is in the outbox.
 * - `wrong-state`: the entry's state does not permit this.
 * - `not-found`: no entry has this Id.
 * - `store`: the store failed; it is not certain whether the call took effect, and it can be repeated.
 * - `locked`: another process uses the file.
 * - `unsupported`: this platform, an optional package or the schema of the database is missing, too old or too new.
 * - `wrong-service`: the store has the orders of another base URL than the client's; nothing was sent or written (D60).
 * - `restored`: a backup was put back in the place of the file, or its log belongs to another file: nothing was sent or written,
 *   until it is said that this is meant (D68). See `restored` of `sqliteStore`.
 * - `not-started`: `settled` would wait for ever, because no process delivers: call `start` before (D59).
 * - `stopped`: the outbox has been stopped.
 */
export type OutboxErrorReason =
  | 'duplicate'
  | 'wrong-state'
  | 'not-found'
  | 'store'
  | 'locked'
  | 'unsupported'
  | 'wrong-service'
  | 'restored'
  | 'not-started'
  | 'stopped';

/** The members of an {@link OutboxError}, for those who write a store. */
export interface OutboxErrorDetails {
  /** The order that the call was about. */
  orderId?: Guid | undefined;
  /** The database's own code. */
  code?: string | undefined;
  /** The entry as it is, for `wrong-state`. */
  entry?: Entry | undefined;
  /** The error of the database. */
  cause?: unknown;
}

/** An error of an outbox. Contains nothing of an order but its Id, so it can be logged (D45). */
export class OutboxError extends Error {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `OutboxError`. */
  override get name() {
    return 'OutboxError' as const;
  }

  /** The address of the page about this error; undefined in a build whose documentation has no address. */
  get docUrl(): string | undefined {
    return pageUrl('reference/api/outbox/type-aliases/OutboxErrorReason');
  }

  /** Why the call had no effect. */
  readonly reason: OutboxErrorReason;
  /** The order that the call was about; null if it was about none. */
  readonly orderId: Guid | null;
  /**
   * The database's own code, if it has one: `SQLITE_13`, `57P01`. `ETIMEDOUT` if the store did not respond in time; `wrong-service`
   * like the `reason`.
   */
  readonly code: string | null;
  /** The entry as it is, for `wrong-state`. Has personal data, so it is not enumerable: printing the error does not show it. */
  declare readonly entry: Entry | null;

  constructor(reason: OutboxErrorReason, message: string, details: OutboxErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    markClasses(this);
    this.reason = reason;
    this.orderId = details.orderId ?? null;
    this.code = details.code ?? null;
    defineMember(this, 'entry', details.entry ?? null);
  }
}
