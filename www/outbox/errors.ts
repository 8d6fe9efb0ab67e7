import type { Guid } from 'sales-order-intake';

/**
 * - `duplicate`: another order with this Id is in the outbox.
 * - `wrong-state`: the entry's state does not permit this.
 * - `not-found`: no entry has this Id.
 * - `store`: the store failed; it is not certain whether the call took effect, and it can be repeated.
 * - `locked`: another process uses the file.
 * - `unsupported`: this platform, or an optional package, is missing or too old.
 * - `stopped`: the outbox has been stopped.
 */
export type OutboxErrorReason =
  | 'duplicate'
  | 'wrong-state'
  | 'not-found'
  | 'store'
  | 'locked'
  | 'unsupported'
  | 'stopped';

/** An error of an outbox. Contains nothing of an order but its Id, so it can be logged (D45). */
export class OutboxError extends Error {
  override get name() {
    return 'OutboxError' as const;
  }

  readonly reason: OutboxErrorReason;
  readonly orderId: Guid | null;
  /** The database's own code, if it has one: `SQLITE_13`, `57P01`. */
  readonly code: string | null;

  constructor(reason: OutboxErrorReason, message: string, details: { orderId?: Guid; code?: string | undefined } = {}) {
    super(message);
    this.reason = reason;
    this.orderId = details.orderId ?? null;
    this.code = details.code ?? null;
  }
}

/** Returns true for an {@link OutboxError}, also one from another copy of this package. */
export function isOutboxError(error: unknown): error is OutboxError {
  return error instanceof Error && error.name === 'OutboxError';
}
