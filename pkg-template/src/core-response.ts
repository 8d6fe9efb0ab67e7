/** Asks the core about an order, and reads what it returns. */
import { Fields } from './fields.js';
import { OrderValidationError } from './errors.js';
import { call } from './loader.js';
import type { Guid, Issue, PreparedRequest, Preview, SalesOrder, Verdict, Version } from './types.js';

export function verdictOf(response: string): Verdict {
  const { issues, order } = receivedOf<SalesOrder>(response);
  return order === null ? { ok: false, order, issues } : { ok: true, order, issues };
}

/** Reads issues, and the order after them. */
export function receivedOf<Order>(response: string): { order: Order | null; issues: Issue[] } {
  const fields = new Fields(response);
  const issues = issuesOf(fields.optional());
  const order = fields.rest();
  return { order: order === undefined ? null : (JSON.parse(order) as Order), issues };
}

/** Reads issues, or that there are none. */
export function issuesOf(json: string | null): Issue[] {
  return json === null ? [] : (JSON.parse(json) as Issue[]);
}

/** Requests the preview with its lines from the core. */
export function preview(order: string, options: string): Preview {
  return JSON.parse(call('previewOrder', order, options)) as Preview;
}

/** What the core returns about the request of an order (`write_target` in wasm/src/request.rs). */
interface Target {
  readonly ok: boolean;
  readonly orderId: Guid | null;
  /** The path of the request; null if the order can't be sent. */
  readonly path: string | null;
}

const OK = 1;
const CAN_BE_SENT = 2;

export function targetOf(fields: Fields): Target {
  const flags = fields.number();
  const target = fields.optional();
  const path = flags & CAN_BE_SENT ? target : null;
  return {
    ok: (flags & OK) !== 0,
    orderId: path === null ? target : path.slice(path.indexOf('(') + 1, -1),
    path,
  };
}

/** Requests the PUT from the core. Throws {@link OrderValidationError} if an issue is an error. */
export function prepare(order: string, options: string): PreparedRequest {
  const fields = new Fields(call('prepareRequest', order, options));
  const { orderId, path } = targetOf(fields);
  const issues = issuesOf(fields.optional());
  if (orderId === null || path === null) throw new OrderValidationError(orderId, issues);
  return requestOf(orderId, path, fields.rest() ?? order, issues);
}

export function requestOf(orderId: Guid, path: string, body: string, issues: Issue[]): PreparedRequest {
  const version = path.slice(0, path.indexOf('/')) as Version;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version, orderId, path, headers, body, issues };
}
