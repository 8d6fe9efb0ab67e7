import type { Guid } from 'sales-order-intake';

/**
 * - `duplicate`: another order with this Id is in the outbox.
 * - `wrong-state`: the entry's state does not permit this.
 * - `not-found`: no entry has this Id.
 * - `store`: the store failed; nothing is promised of what was called, and it can be called again.
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

/** An error of an outbox. Has nothing of an order but its id, so it can be logged (D45). */
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

/** Returns true for an {@link OutboxError}, also of another copy of this package. */
export function isOutboxError(error: unknown): error is OutboxError {
  return error instanceof Error && error.name === 'OutboxError';
}
