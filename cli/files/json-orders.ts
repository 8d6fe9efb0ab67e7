import { fileProblem } from '../problem.js';
import { ValueExtent, ValueLocator } from './json-location.js';
import { advanced, type Neighbours, type Part, PlacedText, type Position } from './position.js';
import { RecordText, type Stream } from './text-chunks.js';
import type { SourceOrder } from './source-order.js';

/** Splits JSON into orders: the entries of an array, or values that follow each other. Holds one order at a time. */
export async function* jsonOrders(file: string, chunks: Stream<string>): Stream<SourceOrder> {
  const splitter = new Splitter(file);
  for await (const chunk of chunks) {
    for (const piece of splitter.add(chunk)) yield jsonOrder(file, piece);
  }
  for (const piece of splitter.end()) yield jsonOrder(file, piece);
}

/** Takes each line as an order, so that one that is broken does not affect those after it. Blank lines are no orders. */
export async function* ndjsonOrders(file: string, chunks: Stream<string>): Stream<SourceOrder> {
  const text = new RecordText();
  let line = 1;
  const orderOf = (text: string): SourceOrder | undefined => {
    const json = text.endsWith('\r') ? text.slice(0, -1) : text;
    return json.trim() ? jsonOrder(file, { text: json, start: { line, column: 1 }, before: '', after: '' }) : undefined;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      text.add(chunk.slice(from, end));
      const order = orderOf(text.take());
      if (order) yield order;
      from = end + 1;
      line++;
    }
    text.add(chunk.slice(from));
  }
  const order = orderOf(text.take());
  if (order) yield order;
}

function jsonOrder(file: string, { text: json, start, ...neighbours }: Piece): SourceOrder {
  let values: ValueLocator | undefined;
  let placed: PlacedText | undefined;
  // Most orders have no issue.
  const inFile = () => (placed ??= new PlacedText(json, start, neighbours));
  return {
    file,
    json,
    key: null,
    idSource: null,
    start,
    isSkipped: false,
    fileIssues: [],
    unknownAmounts: 0,
    spanOf(path: readonly (string | number)[], part: Part) {
      values ??= new ValueLocator(json);
      const extent = values.locate(path, part);
      return inFile().span(extent.start, extent.end);
    },
    spanInJson: (position) => inFile().spanOfCharacter(position),
  };
}

interface Piece extends Neighbours {
  text: string;
  start: Position;
}

/** The most characters that are remembered beside an order in its line: an array may have all orders in one line. */
const BESIDE = 200;

/** Returns the last characters of a line up to a position in a chunk. */
function endOfLine(earlier: string, chunk: string, at: number): string {
  const known = (at < BESIDE ? earlier : '') + chunk.slice(Math.max(0, at - BESIDE), at);
  return known.slice(known.lastIndexOf('\n') + 1).slice(-BESIDE);
}

/** Where the splitter is: before the first value, between values of an array or of the file, in a value, at the end. */
type Stage = 'start' | 'between' | 'value' | 'end';

class Splitter {
  readonly #file: string;
  #stage: Stage = 'start';
  #isArray = false;
  /** In an array: a comma has to come before the next value. */
  #needsComma = false;
  #extent = new ValueExtent();
  /** The part of the value that came in earlier chunks. */
  readonly #text = new RecordText();
  #start: Position = { line: 1, column: 1 };
  /** The end of the line in which the value begins, up to the value. */
  #before = '';
  /** The end of the line in which the current chunk begins. */
  #lineEnd = '';
  /** A position in the current chunk, and its offset there: lines are counted on from it. */
  #origin: Position = { line: 1, column: 1 };
  #counted = 0;

  constructor(file: string) {
    this.#file = file;
  }

  *add(chunk: string): Generator<Piece, void, void> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const char = chunk[at] as string;
      if (this.#stage === 'value') {
        const isLast = this.#extent.isLast(char);
        if (!isLast && !this.#isAfterValue(char)) continue;
        const end = isLast ? at + 1 : at;
        const [after = ''] = chunk.slice(end, end + BESIDE).split(/\r?\n/, 1);
        this.#text.add(chunk.slice(from, end));
        yield { text: this.#text.take(), start: this.#start, before: this.#before, after };
        this.#stage = 'between';
        this.#needsComma = this.#isArray;
        if (isLast) continue;
      }
      if (this.#isValueStart(char, () => this.#positionAt(chunk, at))) {
        from = at;
        this.#before = endOfLine(this.#lineEnd, chunk, at);
      }
    }
    if (this.#stage === 'value') this.#text.add(chunk.slice(from));
    this.#lineEnd = endOfLine(this.#lineEnd, chunk, chunk.length);
    this.#origin = this.#positionAt(chunk, chunk.length);
    this.#counted = 0;
  }

  *end(): Generator<Piece, void, void> {
    if (this.#stage === 'value')
      yield { text: this.#text.take().trimEnd(), start: this.#start, before: this.#before, after: '' };
    else if (this.#isArray && this.#stage !== 'end') throw this.#problem('the array of orders has no ]', this.#origin);
  }

  #positionAt(chunk: string, at: number): Position {
    this.#origin = advanced(this.#origin, chunk.slice(this.#counted, at));
    this.#counted = at;
    return this.#origin;
  }

  /** Takes a character between values. Returns true if a value begins. */
  #isValueStart(char: string, position: () => Position): boolean {
    if (' \t\r\n'.includes(char)) return false;
    if (this.#stage === 'end') throw this.#problem('there is text after the array of orders', position());
    if (this.#stage === 'start' && char === '[') {
      this.#isArray = true;
      this.#stage = 'between';
      return false;
    }
    if (this.#isArray && char === ']') {
      this.#stage = 'end';
      return false;
    }
    if (this.#isArray && char === ',') {
      if (!this.#needsComma) throw this.#problem('an order is missing before the comma', position());
      this.#needsComma = false;
      return false;
    }
    if (this.#needsComma) throw this.#problem('a comma is missing between two orders', position());
    this.#stage = 'value';
    this.#start = position();
    this.#extent = new ValueExtent();
    this.#extent.isLast(char);
    return true;
  }

  /** Returns true for a character that ends a number, or an invalid value in the place of one. */
  #isAfterValue(char: string): boolean {
    return !this.#extent.isInside && (char === '\n' || (this.#isArray && ',]'.includes(char)));
  }

  #problem(what: string, { line, column }: Position) {
    return fileProblem(`${this.#file}:${line}:${column}: ${what}`);
  }
}
