import { encodeItem } from './encode.js';
import { call } from './loader.js';
import type { Issue } from './types.js';

/** One item of a draft: its value, its text, and what the core said of it. */
export class Line {
  readonly value: unknown;
  readonly text: string;
  /** What it comes to, as the core wrote it: it is only ever handed back. */
  readonly sums: string;
  readonly hasIssues: boolean;
  readonly #options: string;
  /** Where it stood when its issues were told: they name the place. */
  #index: number;
  #issues: Issue[];

  constructor(value: unknown, index: number, options: string) {
    this.value = value;
    this.text = encodeItem(value, index);
    this.#options = options;
    this.#index = index;
    const { sums, issues } = this.#ask();
    this.sums = sums;
    this.#issues = issues;
    this.hasIssues = issues.length > 0;
  }

  issuesAt(index: number): Issue[] {
    if (index !== this.#index) {
      this.#index = index;
      this.#issues = this.#ask().issues;
    }
    return this.#issues;
  }

  #ask(): { sums: string; issues: Issue[] } {
    const answer = call('draftLine', this.text, String(this.#index), this.#options);
    const end = answer.indexOf('\n');
    if (end < 0) return { sums: answer, issues: [] };
    return { sums: answer.slice(0, end), issues: JSON.parse(answer.slice(end + 1)) as Issue[] };
  }
}

/** Lines that stand together. A change copies one chunk and the list of chunks, whatever the number of lines. */
interface Chunk {
  readonly lines: readonly Line[];
  readonly noisy: number;
  readonly characters: number;
}

const CHUNK = 64;

/** The lines of a draft, in order. A change gives a new list, so that an answer can keep the one it is about. */
export class Lines {
  readonly length: number;
  /** Of the texts, commas aside. */
  readonly characters: number;
  readonly #chunks: readonly Chunk[];

  private constructor(chunks: readonly Chunk[], length: number, characters: number) {
    this.#chunks = chunks;
    this.length = length;
    this.characters = characters;
  }

  static of(lines: readonly Line[]): Lines {
    const chunks = [];
    for (let start = 0; start < lines.length; start += CHUNK) chunks.push(chunk(lines.slice(start, start + CHUNK)));
    return new Lines(chunks, lines.length, charactersOf(chunks));
  }

  at(index: number): Line | undefined {
    const { lines, within } = this.#find(index);
    return lines[within];
  }

  /** Takes out what stands at an index, if it is to go, and puts in another line, if there is one. */
  changed(index: number, removed: 0 | 1, added?: Line): Lines {
    const { position, lines, within } = this.#find(index);
    const changed = [...lines];
    changed.splice(within, removed, ...(added ? [added] : []));
    const half = changed.length >> 1;
    const parts = changed.length > 2 * CHUNK ? [changed.slice(0, half), changed.slice(half)] : [changed];
    const fresh = parts.filter(({ length }) => length > 0).map(chunk);
    const chunks = [...this.#chunks];
    const old = chunks.splice(position, 1, ...fresh);
    const characters = this.characters - charactersOf(old) + charactersOf(fresh);
    return new Lines(chunks, this.length - removed + (added ? 1 : 0), characters);
  }

  get text(): string {
    return this.#chunks.flatMap(({ lines }) => lines.map(({ text }) => text)).join(',');
  }

  get values(): unknown[] {
    return this.#chunks.flatMap(({ lines }) => lines.map(({ value }) => value));
  }

  get issues(): Issue[] {
    const issues: Issue[] = [];
    let start = 0;
    for (const { lines, noisy } of this.#chunks) {
      if (noisy > 0) lines.forEach((line, within) => line.hasIssues && issues.push(...line.issuesAt(start + within)));
      start += lines.length;
    }
    return issues;
  }

  get sums(): string[] {
    return this.#chunks.flatMap(({ lines }) => lines.map(({ sums }) => sums));
  }

  /** The index after the last one belongs to the last chunk. */
  #find(index: number): { position: number; lines: readonly Line[]; within: number } {
    let position = 0;
    let within = index;
    for (; position + 1 < this.#chunks.length; position++) {
      const { length } = this.#chunks[position]!.lines;
      if (within < length) break;
      within -= length;
    }
    return { position, lines: this.#chunks[position]?.lines ?? [], within };
  }
}

function chunk(lines: readonly Line[]): Chunk {
  let noisy = 0;
  let characters = 0;
  for (const line of lines) {
    if (line.hasIssues) noisy++;
    characters += line.text.length;
  }
  return { lines, noisy, characters };
}

function charactersOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { characters }) => sum + characters, 0);
}
