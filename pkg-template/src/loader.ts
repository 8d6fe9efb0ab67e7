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
export function call(name: CoreFunction, first = '', second = '', third = ''): string {
  const core = started();
  try {
    const answer = core.call(name, first, second, third);
    if (!core.isSlender) instance = undefined;
    return answer;
  } catch (cause) {
    instance = undefined;
    throw new InternalError('the core failed; the next call runs on a fresh one', { cause });
  }
}

/**
 * Judges a body (src/plain.rs). Returns null if it is not plain, and if the core failed: the general path then reports it.
 * `onPart` gets the prices of the lines of each part.
 */
export function judge(
  parts: readonly string[],
  pairs: number,
  setting: number,
  onPart?: (lines: Float64Array) => void,
): { flags: number; numbers: Float64Array } | null {
  const { exchange } = started();
  try {
    const flags = exchange.judge(parts, pairs, setting, onPart);
    return flags === 0 ? null : { flags, numbers: exchange.numbers };
  } catch {
    instance = undefined;
    return null;
  }
}

function started(): Instance {
  compiled ??= compileOwn();
  return (instance ??= start(compiled));
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
