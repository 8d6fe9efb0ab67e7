/**
 * The memory shared with the core (src/wasm/exchange.rs): bodies go in part by part, amounts come out as whole numbers of
 * the smallest currency unit.
 *
 * Nothing is allocated, and no code of the caller runs between the parts.
 */

const NUMBERS = 13;
const LINES = 128;
const TEXT = 65536;

const PARTIAL = 1;
export const HAS_ID = 4;
export const HAS_CUSTOMER = 8;
export const HAS_TAXES = 16;

/** Indexes of the amounts. */
export const SUBTOTAL = 0;
export const TOTAL = 1;
export const MIN = 2;
export const MAX = 3;
export const TAX = 4;
export const TAXES = 5;

export interface ExchangeExports {
  memory: WebAssembly.Memory;
  exchange(): number;
  judge_part(length: number, pairs: number, setting: number): number;
}

export class Exchange {
  readonly #exports: ExchangeExports;
  readonly #encoder: TextEncoder;
  readonly #address: number;
  #text = new Uint8Array(0);
  /** The amounts of the last order that was plain, valid until the next call. */
  numbers = new Float64Array(0);
  /** The extended prices of the lines of the last part. */
  lines = new Float64Array(0);

  constructor(exports: ExchangeExports, encoder: TextEncoder) {
    this.#exports = exports;
    this.#encoder = encoder;
    this.#address = exports.exchange() >>> 0;
  }

  /** Returns the flags of a plain order, 0 if it is not plain. `onPart` is called after each part. */
  judge(parts: readonly string[], pairs: number, setting: number, onPart?: (lines: Float64Array) => void): number {
    // Memory that grew detaches its views.
    if (this.#text.length === 0) this.#view();
    let result = PARTIAL;
    for (let i = 0; i < parts.length && result === PARTIAL; i++) {
      const part = parts[i] as string;
      if (part.length > TEXT) return 0;
      const { read, written } = this.#encoder.encodeInto(part, this.#text);
      if (read !== part.length) return 0;
      result = this.#exports.judge_part(written, pairs, i === 0 ? setting : 0);
      onPart?.(this.lines);
    }
    return result === PARTIAL ? 0 : result;
  }

  #view(): void {
    const { buffer } = this.#exports.memory;
    const afterNumbers = this.#address + 8 * NUMBERS;
    this.numbers = new Float64Array(buffer, this.#address, NUMBERS);
    this.lines = new Float64Array(buffer, afterNumbers, LINES);
    this.#text = new Uint8Array(buffer, afterNumbers + 8 * LINES, TEXT);
  }
}
