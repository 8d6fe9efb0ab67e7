/** Reads what the core returns: one line of JSON, the head, and sometimes a payload after a line break. */
import { OptionError, OrderValidationError } from './errors.js';
import { call } from './loader.js';
import type { Guid, Issue, PreparedRequest, Preview, SalesOrder, Totals, Verdict } from './types.js';

/** The head of a response of the core about one order. */
export interface EvaluationHead {
  orderId: Guid | null;
  issues: Issue[];
  totals: Totals;
  /** Only if no issue is an error. */
  request?: RequestHead;
}

export type RequestHead = Pick<PreparedRequest, 'version' | 'orderId' | 'path' | 'issues'>;

/** The core writes this member first, and only if an option is wrong. */
const INVALID_OPTION = '{"invalidOption":';

/** Splits a response of the core. An order without issues has an empty head. */
export function split<Head>(response: string): { head: Head | undefined; payload: string | undefined } {
  const end = response.indexOf('\n');
  const line = end < 0 ? response : response.slice(0, end);
  if (line.startsWith(INVALID_OPTION)) {
    const { invalidOption, option } = JSON.parse(line) as { invalidOption: string; option: string };
    throw new OptionError(invalidOption, option);
  }
  return {
    head: line === '' ? undefined : (JSON.parse(line) as Head),
    payload: end < 0 ? undefined : response.slice(end + 1),
  };
}

/** Copies an issue that is stored: a caller may change what it gets. */
export function copyOfIssue(issue: Issue): Issue {
  const { path, params } = issue;
  return { ...issue, path: [...path], ...(params && { params: { ...params } }) };
}

export function verdictOf(response: string): Verdict {
  const { head, payload } = split<{ issues: Issue[] }>(response);
  const issues = head?.issues ?? [];
  if (payload === undefined) return { ok: false, order: null, issues };
  return { ok: true, order: JSON.parse(payload) as SalesOrder, issues };
}

/** Requests the preview with its lines from the core. */
export function preview(order: string, options: string): Preview {
  return split<Preview>(call('previewOrder', order, options)).head as Preview;
}

/** Requests the PUT from the core. Throws {@link OrderValidationError} if an issue is an error. */
export function prepare(order: string, options: string): PreparedRequest {
  const { head, payload } = split<RequestHead & { orderId: Guid | null }>(call('prepareRequest', order, options));
  const { orderId, issues } = head as RequestHead;
  if (payload === undefined) throw new OrderValidationError(orderId, issues);
  return requestOf(head as RequestHead, payload);
}

export function requestOf({ version, orderId, path, issues }: RequestHead, body: string): PreparedRequest {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version, orderId, path, headers, body, issues };
}
