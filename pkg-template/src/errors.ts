import type { Guid, Issue } from './types.js';

/**
 * Thrown by {@link prepareRequest} for an order with errors. `issues` holds all of them, warnings and notices included; the
 * message contains only the order Id, codes and locations, never values of the order, so it can be logged (D45).
 */
export class OrderValidationError extends Error {
  override get name() {
    return 'OrderValidationError' as const;
  }

  /** The Id of the order; null if it has no valid one. */
  readonly orderId: Guid | null;
  /** All issues of the order; at least one is an error. */
  readonly issues: Issue[];

  constructor(orderId: Guid | null, issues: Issue[]) {
    super(summary(orderId, issues));
    this.orderId = orderId;
    this.issues = issues;
  }
}

/** Thrown for a wrong option, a mistake in the program. The message names the option and says what it must be. */
export class OptionError extends TypeError {
  override get name() {
    return 'OptionError' as const;
  }

  /** The location of the option as a JSON Pointer, for example `/taxRates/0/rate`; `""` is the options object itself. */
  readonly option: string;

  constructor(message: string, option: string, options?: { cause?: unknown }) {
    super(message, options);
    this.option = option;
  }
}

/**
 * The reason why the core could not start.
 *
 * - `csp`: a content security policy, or the host, forbids compiling WebAssembly.
 * - `sync-limit`: the browser compiles modules of this size only asynchronously.
 * - `no-wasm`: the platform has no WebAssembly, or no TextEncoder.
 * - `bad-bytes`: no bytes, or bytes that are not this package's core.
 * - `network`: the core could not be fetched.
 */
export type CoreInitReason = 'csp' | 'sync-limit' | 'no-wasm' | 'bad-bytes' | 'network';

/** Thrown if WebAssembly could not start. The message says what to do; a later call, or {@link init}, tries again. */
export class CoreInitError extends Error {
  override get name() {
    return 'CoreInitError' as const;
  }

  /** What kept the core from starting. */
  readonly reason: CoreInitReason;

  constructor(reason: CoreInitReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/** Thrown if the core trapped: a defect of this package, or no memory was left. The next call runs on a fresh instance. */
export class InternalError extends Error {
  override get name() {
    return 'InternalError' as const;
  }
}

/** Returns true for an {@link OrderValidationError}, also one from another copy of this package. */
export function isOrderValidationError(error: unknown): error is OrderValidationError {
  return isErrorNamed(error, 'OrderValidationError');
}

/** Returns true for an {@link OptionError}, also one from another copy of this package. */
export function isOptionError(error: unknown): error is OptionError {
  return isErrorNamed(error, 'OptionError');
}

/** Returns true for a {@link CoreInitError}, also one from another copy of this package. */
export function isCoreInitError(error: unknown): error is CoreInitError {
  return isErrorNamed(error, 'CoreInitError');
}

/** Returns true for an {@link InternalError}, also one from another copy of this package. */
export function isInternalError(error: unknown): error is InternalError {
  return isErrorNamed(error, 'InternalError');
}

/** Compares names: an ES module copy and a CommonJS copy in one program have different classes of the same name. */
function isErrorNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

const SHOWN = 3;

function summary(orderId: Guid | null, issues: Issue[]): string {
  const errors = issues.filter((issue) => issue.severity === 'error');
  const shown = errors.slice(0, SHOWN).map((issue) => `${issue.code} at ${issue.pointer || 'the order'}`);
  const rest = errors.length - shown.length;
  if (rest > 0) shown.push(`${rest} more`);
  const subject = orderId === null ? 'the order' : `order ${orderId}`;
  return `${subject} has ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}: ${shown.join(', ')}`;
}
