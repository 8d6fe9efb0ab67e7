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
  readonly options: string;
}

export function evaluate(order: string, options: string): Evaluation {
  const { head, payload } = split<EvaluationHead>(call('evaluateOrder', order, options));
  const { orderId, issues, totals, request } = head as EvaluationHead;
  const evaluated: Evaluated = { orderId, order: () => order, options };
  const prepared = request && payload !== undefined ? requestOf(request, payload) : undefined;
  return new OrderEvaluation(prepared !== undefined, issues, totals, evaluated, prepared);
}

/** Only `ok`, `issues` and `totals` are data: what has a cost is computed on the first call, and stored. */
export class OrderEvaluation implements Evaluation {
  readonly ok: boolean;
  readonly issues: Issue[];
  readonly totals: Totals;
  declare readonly order: () => SalesOrder | null;
  declare readonly preview: () => Preview;
  declare readonly request: () => PreparedRequest;

  constructor(ok: boolean, issues: Issue[], totals: Totals, evaluated: Evaluated, prepared?: PreparedRequest) {
    this.ok = ok;
    this.issues = issues;
    this.totals = totals;
    const { orderId, options } = evaluated;
    const errors = ok ? [] : [...issues];

    // An order without errors has an Id, so that none is made here.
    define(
      this,
      'order',
      once(() => (ok ? verdictOf(call('buildOrder', evaluated.order(), options)).order : null)),
    );
    define(
      this,
      'preview',
      once(() => preview(evaluated.order(), options)),
    );
    define(
      this,
      'request',
      once(() => {
        if (!ok) throw new OrderValidationError(orderId, errors);
        return prepared ?? prepare(evaluated.order(), options);
      }),
    );
  }

  /** Keeps libraries that wrap plain objects in a proxy (Vue) from wrapping this one. */
  get [Symbol.toStringTag](): string {
    return 'Evaluation';
  }
}

/** Not enumerable: structuredClone refuses functions. They need no `this`, so that they work destructured and in a proxy. */
function define(evaluation: OrderEvaluation, name: string, value: () => unknown): void {
  Object.defineProperty(evaluation, name, { value, configurable: true });
}

/** Returns a function that computes on the first call. */
function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= compute());
}
