import type { Issue } from './types.js';

/**
 * Thrown by {@link prepareRequest} for an order with errors. `issues` holds all of them; the message names only codes
 * and places, never values of the order, so it can be logged (D45).
 */
export class OrderValidationError extends Error {
  override get name() {
    return 'OrderValidationError' as const;
  }

  readonly issues: Issue[];

  constructor(issues: Issue[]) {
    super(summary(issues));
    this.issues = issues;
  }
}

/**
 * Why the core could not start.
 *
 * - `csp`: a content security policy, or the host, forbids compiling WebAssembly.
 * - `sync-limit`: the browser compiles modules of this size only asynchronously.
 * - `no-wasm`: the platform has no WebAssembly, or lacks what it takes to speak to it.
 * - `bad-bytes`: no bytes, or bytes that are not this package's core.
 * - `network`: the core could not be fetched.
 */
export type CoreInitReason = 'csp' | 'sync-limit' | 'no-wasm' | 'bad-bytes' | 'network';

/** WebAssembly could not start. The message says how to mend it; a later call, or {@link init}, tries again. */
export class CoreInitError extends Error {
  override get name() {
    return 'CoreInitError' as const;
  }

  readonly reason: CoreInitReason;

  constructor(reason: CoreInitReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/** The core trapped, which a caller can't bring about on purpose nor prevent. The next call runs on a fresh instance. */
export class InternalError extends Error {
  override get name() {
    return 'InternalError' as const;
  }
}

/** Whether `error` is an {@link OrderValidationError}, also one from another copy of this package. */
export function isOrderValidationError(error: unknown): error is OrderValidationError {
  return isErrorNamed(error, 'OrderValidationError');
}

/** Whether `error` is a {@link CoreInitError}, also one from another copy of this package. */
export function isCoreInitError(error: unknown): error is CoreInitError {
  return isErrorNamed(error, 'CoreInitError');
}

/** Whether `error` is an {@link InternalError}, also one from another copy of this package. */
export function isInternalError(error: unknown): error is InternalError {
  return isErrorNamed(error, 'InternalError');
}

/** By name: an ES module copy and a CommonJS copy in one program have different classes of the same name. */
function isErrorNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

const SHOWN = 3;

function summary(issues: Issue[]): string {
  const errors = issues.filter((issue) => issue.severity === 'error');
  const shown = errors.slice(0, SHOWN).map((issue) => `${issue.code} at ${issue.pointer || 'the order'}`);
  const rest = errors.length - shown.length;
  if (rest > 0) shown.push(`${rest} more`);
  return `the order has ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}: ${shown.join(', ')}`;
}
