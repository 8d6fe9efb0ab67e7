import { ValueExtent } from '../../pkg-template/src/json-parts.js';
import { fileProblem } from '../problem.js';
import { ValueLocator } from './json-location.js';
import { advanced, type Neighbours, type Part, PlacedText, type Position } from './position.js';
import { RecordText, type Stream } from './text-chunks.js';
import type { SourceOrder } from './source-order.js';

/** Before the first value, between values of an array or of the file, in a value, behind the array. */
type Stage = 'start' | 'between' | 'value' | 'end';

/** Splits JSON into orders: the entries of an array, or values that follow each other. Holds one order at a time. */
export async function* jsonOrders(file: string, chunks: Stream<string>): Stream<SourceOrder> {
  let stage = 'start' as Stage;
  let isArray = false;
  let needsComma = false;
  let extent = new ValueExtent();
  /** The part of the value that came in earlier chunks. */
  const text = new RecordText();
  let start: Position = { line: 1, column: 1 };
  /** The end of the line in which the value begins, and of that in which the chunk begins. */
  let [before, lineEnd] = ['', ''];
  /** Lines are counted from here on. */
  let position = start;
  const problem = (what: string) => fileProblem(`${file}:${position.line}:${position.column}: ${what}`);
  for await (const chunk of chunks) {
    let [from, counted] = [0, 0];
    const count = (at: number) => {
      position = advanced(position, chunk.slice(counted, at));
      counted = at;
    };
    for (let at = 0; at < chunk.length; at++) {
      const char = chunk.charAt(at);
      if (stage === 'value') {
        const isLast = extent.isLast(char);
        // A number, or an invalid value in the place of one, ends before this character.
        const isBehind = !isLast && !extent.isInside && (char === '\n' || (isArray && ',]'.includes(char)));
        if (!isLast && !isBehind) continue;
        const end = isLast ? at + 1 : at;
        const [after = ''] = chunk.slice(end, end + BESIDE).split(/\r?\n/, 1);
        text.add(chunk.slice(from, end));
        yield jsonOrder(file, { text: text.take(), start, before, after });
        stage = 'between';
        needsComma = isArray;
        if (isLast) continue;
      }
      if (' \t\r\n'.includes(char)) continue;
      count(at);
      if (stage === 'end') throw problem('there is text after the array of orders');
      if (stage === 'start' && char === '[') {
        isArray = true;
        stage = 'between';
      } else if (isArray && char === ']') stage = 'end';
      else if (isArray && char === ',') {
        if (!needsComma) throw problem('an order is missing before the comma');
        needsComma = false;
      } else {
        if (needsComma) throw problem('a comma is missing between two orders');
        stage = 'value';
        [from, start, before] = [at, position, endOfLine(lineEnd, chunk, at)];
        extent = new ValueExtent();
        extent.isLast(char);
      }
    }
    if (stage === 'value') text.add(chunk.slice(from));
    lineEnd = endOfLine(lineEnd, chunk, chunk.length);
    count(chunk.length);
  }
  if (stage === 'value') yield jsonOrder(file, { text: text.take().trimEnd(), start, before, after: '' });
  else if (isArray && stage !== 'end') throw problem('the array of orders has no ]');
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
