/**
 * Starts a module (the core or the test service) with its glue, which wasm-bindgen generates and the build writes
 * (scripts/build/glue.mjs).
 */
import { startable } from './module.js';

/** What the glue of a module returns: its functions, what it imports, and a function that connects the two. */
type Glue<Functions> = () => Functions & { __wbg_set_wasm(exports: WebAssembly.Exports): void };

/** A running module. After a trap it must not be used. */
export interface Instance<Functions> {
  readonly functions: Functions;
  readonly memory: WebAssembly.Memory;
}

/** Starts an instance synchronously. */
export function start<Functions>(module: WebAssembly.Module, glue: Glue<Functions>): Instance<Functions> {
  const functions = glue();
  return startable(() => running(new WebAssembly.Instance(module, importsOf(functions)), functions));
}

/** Starts an instance asynchronously, which works in browsers that refuse to start one synchronously. */
export function startAsync<Functions>(module: WebAssembly.Module, glue: Glue<Functions>): Promise<Instance<Functions>> {
  const functions = glue();
  return startable(async () => running(await WebAssembly.instantiate(module, importsOf(functions)), functions));
}

function importsOf(functions: object): WebAssembly.Imports {
  return { './module_bg.js': functions as WebAssembly.ModuleImports };
}

function running<Functions>(
  { exports }: WebAssembly.Instance,
  functions: ReturnType<Glue<Functions>>,
): Instance<Functions> {
  const { memory, __wbindgen_start: begin } = exports as { memory: WebAssembly.Memory; __wbindgen_start(): void };
  functions.__wbg_set_wasm(exports);
  begin();
  return { functions, memory };
}

/** WebAssembly memory never shrinks: an instance that grew beyond this is not reused. */
const MAX_REUSED_BYTES = 0x400_0000;

/** Returns true if the memory of an instance is small enough to reuse it. */
export function isSlender({ memory }: Instance<unknown>): boolean {
  return memory.buffer.byteLength <= MAX_REUSED_BYTES;
}
