/** Answers of the core become values. */
import { OrderValidationError } from './errors.js';
import type { Issue, PreparedRequest, Preview, PreviewLine, SalesOrderV2V3Put, Verdict } from './types.js';

interface Head {
  ok?: boolean;
  issues: Issue[];
  invalidOption?: string;
}

/** An answer: a line of JSON, empty where there is nothing to say, and the payload after it, if any. */
export function answerOf(text: string): { head: Head; payload: string | undefined } {
  const end = text.indexOf('\n');
  const line = end < 0 ? text : text.slice(0, end);
  const head: Head = line === '' ? { ok: true, issues: [] } : (JSON.parse(line) as Head);
  if (head.invalidOption !== undefined) throw new TypeError(head.invalidOption);
  return { head, payload: end < 0 ? undefined : text.slice(end + 1) };
}

/** Most callers look at `ok` and `issues` only, so the order is parsed when it is first read. */
export function verdictOf(text: string): Verdict {
  const { head, payload } = answerOf(text);
  if (payload === undefined) return { ok: false, issues: head.issues };
  let order: SalesOrderV2V3Put | undefined;
  return {
    ok: true,
    get order() {
      return (order ??= JSON.parse(payload) as SalesOrderV2V3Put);
    },
    issues: head.issues,
  };
}

const LINES = '"lines":[';
const AFTER_LINES = '],"subtotal":';

/** A preview. Its lines stand between these two; in a text within them the quotes would be escaped. */
export function previewed(text: string): Preview {
  const start = text.indexOf(LINES);
  const end = text.indexOf(AFTER_LINES, start);
  if (start < 0 || end < 0) return answerOf(text).head as unknown as Preview;
  const totals = JSON.parse(text.slice(0, start) + text.slice(end + 2)) as Omit<Preview, 'lines'>;
  return withLines(totals, () => JSON.parse(text.slice(start + LINES.length - 1, end + 1)) as PreviewLine[]);
}

/** Most callers look at the totals only, so the lines are made when they are first read. */
export function withLines({ version, scale, rounding, ...rest }: Omit<Preview, 'lines'>, make: () => PreviewLine[]): Preview {
  let lines: PreviewLine[] | undefined;
  return {
    version,
    scale,
    rounding,
    get lines() {
      return (lines ??= make());
    },
    ...rest,
  };
}

export function prepared(text: string): PreparedRequest {
  const { head, payload } = answerOf(text);
  if (payload === undefined) throw new OrderValidationError(head.issues);
  const { version, orderId, path, issues } = head as unknown as PreparedRequest;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version, orderId, path, headers, body: payload, issues };
}
