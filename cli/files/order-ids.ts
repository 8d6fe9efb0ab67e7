import { parseGuid } from 'sales-order-intake';
import { CORE_LIMIT } from './text-chunks.js';
import type { FileIssue, SourceOrder } from './order-source.js';
import { createHash } from 'node:crypto';
import type { Position } from './position.js';

/** Finds orders of the input that have the same Id. */
export class OrderIds {
  readonly #seen = new FirstPositions();
  readonly #files: string[] = [];

  /** Returns the issue of an order whose Id an earlier order has. */
  repeated(order: SourceOrder): FileIssue | undefined {
    const id = parseGuid(idIn(order.json) ?? '');
    if (id === null) return undefined;
    const span = order.spanOf(['Id'], 'value');
    if (this.#files.at(-1) !== order.file) this.#files.push(order.file);
    const { line, column } = span;
    const earlier = this.#seen.earlier(id, { file: this.#files.length - 1, line, column });
    if (!earlier) return undefined;
    const message = `Id is also that of the order at ${this.#files[earlier.file]}:${earlier.line}:${earlier.column}`;
    return { code: 'duplicate_order_id', message, hint: 'give each order an Id of its own', span };
  }
}

/** The Id as the order has it. Only that is read: digits of other members do not pass through JavaScript numbers. */
function idIn(json: string): string | undefined {
  if (json.length > CORE_LIMIT) return undefined;
  try {
    const { Id } = JSON.parse(json) as { Id?: unknown };
    return typeof Id === 'string' ? Id : undefined;
  } catch {
    return undefined;
  }
}

/** Words of 32 bits: four of the digest of the key, the number of the file, line and column. */
const WORDS = 7;
const DIGEST_WORDS = 4;
const CHUNK = 1 << 16;

/**
 * Remembers at which position each key was seen first, in some 40 bytes for a key: a file of 1 GB may have millions of orders,
 * which take ten times as much as strings in a Map. Keys are compared by 128 bits of their SHA-256.
 */
export class FirstPositions {
  #chunks: Uint32Array[] = [];
  #count = 0;
  /** Open addressing: numbers of entries, from 1. At most half of it is used. */
  #slots = new Uint32Array(1024);

  /** Returns the position that was given with the same key before; stores this one if there is none. */
  earlier(key: string, { file, line, column }: { file: number } & Position): ({ file: number } & Position) | undefined {
    const digest = createHash('sha256').update(key).digest();
    const words = Array.from({ length: DIGEST_WORDS }, (_, n) => digest.readUInt32LE(n * 4));
    const slot = this.#slotOf(words);
    const found = this.#slots[slot] as number;
    if (found > 0) {
      const entry = this.#entry(found - 1);
      const [file = 0, line = 0, column = 0] = entry.subarray(DIGEST_WORDS);
      return { file, line, column };
    }
    if (this.#count % CHUNK === 0) this.#chunks.push(new Uint32Array(CHUNK * WORDS));
    this.#entry(this.#count).set([...words, file, line, column]);
    this.#count++;
    this.#slots[slot] = this.#count;
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return undefined;
  }

  /** The slot of a digest, or the free one that it belongs into. */
  #slotOf(words: ArrayLike<number>): number {
    const mask = this.#slots.length - 1;
    for (let slot = (words[0] as number) & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot] as number;
      if (found === 0) return slot;
      const entry = this.#entry(found - 1);
      if ([0, 1, 2, 3].every((n) => entry[n] === words[n])) return slot;
    }
  }

  #entry(index: number): Uint32Array {
    const start = (index % CHUNK) * WORDS;
    return (this.#chunks[Math.floor(index / CHUNK)] as Uint32Array).subarray(start, start + WORDS);
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let index = 0; index < this.#count; index++) this.#slots[this.#slotOf(this.#entry(index))] = index + 1;
  }
}
