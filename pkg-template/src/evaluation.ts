/** Verdict, totals and request of one order. */
import { prepare, preview, requestOf, split, verdictOf, type EvaluationHead } from './core-response.js';
import { OrderValidationError } from './errors.js';
import { call } from './loader.js';
import type { Evaluation, Guid, Issue, PreparedRequest, Preview, SalesOrder, Totals } from './types.js';

/** The JSON of an order and of the options: what later calls of the core need. */
export interface Evaluated {
  readonly orderId: Guid | null;
  /** Returns the JSON of the order as it was evaluated. */
  readonly order: () => string;
  readonly options: () => string;
}

export function evaluate(order: string, options: string): Evaluation {
  const { head, payload } = split<EvaluationHead>(call('evaluateOrder', order, options));
  const { orderId, issues, totals, request } = head as EvaluationHead;
  const evaluated: Evaluated = { orderId, order: () => order, options: () => options };
  const prepared = request && payload !== undefined ? requestOf(request, payload) : undefined;
  return new OrderEvaluation(prepared !== undefined, issues, totals, evaluated, prepared);
}

/** Only `ok`, `issues` and `totals` are data: what has a cost is computed on the first call, and stored. */
export class OrderEvaluation implements Evaluation {
  readonly ok: boolean;
  readonly issues: Issue[];
  readonly totals: Totals;
  readonly #evaluated: Evaluated;
  #order: SalesOrder | null | undefined;
  #preview: Preview | undefined;
  #request: PreparedRequest | undefined;

  constructor(ok: boolean, issues: Issue[], totals: Totals, evaluated: Evaluated, request?: PreparedRequest) {
    this.ok = ok;
    this.issues = issues;
    this.totals = totals;
    this.#evaluated = evaluated;
    this.#request = request;
  }

  /** Keeps libraries that wrap plain objects in a proxy (Vue) from wrapping this one: private members need the object. */
  get [Symbol.toStringTag](): string {
    return 'Evaluation';
  }

  // The three methods are getters of functions, so that they can be destructured.

  get order(): () => SalesOrder | null {
    return () => {
      const { order, options } = this.#evaluated;
      // An order without errors has an Id, so that none is made here.
      this.#order ??= this.ok ? verdictOf(call('buildOrder', order(), options())).order : null;
      return this.#order;
    };
  }

  get preview(): () => Preview {
    return () => (this.#preview ??= preview(this.#evaluated.order(), this.#evaluated.options()));
  }

  get request(): () => PreparedRequest {
    return () => {
      const { orderId, order, options } = this.#evaluated;
      if (!this.ok) throw new OrderValidationError(orderId, this.issues);
      return (this.#request ??= prepare(order(), options()));
    };
  }
}
