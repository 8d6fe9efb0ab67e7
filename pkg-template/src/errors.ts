import { pageUrl } from './doc-url.js';
import { isInstance, markClasses } from './error-class.js';
import type { Guid, Issue } from './types.js';

/**
 * Thrown by {@link prepareRequest} for an order with errors. `issues` holds all of them, warnings and notices included; the
 * message contains only the order Id, codes and locations, never values of the order, so it can be logged (D45).
 */
export class OrderValidationError extends Error {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `OrderValidationError`. */
  override get name() {
    return 'OrderValidationError' as const;
  }

  /** The address of the page about this error; undefined in a build whose documentation has no address. */
  get docUrl(): string | undefined {
    return pageUrl('reference/issue-codes/index');
  }

  /** The Id of the order; null if it has no valid one. */
  readonly orderId: Guid | null;
  /** All issues of the order, warnings and notices included, in a stable order (D56). */
  readonly issues: Issue[];

  constructor(orderId: Guid | null, issues: Issue[]) {
    super(summary(orderId, issues));
    markClasses(this);
    this.orderId = orderId;
    this.issues = issues;
  }
}

/** Thrown for a wrong option, a mistake in the program. The message names the option and says what it must be. */
export class OptionError extends TypeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `OptionError`. */
  override get name() {
    return 'OptionError' as const;
  }

  /** The address of the page about this error; undefined in a build whose documentation has no address. */
  get docUrl(): string | undefined {
    return pageUrl('reference/api/sales-order-intake/classes/OptionError');
  }

  /** The location of the option as a JSON Pointer, for example `/taxRates/0/rate`; `""` is the options object itself. */
  readonly option: string;

  constructor(message: string, option: string, options?: { cause?: unknown }) {
    super(message, options);
    markClasses(this);
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
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `CoreInitError`. */
  override get name() {
    return 'CoreInitError' as const;
  }

  /** The address of the page about this error; undefined in a build whose documentation has no address. */
  get docUrl(): string | undefined {
    return pageUrl('reference/api/sales-order-intake/type-aliases/CoreInitReason');
  }

  /** Why the core could not start. */
  readonly reason: CoreInitReason;

  constructor(reason: CoreInitReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    markClasses(this);
    this.reason = reason;
  }
}

/** Thrown if the core trapped: a defect of this package, or out of memory. The next call runs on a fresh instance. */
export class InternalError extends Error {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `InternalError`. */
  override get name() {
    return 'InternalError' as const;
  }

  /** The address of the page about this error; undefined in a build whose documentation has no address. */
  get docUrl(): string | undefined {
    return pageUrl('reference/api/sales-order-intake/classes/InternalError');
  }

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    markClasses(this);
  }
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
