/**
 * Runs the core. Nothing happens at import: the first call starts it, or init ahead of it.
 *
 * The core of slim, of CommonJS and of edge workers is one module. Of the ECMAScript modules it is two, because most pages send no orders:
 * `fates` has the functions about responses and sent orders, `core` all others.
 */
import { type Functions, glue } from '../../wasm/glue/core.js';
import { Fields, isRefusal } from './fields.js';
import type { OwnCore } from './module.js';
import { refusedOption } from './option-names.js';
import { Program } from './program.js';
import type { CoreSource } from './types.js';

/** The name of a function of the core. */
export type CoreFunction = keyof Functions;

const core = /* @__PURE__ */ new Program('the core', glue);
/** Its functions about the fates of orders; without a source, the core has them, or init gets them. */
const fates = /* @__PURE__ */ new Program('the core', glue);

/**
 * Returns the function, which then starts the core from `source` if none is running, and its functions about fates from `sourceOfFates`,
 * if they are in a module of their own. An entry without this, such as `./slim`, leaves the core to init. A bundler drops the source with
 * the last function that uses it.
 */
export function withCore<Fn>(source: OwnCore, fn: Fn, sourceOfFates?: OwnCore): Fn {
  core.source ??= source;
  fates.source ??= sourceOfFates;
  return fn;
}

/**
 * Calls a function of the core and returns its response. Throws {@link OptionError} for options that can't be used,
 * {@link CoreInitError} if the core can't start, {@link InternalError} for a trap.
 */
export function call<Name extends CoreFunction>(name: Name, ...inputs: Parameters<Functions[Name]>): string {
  const response = core.call(name, ...inputs);
  if (!isRefusal(response)) return response;
  const refusal = new Fields(response, 1);
  throw refusedOption(name, refusal.text(), refusal.rest() ?? '');
}

/** Calls a function of wasm/src/fates.rs. Throws like {@link call}. */
export function callFates<Name extends CoreFunction>(name: Name, ...inputs: Parameters<Functions[Name]>): string {
  return programOfFates().call(name, ...inputs);
}

/** Starts what judges a response, so that it can't fail after an order has been sent. Throws like {@link call}. */
export function startFates(): void {
  programOfFates().has('orderFate');
}

/** In a bundle with the small core of `.` and with `./slim/client`, only init can get the functions about fates. */
function programOfFates(): Program<Functions> {
  return fates.source || fates.isRunning || !core.has('orderFate') ? fates : core;
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
export async function init(source?: CoreSource): Promise<void> {
  await Promise.all([core.init(source), fates.source && fates.init()]);
  if (!fates.source && source !== undefined && !core.has('orderFate')) await fates.init(source);
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
  return core.isRunning;
}
