/** Asks the core about an order and reads what it returns: one line of JSON, the head, and sometimes a payload after a line break. */
import { OptionError, OrderValidationError } from './errors.js';
import type { CoreFunction } from './instance.js';
import { call } from './loader.js';
import { escaped, type Written } from './order-writer.js';
import type { Guid, Issue, PreparedRequest, Preview, SalesOrder, Verdict, Version } from './types.js';

/** The core writes this member first, and only if an option is wrong. */
const INVALID_OPTION = '{"invalidOption":';

interface Asked {
  /** The JSON that the core has read. */
  json: string;
  response: string;
}

/** Calls a function of the core with an order, and once more if the order has to be written with escapes. */
export function ask(name: CoreFunction, order: Written, options: string, third = ''): Asked {
  const response = call(name, order.text, options, third, order.marks);
  if (response !== '') return { json: order.text, response };
  const json = escaped(order).text;
  return { json, response: call(name, json, options, third) };
}

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

export function verdictOf({ response }: Asked): Verdict {
  const { head, payload } = split<{ issues: Issue[] }>(response);
  const issues = head?.issues ?? [];
  if (payload === undefined) return { ok: false, order: null, issues };
  return { ok: true, order: JSON.parse(payload) as SalesOrder, issues };
}

/** Requests the preview with its lines from the core. */
export function preview(order: Written, options: string): Preview {
  return split<Preview>(ask('previewOrder', order, options).response).head as Preview;
}

/** What the core returns about a request (`prepare_request` in wasm/src/json_api.rs). */
type RequestHead<Issues> = [orderId: Guid | null, path: string | null, isBody: boolean, issues: Issues];

/** Requests the PUT from the core. Throws {@link OrderValidationError} if an issue is an error. */
export function prepare(order: Written, options: string): PreparedRequest {
  const { json, response } = ask('prepareRequest', order, options);
  const { head, payload = json } = split<RequestHead<Issue[]>>(response);
  const [orderId, path, , issues] = head as RequestHead<Issue[]>;
  if (orderId === null || path === null) throw new OrderValidationError(orderId, issues);
  return requestOf(orderId, path, payload, issues);
}

export function requestOf(orderId: Guid, path: string, body: string, issues: Issue[]): PreparedRequest {
  const version = path.slice(0, path.indexOf('/')) as Version;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version, orderId, path, headers, body, issues };
}
