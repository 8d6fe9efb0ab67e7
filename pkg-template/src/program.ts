/**
 * Runs a WebAssembly module of the package with its glue, which wasm-bindgen generates and the build writes
 * (scripts/build/glue.mjs).
 */
import { InternalError } from './errors.js';
import { compile, compileSync, type OwnCore, startable } from './module.js';
import type { CoreSource } from './types.js';

/** What the glue of a module returns: its functions, what it imports, and a function that connects the two. */
type Glue<Functions> = () => Functions & { __wbg_set_wasm(exports: WebAssembly.Exports): void };

/** A running module. After a trap it must not be used. */
interface Instance<Functions> {
  readonly functions: Functions;
  readonly exports: WebAssembly.Exports;
  readonly memory: WebAssembly.Memory;
}

/** WebAssembly memory never shrinks: an instance that grew beyond this is not reused. */
const MAX_REUSED_BYTES = 0x400_0000;

/**
 * Starts a module at its first call, or ahead of it, and keeps it. The compiled module is reused. The instance has no state of
 * orders: after a trap, or if its memory has grown large, a fresh one replaces it.
 */
export class Program<Functions> {
  /** The module of the entry; undefined if {@link init} gets it. */
  source: OwnCore | undefined;
  readonly #name: string;
  readonly #glue: Glue<Functions>;
  #compiled: WebAssembly.Module | undefined;
  #instance: Instance<Functions> | undefined;
  #starting: Promise<void> | undefined;

  /** @param name What messages call it. */
  constructor(name: string, glue: Glue<Functions>) {
    this.#name = name;
    this.#glue = glue;
  }

  get isRunning(): boolean {
    return this.#instance !== undefined;
  }

  /** Calls a function. Throws {@link CoreInitError} if the module can't start, {@link InternalError} for a trap. */
  call(name: keyof Functions, ...inputs: (string | Uint8Array)[]): string {
    const { functions, memory } = this.#running();
    try {
      const response = (functions[name] as (...inputs: (string | Uint8Array)[]) => string)(...inputs);
      if (memory.buffer.byteLength > MAX_REUSED_BYTES) this.#replace();
      return response;
    } catch (cause) {
      this.#replace();
      throw new InternalError(`${this.#name} failed; the next call runs on a fresh instance`, { cause });
    }
  }

  /** Returns true if the module has a function: a page may run a part of the core. Starts the module. Throws like {@link call}. */
  has(name: keyof Functions): boolean {
    return (name as string) in this.#running().exports;
  }

  /** Starts the module without blocking the page; from `source`, unless it is compiled already. */
  init(source?: CoreSource): Promise<void> {
    // A source that is not needed is ignored, and a promise that rejects must not be left unhandled.
    if (this.#instance || this.#starting || this.#compiled) Promise.resolve(source).catch(() => {});
    if (this.#instance) return Promise.resolve();
    this.#starting ??= this.#start(source).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(source?: CoreSource): Promise<void> {
    const module = this.#compiled ?? (await compile(source, this.source));
    const functions = this.#glue();
    const started = await startable(async () =>
      begin(await WebAssembly.instantiate(module, imports(functions)), functions),
    );
    // A call may have started one in the meantime.
    this.#compiled ??= module;
    this.#instance ??= started;
  }

  #running(): Instance<Functions> {
    const module = (this.#compiled ??= compileSync(this.source));
    if (this.#instance) return this.#instance;
    const functions = this.#glue();
    return (this.#instance = startable(() => begin(new WebAssembly.Instance(module, imports(functions)), functions)));
  }

  /** Starts a fresh instance. A browser that does this only asynchronously gets one in the background, or from init. */
  #replace(): void {
    this.#instance = undefined;
    try {
      this.#running();
    } catch {
      this.init().catch(() => {});
    }
  }
}

function imports(functions: object): WebAssembly.Imports {
  return { './module_bg.js': functions as WebAssembly.ModuleImports };
}

function begin<Functions>(
  { exports }: WebAssembly.Instance,
  functions: ReturnType<Glue<Functions>>,
): Instance<Functions> {
  const { memory, __wbindgen_start: start } = exports as { memory: WebAssembly.Memory; __wbindgen_start(): void };
  functions.__wbg_set_wasm(exports);
  start();
  return { functions, exports, memory };
}
