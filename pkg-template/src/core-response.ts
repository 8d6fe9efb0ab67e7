/** Asks the core about an order, and reads what it returns. */
import { Fields } from './fields.js';
import { OrderValidationError } from './errors.js';
import { hide } from './hidden.js';
import { call } from './loader.js';
import type {
  DecimalString,
  Guid,
  Issue,
  PreparedRequest,
  Preview,
  SalesOrder,
  Totals,
  Verdict,
  Version,
} from './types.js';

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

/** Reads the totals of an order (`write_totals` in wasm/src/orders/evaluation.rs). */
export function totalsOf(fields: Fields): Totals {
  const version = fields.text() as Version;
  const scale = fields.number();
  const rounding = fields.text() as Totals['rounding'];
  const subtotal = fields.decimal();
  const discount: Totals['discount'] = { total: fields.decimal(), entries: [] };
  for (let count = fields.number(); count > 0; count--)
    discount.entries.push({ name: fields.optional(), amount: fields.decimal() });
  const source = fields.text() as Totals['tax']['source'];
  const tax: Totals['tax'] = { source, total: fields.decimal(), entries: [] };
  for (let count = fields.number(); count > 0; count--)
    tax.entries.push({ taxId: fields.text(), name: fields.optional(), amount: fields.decimal() as DecimalString });
  const total = fields.decimal();
  return { version, scale, rounding, subtotal, discount, tax, total };
}

/** Requests the preview with its lines from the core. */
export function preview(order: string, options: string): Preview {
  const fields = new Fields(call('previewOrder', order, options));
  return { ...totalsOf(fields), ...(JSON.parse(fields.rest() as string) as Omit<Preview, keyof Totals>) };
}

/** What the core returns about the request of an order (`write_target` in wasm/src/orders/request.rs). */
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

/** Throws OptionError if an option is wrong. Any call of the core with options checks them. */
export function checkOptions(options: string): void {
  call('validateOrder', '', options);
}

/** A request as the client sends it. The headers are always the same (D39). */
export interface OrderRequest extends Omit<PreparedRequest, 'headers'> {
  /** What a response must have to prove that the order was created (D26), as the core writes and reads it. */
  readonly expected: string;
}

/** Prepares the PUT of an order. Throws {@link OrderValidationError} if an issue is an error. */
export function requestOf(order: string, options: string): OrderRequest {
  const fields = new Fields(call('prepareRequest', order, options));
  const { orderId, path } = targetOf(fields);
  const issues = issuesOf(fields.optional());
  const expected = fields.optional();
  if (orderId === null || path === null || expected === null) throw new OrderValidationError(orderId, issues);
  return { method: 'PUT', version: versionIn(path), orderId, path, body: fields.rest() ?? order, issues, expected };
}

/** The hidden request of {@link prepare} as it was made: a program may store the visible one as JSON, or change it. */
const MADE: unique symbol = Symbol('made');

/** Prepares the PUT of an order, for a program. */
export function prepare(order: string, options: string): PreparedRequest {
  const request = requestOf(order, options);
  const prepared = preparedRequest(request.orderId, request.path, request.body, request.issues);
  hide(prepared, MADE, request);
  return prepared;
}

/** Returns a request of {@link prepare} that nobody has changed; undefined for any other. */
export function madeRequest(prepared: object): OrderRequest | undefined {
  const request = (prepared as { [MADE]?: OrderRequest })[MADE];
  const names = ['version', 'orderId', 'path', 'body'] as const;
  const isSame = request && names.every((name) => request[name] === (prepared as PreparedRequest)[name]);
  return isSame ? request : undefined;
}

export function preparedRequest(orderId: Guid, path: string, body: string, issues: Issue[]): PreparedRequest {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version: versionIn(path), orderId, path, headers, body, issues };
}

function versionIn(path: string): Version {
  return path.slice(0, path.indexOf('/')) as Version;
}
