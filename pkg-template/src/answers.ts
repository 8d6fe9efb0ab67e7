/** Answers of the core become values. */
import { OrderValidationError } from './errors.js';
import type { Issue, PreparedRequest, Preview, SalesOrderV2V3Put, Verdict } from './types.js';

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

export function previewed(text: string): Preview {
  return answerOf(text).head as unknown as Preview;
}

export function prepared(text: string): PreparedRequest {
  const { head, payload } = answerOf(text);
  if (payload === undefined) throw new OrderValidationError(head.issues);
  const { version, orderId, path, issues } = head as unknown as PreparedRequest;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version, orderId, path, headers, body: payload, issues };
}
