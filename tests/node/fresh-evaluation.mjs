/** Compares evaluations of createEvaluator with fresh ones. */
import assert from 'node:assert/strict';
import { installed } from './installed.mjs';

const { esm } = await installed();

/** Asserts that an evaluation equals a fresh one of the same order; `withRest`: also what it computes later. */
export function same(evaluation, order, options, withRest = true) {
  const fresh = esm.evaluateOrder(order, options);
  try {
    assert.deepEqual(evaluation, fresh);
    if (!withRest) return;
    assert.deepEqual(settled(evaluation.order), settled(fresh.order));
    assert.deepEqual(evaluation.preview(), fresh.preview());
    assert.deepEqual(settled(evaluation.request), settled(fresh.request));
  } catch (error) {
    error.message += `\noptions ${JSON.stringify(options)}, order ${JSON.stringify(order)?.slice(0, 4000)}`;
    throw error;
  }
}

/** Returns the order or the request, or the issues of the error. */
function settled(compute) {
  try {
    return compute();
  } catch (error) {
    assert.ok(error instanceof esm.OrderValidationError, error);
    return [error.orderId, error.issues];
  }
}
