/** Reads the responses of the core (wasm/src/fields.rs). */
import type { DecimalString } from './values.js';

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
