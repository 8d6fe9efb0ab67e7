/** Verdict, totals and request of one order. */
import { type EvaluationHead, prepare, preview, requestOf, split, verdictOf } from './core-response.js';
import { OrderValidationError } from './errors.js';
import { call } from './loader.js';
import type { Evaluation, Guid, Issue, PreparedRequest, Preview, SalesOrder, Totals } from './types.js';

/** What later calls of the core need, and what they have returned. */
export interface Evaluated {
  readonly orderId: Guid | null;
  /** Returns the JSON of the order as it was evaluated. */
  readonly json: () => string;
  /** Returns the JSON of the options. */
  readonly options: () => string;
  // Own members from the start: a program may have added some of these names to Object.prototype.
  order: SalesOrder | null | undefined;
  preview: Preview | undefined;
  request: PreparedRequest | undefined;
}

export function evaluatedOf(
  orderId: Guid | null,
  json: () => string,
  options: () => string,
  request?: PreparedRequest,
): Evaluated {
  return { orderId, json, options, order: undefined, preview: undefined, request };
}

export function evaluate(order: string, options: string): Evaluation {
  const { head, payload } = split<EvaluationHead>(call('evaluateOrder', order, options));
  const { orderId, issues, totals, request } = head as EvaluationHead;
  const prepared = request && payload !== undefined ? requestOf(request, payload) : undefined;
  const evaluated = evaluatedOf(
    orderId,
    () => order,
    () => options,
    prepared,
  );
  return new OrderEvaluation(payload !== undefined, issues, totals, evaluated);
}

const EVALUATED: unique symbol = Symbol('evaluated');

/**
 * `ok`, `issues` and `totals` are data; the rest is computed on the first call.
 *
 * What it is computed from is a hidden property: structuredClone refuses functions, and a private field can't be read
 * through a proxy, in which libraries for state may wrap an evaluation.
 */
export class OrderEvaluation implements Evaluation {
  readonly ok: boolean;
  readonly issues: Issue[];
  readonly totals: Totals;
  declare readonly [EVALUATED]: Evaluated;

  constructor(ok: boolean, issues: Issue[], totals: Totals, evaluated: Evaluated) {
    this.ok = ok;
    this.issues = issues;
    this.totals = totals;
    // Configurable: a proxy may return a proxy of it. The descriptor has no prototype, because a program may have added `get`
    // to that of all objects.
    const descriptor = { __proto__: null, value: evaluated, configurable: true };
    Object.defineProperty(this, EVALUATED, descriptor as PropertyDescriptor);
  }

  /** Keeps Vue from wrapping it in a proxy, which would cost time at each access. */
  get [Symbol.toStringTag](): string {
    return 'Evaluation';
  }

  // The three methods are getters of functions, so that they can be destructured.

  get order(): () => SalesOrder | null {
    const { ok, [EVALUATED]: evaluated } = this;
    return () => {
      // An order without errors has an Id, so this call generates none.
      evaluated.order ??= ok ? verdictOf(call('buildOrder', evaluated.json(), evaluated.options())).order : null;
      return evaluated.order;
    };
  }

  get preview(): () => Preview {
    const { [EVALUATED]: evaluated } = this;
    return () => (evaluated.preview ??= preview(evaluated.json(), evaluated.options()));
  }

  get request(): () => PreparedRequest {
    const { ok, issues, [EVALUATED]: evaluated } = this;
    return () => {
      if (!ok) throw new OrderValidationError(evaluated.orderId, issues);
      return (evaluated.request ??= prepare(evaluated.json(), evaluated.options()));
    };
  }
}
