/** Verdict, totals and request of one order. */
import { Fields } from './fields.js';
import { issuesOf, preview, prepare, preparedRequest, targetOf, totalsOf, verdictOf } from './core-response.js';
import { OrderValidationError } from './errors.js';
import { hide } from './hidden.js';
import { call } from './loader.js';
import type { Evaluation, Guid, Issue, PreparedRequest, Preview, SalesOrder, Totals } from './types.js';

/** The inputs of later calls of the core, and their results. */
interface Evaluated {
  readonly orderId: Guid | null;
  /** The JSON of the order as it was evaluated. */
  readonly json: string;
  /** The JSON of the options. */
  readonly options: string;
  // Own members from the start: a program may have added some of these names to Object.prototype.
  order: SalesOrder | null | undefined;
  preview: Preview | undefined;
  /** Makes the request from what the core has returned; undefined if the order can't be sent. */
  readonly requestOf: (() => PreparedRequest) | undefined;
  request: PreparedRequest | undefined;
}

export function evaluate(json: string, options: string): Evaluation {
  const fields = new Fields(call('evaluateOrder', json, options));
  const { ok, orderId, path } = targetOf(fields);
  const issues = fields.optional();
  const issuesOfRequest = fields.optional() ?? issues;
  const totals = totalsOf(fields);
  const request =
    orderId !== null && path !== null
      ? () => preparedRequest(orderId, path, fields.rest() ?? json, issuesOf(issuesOfRequest))
      : undefined;
  const evaluated = {
    orderId,
    json,
    options,
    order: undefined,
    preview: undefined,
    requestOf: request,
    request: undefined,
  };
  // A class can't implement a union: its methods depend on `ok`.
  return new OrderEvaluation(ok, issuesOf(issues), totals, evaluated) as Evaluation;
}

const EVALUATED: unique symbol = Symbol('evaluated');

/**
 * `ok`, `issues` and `totals` are data; the rest is computed on the first call.
 *
 * The data for the rest is hidden, because structuredClone refuses functions.
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
    hide(this, EVALUATED, evaluated);
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
      return (evaluated.order ??= verdictOf(call('buildOrder', evaluated.json, evaluated.options)).order);
    };
  }

  get preview(): () => Preview {
    const { [EVALUATED]: evaluated } = this;
    return () => (evaluated.preview ??= preview(evaluated.json, evaluated.options));
  }

  get request(): () => PreparedRequest {
    const { ok, issues, [EVALUATED]: evaluated } = this;
    return () => {
      if (!ok) throw new OrderValidationError(evaluated.orderId, issues);
      return (evaluated.request ??= evaluated.requestOf?.() ?? prepare(evaluated.json, evaluated.options));
    };
  }
}
