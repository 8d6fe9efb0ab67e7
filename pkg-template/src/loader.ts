/**
 * Keeps the core. Nothing happens at import; the first call starts it, or init ahead of it.
 *
 * The compiled module stays. The instance holds no state of orders, so it is dropped whenever it may be broken (a trap)
 * or has grown large, and the next call makes a new one.
 */
import { InternalError } from './errors.js';
import { start, startAsync, type CoreFunction, type Instance } from './instance.js';
import { compile, compileOwn } from './module.js';
import type { CoreSource } from './types.js';

let compiled: WebAssembly.Module | undefined;
let instance: Instance | undefined;
let starting: Promise<void> | undefined;

/** Calls a function of the core. Throws {@link CoreInitError} where it can't start, {@link InternalError} for a trap. */
export function call(name: CoreFunction, ...texts: string[]): string {
  compiled ??= compileOwn();
  instance ??= start(compiled);
  try {
    const answer = instance.call(name, texts);
    if (!instance.isSlender) instance = undefined;
    return answer;
  } catch (cause) {
    instance = undefined;
    throw new InternalError('the core failed; the next call runs on a fresh one', { cause });
  }
}

/** Starts the core ahead of the first call; calls while it starts share one start. */
export function startAhead(source?: CoreSource): Promise<void> {
  if (instance) return Promise.resolve();
  starting ??= startCore(source).finally(() => {
    starting = undefined;
  });
  return starting;
}

async function startCore(source?: CoreSource): Promise<void> {
  const module = compiled ?? (await compile(source));
  const started = await startAsync(module);
  // A call may have started one meanwhile.
  compiled ??= module;
  instance ??= started;
}

export function isCompiled(): boolean {
  return compiled !== undefined;
}
