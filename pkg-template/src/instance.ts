/** A running module, the core or that of the test service, and the strings that are passed in and out. */
import { startable } from './module.js';

/** The functions of the core and their numbers (wasm/src/function.rs). All take up to three strings and return one; those that take
 * an order also take the number of its marks (wasm/src/evaluation.rs). */
export const FUNCTIONS = {
  validateOrder: 0,
  buildOrder: 1,
  previewOrder: 2,
  prepareRequest: 3,
  readOrder: 4,
  readError: 5,
  deriveOrderId: 6,
  parseGuid: 7,
  requestPath: 8,
  evaluateOrder: 9,
  issuesOfOrder: 10,
  evaluateItem: 11,
  issuesOfItem: 12,
  orderFate: 13,
  isSameOrder: 14,
  compareAmounts: 15,
  sumAmounts: 16,
  readDecimal: 17,
} as const;

export type CoreFunction = keyof typeof FUNCTIONS;

interface Exports {
  memory: WebAssembly.Memory;
  call(
    functionNumber: number,
    pointer1: number,
    length1: number,
    pointer2: number,
    length2: number,
    pointer3: number,
    length3: number,
    marks: number,
  ): [pointer: number, length: number];
  __wbindgen_malloc(size: number, align: number): number;
  __wbindgen_realloc(pointer: number, oldSize: number, newSize: number, align: number): number;
  __wbindgen_free(pointer: number, size: number, align: number): void;
}

/** WebAssembly memory never shrinks: an instance that grew beyond this is not reused. */
const MAX_REUSED_BYTES = 0x400_0000;

/** Starts an instance synchronously. */
export function start(module: WebAssembly.Module): Instance {
  return startable(() => running(new WebAssembly.Instance(module)));
}

/** Starts an instance asynchronously, which works in browsers that refuse to start one synchronously. */
export function startAsync(module: WebAssembly.Module): Promise<Instance> {
  return startable(async () => running(await WebAssembly.instantiate(module)));
}

function running(instance: WebAssembly.Instance): Instance {
  return new Instance(instance.exports as unknown as Exports);
}

export class Instance {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  #decoder = newDecoder();
  #decoded = 0;
  /** A view of the whole memory. */
  #bytes = new Uint8Array(0);
  /** The length of the last string that was passed, in bytes. */
  #length = 0;

  constructor(exports: Exports) {
    if (typeof exports.call !== 'function') throw new TypeError('this module is not one of this package');
    this.#exports = exports;
  }

  /** Whether its memory is small enough to reuse the instance. */
  get isSlender(): boolean {
    return this.#exports.memory.buffer.byteLength <= MAX_REUSED_BYTES;
  }

  /** Throws whatever the engine throws for a trap. The instance is then not to be used again. */
  call(functionNumber: number, first: string, second: string, third: string | Uint8Array, marks: number): string {
    const pointer1 = this.#pass(first);
    const length1 = this.#length;
    const pointer2 = this.#pass(second);
    const length2 = this.#length;
    const pointer3 = this.#pass(third);
    const length3 = this.#length;
    const { call } = this.#exports;
    const [pointer, length] = call(functionNumber, pointer1, length1, pointer2, length2, pointer3, length3, marks);
    // It is a module of another version of this package.
    if (pointer === 0)
      throw new Error(`the core has no function ${functionNumber}: give init the core.wasm of this package`);
    const response = this.#take(pointer >>> 0, length >>> 0);
    this.#exports.__wbindgen_free(pointer, length, 1);
    return response;
  }

  /**
   * Copies bytes, or a text as UTF-8, into memory, returns the address and sets the length. The module frees them, so the
   * allocation must be of its exact size.
   */
  #pass(text: string | Uint8Array): number {
    const size = text.length;
    this.#length = size;
    // Any address except 0.
    if (size === 0) return 1;
    const { __wbindgen_malloc: allocate, __wbindgen_realloc: reallocate } = this.#exports;
    const pointer = allocate(size, 1) >>> 0;
    if (typeof text !== 'string') {
      this.#view(pointer, size).set(text);
      return pointer;
    }
    // Enough for ASCII, which most orders are.
    const { read, written } = this.#encoder.encodeInto(text, this.#view(pointer, size));
    this.#length = written;
    if (read === size) return pointer;

    const rest = text.slice(read);
    const largest = written + 3 * rest.length;
    const larger = reallocate(pointer, size, largest, 1) >>> 0;
    const target = this.#view(larger + written, largest - written);
    this.#length = written + this.#encoder.encodeInto(rest, target).written;
    return reallocate(larger, largest, this.#length, 1) >>> 0;
  }

  /** Decodes a string of the core. Replaces the decoder from time to time, because WebKit's fails after 2 GiB. */
  #take(pointer: number, length: number): string {
    this.#decoded += length;
    if (this.#decoded > DECODER_BYTES) {
      this.#decoder = newDecoder();
      this.#decoded = length;
    }
    return this.#decoder.decode(this.#view(pointer, length));
  }

  /** Returns a view of the memory, a new one if growth has detached the last one. */
  #view(pointer: number, length: number): Uint8Array {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    return this.#bytes.subarray(pointer, pointer + length);
  }
}

/** Half of what a decoder of WebKit can decode. */
const DECODER_BYTES = 0x4000_0000;

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}
