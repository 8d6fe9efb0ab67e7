/**
 * Starts the core and keeps it. Nothing happens at import: the first call starts it, or init ahead of it.
 *
 * The compiled module is reused. The instance has no state of orders: after a trap, or if its memory has grown large, a
 * fresh one replaces it.
 */
import { InternalError } from './errors.js';
import { FUNCTIONS, start, startAsync, type CoreFunction, type Instance } from './instance.js';
import { compile, compileOwn } from './module.js';
import type { CoreSource } from './types.js';

let compiled: WebAssembly.Module | undefined;
let instance: Instance | undefined;
let starting: Promise<void> | undefined;

/** Calls a function of the core. Throws {@link CoreInitError} if it can't start, {@link InternalError} for a trap. */
export function call(name: CoreFunction, first = '', second = '', third = '', marks = -1): string {
  const core = running();
  try {
    const response = core.call(FUNCTIONS[name], first, second, third, marks);
    if (!core.isSlender) replace();
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
    startAhead().catch(() => {});
  }
}

function running(): Instance {
  compiled ??= compileOwn();
  return (instance ??= start(compiled));
}

/** Starts the core ahead of the first call; calls while it starts share one start. */
export function startAhead(source?: CoreSource): Promise<void> {
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
  const started = await startAsync(module);
  // A call may have started one in the meantime.
  compiled ??= module;
  instance ??= started;
}

export function isStarted(): boolean {
  return instance !== undefined;
}
