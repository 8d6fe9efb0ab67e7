/** Answers of the core become values. */
import { OrderValidationError } from './errors.js';
import { call } from './loader.js';
import type {
  Issue,
  PreparedOrder,
  PreparedRequest,
  Preview,
  PreviewLine,
  SalesOrderV2V3Put,
  Verdict,
} from './types.js';

/** A preview without its lines. */
export type Totals = Omit<Preview, 'lines'>;

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

/** A preview from its totals. Most callers look at these only, so the lines are made when they are first read. */
export function withLines({ version, scale, rounding, ...rest }: Totals, make: () => PreviewLine[]): Preview {
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

/** The core is asked once more when the lines are read: they are half of its work. */
export function previewed(order: string, options: string): Preview {
  return withLines(totalsIn(call('previewTotals', order, options)), () => linesOf(order, options));
}

export function linesOf(order: string, options: string): PreviewLine[] {
  return (answerOf(call('previewOrder', order, options)).head as unknown as Preview).lines;
}

export function totalsIn(text: string): Totals {
  return answerOf(text).head as unknown as Totals;
}

export function prepared(text: string): PreparedRequest {
  const { head, payload } = answerOf(text);
  if (payload === undefined) throw new OrderValidationError(head.issues);
  return requestOf(head, payload);
}

export function preparedWithTotals(order: string, options: string): PreparedOrder {
  const { head, payload } = answerOf(call('prepareOrder', order, options));
  const { issues } = head;
  const preview = withLines((head as unknown as { preview: Totals }).preview, () => linesOf(order, options));
  if (payload === undefined) return { ok: false, request: null, preview, issues };
  return { ok: true, request: requestOf(head, payload), preview, issues };
}

function requestOf(head: Head, body: string): PreparedRequest {
  const { version, orderId, path, issues } = head as unknown as PreparedRequest;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version, orderId, path, headers, body, issues };
}
