/**
 * The memory shared with the core (wasm/src/exchange.rs): bodies go in part by part, amounts come out as whole numbers of
 * the smallest currency unit.
 *
 * Nothing is allocated, and no code of the caller runs between the parts.
 */

import { PART_ITEMS, type PlainBody } from './writer.js';

const NUMBERS = 34;
const LINES = 128;
const TEXT = 65536;

/** Added to a setting if terms come before the body. */
export const WITH_TERMS = 64;

/** The setting of a response. */
export const RESPONSE = 129;

const PARTIAL = 1;
export const HAS_ID = 4;
export const HAS_CUSTOMER = 8;
export const HAS_TAXES = 16;
export const IS_UNPRICED = 64;
/** The number of records with remarks is in the bits of the flags from this one on. */
export const REMARKS = 256;

/** What of a body is judged. */
export type Judged = Pick<PlainBody, 'parts' | 'pairs' | 'items'>;

/** What the core knows about a plain order. */
export interface Judgement {
  flags: number;
  /** The amounts (wasm/src/exchange.rs), valid until the next call. */
  numbers: Float64Array;
}

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
  #numbers = new Float64Array(0);
  /** The extended prices of the lines of the last part. */
  #lines = new Float64Array(0);

  constructor(exports: ExchangeExports, encoder: TextEncoder) {
    this.#exports = exports;
    this.#encoder = encoder;
    this.#address = exports.exchange() >>> 0;
  }

  /**
   * Returns null if the body is not plain; `prices` gets the extended price of each line. With `terms`, the one item of the
   * body represents those that the terms are about.
   */
  judge({ parts, pairs, items }: Judged, setting: number, prices?: number[], terms = ''): Judgement | null {
    const first = terms === '' ? setting : setting + WITH_TERMS;
    // Memory that grew detaches its views.
    if (this.#text.length === 0) this.#view();
    let flags = PARTIAL;
    for (let i = 0; i < parts.length && flags === PARTIAL; i++) {
      const part = i === 0 ? terms + parts[0] : (parts[i] as string);
      if (part.length > TEXT) return null;
      const { read, written } = this.#encoder.encodeInto(part, this.#text);
      if (read !== part.length) return null;
      flags = this.#exports.judge_part(written, pairs, i === 0 ? first : 0);
      for (let line = 0; prices && prices.length < items.length && line < PART_ITEMS; line++) {
        prices.push(this.#lines[line] as number);
      }
    }
    return flags > PARTIAL ? { flags, numbers: this.#numbers } : null;
  }

  #view(): void {
    const { buffer } = this.#exports.memory;
    const afterNumbers = this.#address + 8 * NUMBERS;
    this.#numbers = new Float64Array(buffer, this.#address, NUMBERS);
    this.#lines = new Float64Array(buffer, afterNumbers, LINES);
    this.#text = new Uint8Array(buffer, afterNumbers + 8 * LINES, TEXT);
  }
}
