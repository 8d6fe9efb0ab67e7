/**
 * Calls a running module (the core or the test service) and reads its responses, as docs/contributing/boundary.md specifies.
 * The other side is wasm/src/boundary.rs and wasm/src/fields.rs.
 */
import { startable } from './module.js';
import type { DecimalString } from './values.js';

/** The functions of the core and their numbers (wasm/src/function.rs). */
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
  orderFate: 11,
  isSameOrder: 12,
  compareAmounts: 13,
  sumAmounts: 14,
  readDecimal: 15,
} as const;

export type CoreFunction = keyof typeof FUNCTIONS;

interface Exports {
  memory: WebAssembly.Memory;
  input(size: number): number;
  call(functionNumber: number, first: number, second: number, third: number): number;
  response(): number;
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

/** The size of the input area, in bytes: enough for all but large orders. */
const AREA = 0x1_0000;
/** The length of a third input that is absent. */
const NONE = -1;
/** Returned if the module has no function with the number. */
const FAILED = -1;

export class Instance {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  #decoder = newDecoder();
  #decoded = 0;
  /** Views of the memory. They become empty when it grows. */
  #memory = new Uint8Array(0);
  #input = new Uint8Array(0);
  /** The last string that was passed as the third input: the core still has these options. */
  #third = '';

  constructor(exports: Exports) {
    if (typeof exports.response !== 'function') throw new TypeError('this module is not one of this package');
    this.#exports = exports;
  }

  /** Whether its memory is small enough to reuse the instance. */
  get isSlender(): boolean {
    return this.#memory.length <= MAX_REUSED_BYTES;
  }

  /**
   * Calls a function and returns its response. Throws whatever the engine throws for a trap; the instance must not be used
   * afterwards.
   */
  call(functionNumber: number, first: string, second: string, third: string | Uint8Array | undefined): string {
    const passed = third === this.#third ? undefined : third;
    const size = first.length + second.length + (passed?.length ?? 0);
    // First with room for ASCII, which most orders are; then with room for any text.
    const lengths = this.#pass(size, first, second, passed) ?? this.#pass(3 * size, first, second, passed);
    const [length1, length2, length3] = lengths as Lengths;
    const length = this.#exports.call(functionNumber, length1, length2, length3);
    // The module is from another version of this package.
    if (length === FAILED)
      throw new Error(`the core has no function ${functionNumber}: give init the core.wasm of this package`);
    const response = this.#take(length >>> 0);
    if (typeof passed === 'string' && !isRefusal(response)) this.#third = passed;
    return response;
  }

  /** Copies the inputs into the input area, enlarged to at least `size` bytes. Returns undefined if they need more. */
  #pass(size: number, first: string, second: string, third: string | Uint8Array | undefined): Lengths | undefined {
    if (this.#input.length < size) {
      const room = Math.max(size, AREA);
      const address = this.#exports.input(room) >>> 0;
      this.#input = new Uint8Array(this.#exports.memory.buffer, address, room);
    }
    const length1 = this.#write(first, 0);
    const length2 = this.#write(second, length1);
    const length3 = third === undefined ? 0 : this.#write(third, length1 + length2);
    if (!(length1 + length2 + length3 >= 0)) return undefined;
    return [length1, length2, third === undefined ? NONE : length3];
  }

  /** Writes bytes, or a string as UTF-8, at a position of the input area. Returns the length in bytes, NaN if it does not fit. */
  #write(text: string | Uint8Array, at: number): number {
    if (text.length === 0 || Number.isNaN(at)) return at - at;
    const target = at === 0 ? this.#input : this.#input.subarray(at);
    if (typeof text === 'string') {
      const { read, written } = this.#encoder.encodeInto(text, target);
      return read === text.length ? written : Number.NaN;
    }
    if (text.length > target.length) return Number.NaN;
    target.set(text);
    return text.length;
  }

  /** Decodes the response. Replaces the decoder from time to time, because WebKit's fails after 2 GiB. */
  #take(length: number): string {
    this.#decoded += length;
    if (this.#decoded > DECODER_BYTES) {
      this.#decoder = newDecoder();
      this.#decoded = length;
    }
    if (this.#memory.length === 0) this.#memory = new Uint8Array(this.#exports.memory.buffer);
    const address = this.#exports.response() >>> 0;
    return this.#decoder.decode(this.#memory.subarray(address, address + length));
  }
}

type Lengths = [first: number, second: number, third: number];

/** Half of the bytes that a decoder of WebKit can decode. */
const DECODER_BYTES = 0x4000_0000;

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

/** Returns true if the response rejects an option: it is `!`, then the message and the location of the option. */
export function isRefusal(response: string): boolean {
  return response.charCodeAt(0) === 0x21;
}

/** Reads the values of a response in sequence. Strings are slices of it: `JSON.parse` of the same takes five times as long. */
export class Fields {
  readonly #response: string;
  #at: number;

  constructor(response: string, start = 0) {
    this.#response = response;
    this.#at = start;
  }

  number(): number {
    const response = this.#response;
    let digit = response.charCodeAt(this.#at++);
    let number = digit & 31;
    while (digit >= 0x60) {
      digit = response.charCodeAt(this.#at++);
      number = number * 32 + (digit & 31);
    }
    return number;
  }

  optional(): string | null {
    const length = this.number() - 1;
    if (length < 0) return null;
    const start = this.#at;
    this.#at = start + length;
    return this.#response.slice(start, this.#at);
  }

  text(): string {
    return this.optional() as string;
  }

  decimal(): DecimalString | null {
    return this.optional() as DecimalString | null;
  }

  /** Returns what follows the fields; undefined if nothing does. */
  rest(): string | undefined {
    return this.#at < this.#response.length ? this.#response.slice(this.#at) : undefined;
  }
}
