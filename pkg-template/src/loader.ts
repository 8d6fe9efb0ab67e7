/**
 * Starts the core and keeps it. Nothing happens at import: the first call starts it, or init ahead of it.
 *
 * The compiled module is reused. The instance has no state of orders: after a trap, or if its memory has grown large, a
 * fresh one replaces it.
 */
import { type Functions, glue } from '../../wasm/glue/core.js';
import { InternalError } from './errors.js';
import { Fields, isRefusal } from './fields.js';
import { type Instance, isSlender, start, startAsync } from './instance.js';
import { compile, compileOwn } from './module.js';
import { refusedOption } from './option-names.js';
import type { CoreSource } from './types.js';

/** The name of a function of the core. */
export type CoreFunction = keyof Functions;

let compiled: WebAssembly.Module | undefined;
let instance: Instance<Functions> | undefined;
let starting: Promise<void> | undefined;

/**
 * Calls a function of the core and returns its response. Throws {@link OptionError} for options that can't be used,
 * {@link CoreInitError} if the core can't start, {@link InternalError} for a trap.
 */
export function call<Name extends CoreFunction>(name: Name, ...inputs: Parameters<Functions[Name]>): string {
  const response = responseOf(name, inputs);
  if (!isRefusal(response)) return response;
  const refusal = new Fields(response, 1);
  throw refusedOption(name, refusal.text(), refusal.rest() ?? '');
}

function responseOf(name: CoreFunction, inputs: string[]): string {
  const core = running();
  try {
    const response = (core.functions[name] as (...inputs: string[]) => string)(...inputs);
    if (!isSlender(core)) replace();
    return response;
  } catch (cause) {
    replace();
    throw new InternalError('the core failed; the next call runs on a fresh instance', { cause });
  }
}

/** Starts a fresh instance. A browser that does this only asynchronously gets one in the background, or from init. */
function replace(): void {
  instance = undefined;
  try {
    running();
  } catch {
    init().catch(() => {});
  }
}

function running(): Instance<Functions> {
  compiled ??= compileOwn();
  return (instance ??= start(compiled, glue));
}

/**
 * Starts the core ahead of the first call, without blocking the page. Required for `sales-order-intake/slim`, and in
 * browsers that compile a module of this size only asynchronously; optional elsewhere.
 *
 * Returns at once if the core runs already: the source is then ignored. Calls while it starts share one start. It can be called
 * again after a failure.
 *
 * @param source The address of the compiled core (relative to the page, as `fetch` takes it, or a URL), a response with it,
 * its bytes, the compiled core itself, or a promise of one of these.
 * Without a source the default entry uses its own bytes.
 * @throws CoreInitError (rejects) with `reason` and a message that says what to do.
 *
 * @example
 * ```js
 * import { init, isReady } from 'sales-order-intake';
 *
 * await init();
 * console.log(isReady()); // true
 * ```
 */
export function init(source?: CoreSource): Promise<void> {
  // A source that is not needed is ignored, and a promise that rejects must not be left unhandled.
  if (instance || starting || compiled) Promise.resolve(source).catch(() => {});
  if (instance) return Promise.resolve();
  starting ??= startCore(source).finally(() => {
    starting = undefined;
  });
  return starting;
}

async function startCore(source?: CoreSource): Promise<void> {
  const module = compiled ?? (await compile(source));
  const started = await startAsync(module, glue);
  // A call may have started one in the meantime.
  compiled ??= module;
  instance ??= started;
}

/**
 * Returns true if the next call can run at once: the core has started.
 *
 * @example
 * ```js
 * import { init, isReady } from 'sales-order-intake';
 *
 * if (!isReady()) await init();
 * console.log(isReady()); // true
 * ```
 */
export function isReady(): boolean {
  return instance !== undefined;
}
