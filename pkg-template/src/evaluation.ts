/** Verdict, totals and request of one order. */
import { ask, preview, prepare, requestOf, split, verdictOf } from './core-response.js';
import { OrderValidationError } from './errors.js';
import { issuesOf, type ShortIssues, withoutAmounts } from './issue-texts.js';
import { call } from './loader.js';
import { ofJson, type Written } from './order-writer.js';
import type {
  DecimalString,
  Evaluation,
  Guid,
  Issue,
  PreparedRequest,
  Preview,
  SalesOrder,
  Totals,
  Version,
} from './types.js';

/** What the core returns about an order (`evaluate_order` in wasm/src/evaluation.rs). */
export type Head = [
  ok: boolean,
  orderId: Guid | null,
  path: string | null,
  isBody: boolean,
  issues: ShortIssues,
  totals: ShortTotals,
  runningTotals: string | null,
  beforeItems: number,
];

type Amount = DecimalString | null;
type ShortTotals = [
  version: Version,
  scale: number,
  rounding: Totals['rounding'],
  subtotal: Amount,
  discount: Amount,
  /** Name and amount by turns. */
  discounts: (string | null)[],
  source: Totals['tax']['source'],
  tax: Amount,
  /** TaxId, name and amount by turns. */
  taxes: (string | null)[],
  total: Amount,
  min: Amount,
  max: Amount,
];

export function totalsOf([
  version,
  scale,
  rounding,
  subtotal,
  discount,
  discounts,
  source,
  tax,
  taxes,
  total,
  min,
  max,
]: ShortTotals): Totals {
  const totals: Totals = {
    version,
    scale,
    rounding,
    subtotal,
    discount: { total: discount, entries: [] },
    tax: { source, total: tax, entries: [] },
    total,
    roundingRange: min !== null && max !== null ? { min, max } : null,
  };
  for (let i = 0; i < discounts.length; i += 2) {
    totals.discount.entries.push({ name: discounts[i] as string | null, amount: discounts[i + 1] as Amount });
  }
  for (let i = 0; i < taxes.length; i += 3) {
    const [taxId, amount] = [taxes[i] as string, taxes[i + 2] as DecimalString];
    totals.tax.entries.push({ taxId, name: taxes[i + 1] as string | null, amount });
  }
  return totals;
}

/** What later calls of the core need, and what they have returned. */
export interface Evaluated {
  readonly orderId: Guid | null;
  /** Returns the JSON of the order as it was evaluated. */
  readonly json: () => string;
  /** The JSON of the options. */
  readonly options: string;
  // Own members from the start: a program may have added some of these names to Object.prototype.
  order: SalesOrder | null | undefined;
  preview: Preview | undefined;
  /** Makes the request from what the core has returned; undefined if only the core can make it. */
  readonly requestOf: (() => PreparedRequest) | undefined;
  request: PreparedRequest | undefined;
}

export function evaluatedOf(
  orderId: Guid | null,
  json: () => string,
  options: string,
  requestOf?: () => PreparedRequest,
): Evaluated {
  return { orderId, json, options, order: undefined, preview: undefined, requestOf, request: undefined };
}

export function evaluate(order: Written, options: string): Evaluation {
  const { json, response } = ask('evaluateOrder', order, options);
  const { head, payload: body = json } = split<Head>(response);
  const [ok, orderId, path, , short, totals] = head as Head;
  const whole = () => JSON.parse(call('issuesOfOrder', json, options)) as Issue[];
  const request =
    orderId !== null && path !== null
      ? () => {
          const issues = issuesOf(withoutAmounts(short), () => prepare(ofJson(json), options).issues);
          return requestOf(orderId, path, body, issues);
        }
      : undefined;
  const evaluated = evaluatedOf(orderId, () => json, options, request);
  return evaluationOf(ok, issuesOf(short, whole), totalsOf(totals), evaluated);
}

export function evaluationOf(ok: boolean, issues: Issue[], totals: Totals, evaluated: Evaluated): Evaluation {
  // A class can't implement a union: its methods depend on `ok`.
  return new OrderEvaluation(ok, issues, totals, evaluated) as Evaluation;
}

const EVALUATED: unique symbol = Symbol('evaluated');

/**
 * Configurable: a proxy may return a proxy of it. It has no prototype, because a program may have added `get` to that of all
 * objects; such an object takes long to make.
 */
const DESCRIPTOR = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(null) as PropertyDescriptor, {
  value: undefined as Evaluated | undefined,
  configurable: true,
});

/**
 * `ok`, `issues` and `totals` are data; the rest is computed on the first call.
 *
 * What it is computed from is a hidden property: structuredClone refuses functions, and a private field can't be read
 * through a proxy, in which libraries for state may wrap an evaluation.
 */
class OrderEvaluation {
  readonly ok: boolean;
  readonly issues: Issue[];
  readonly totals: Totals;
  declare readonly [EVALUATED]: Evaluated;

  constructor(ok: boolean, issues: Issue[], totals: Totals, evaluated: Evaluated) {
    this.ok = ok;
    this.issues = issues;
    this.totals = totals;
    DESCRIPTOR.value = evaluated;
    Object.defineProperty(this, EVALUATED, DESCRIPTOR);
    DESCRIPTOR.value = undefined;
  }

  /** Keeps Vue from wrapping it in a proxy, which would cost time at each access. */
  get [Symbol.toStringTag](): string {
    return 'Evaluation';
  }

  // The three methods are getters of functions, so that they can be destructured.

  get order(): () => SalesOrder | null {
    const { ok, [EVALUATED]: evaluated } = this;
    return () => {
      // Without an Id there is no valid order, and building it would make one that the caller does not store (D3).
      if (!ok || evaluated.orderId === null) return null;
      return (evaluated.order ??= verdictOf(ask('buildOrder', ofJson(evaluated.json()), evaluated.options)).order);
    };
  }

  get preview(): () => Preview {
    const { [EVALUATED]: evaluated } = this;
    return () => (evaluated.preview ??= preview(ofJson(evaluated.json()), evaluated.options));
  }

  get request(): () => PreparedRequest {
    const { ok, issues, [EVALUATED]: evaluated } = this;
    return () => {
      if (!ok) throw new OrderValidationError(evaluated.orderId, issues);
      return (evaluated.request ??= evaluated.requestOf?.() ?? prepare(ofJson(evaluated.json()), evaluated.options));
    };
  }
}
