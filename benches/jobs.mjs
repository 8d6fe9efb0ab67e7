/** What is measured inside one process or page: P1, P2, P5 and P8. */
import { createEvaluator, newOrderId } from '../pkg/dist/esm/index.js';
import { compare } from './measure.mjs';
import { SIZES, orderOf, orderWithFiveIssues } from './orders.mjs';
import { prepare as own } from './own.mjs';
import { prepare as B } from './peers/ajv.mjs';
import { newId } from './peers/uuid.mjs';
import { prepare as C } from './peers/valibot.mjs';
import { prepare as A } from './peers/zod.mjs';

/** Lines of all orders of one size: enough for many distinct orders, and few enough for the memory of a page. */
const LINES = 20_000;
const MOST_ORDERS = 200;
const LEAST_ORDERS = 3;

/** P1: verdict, totals and body, by number of lines; and of orders with five issues. */
export function wholeOrders() {
  const results = Object.fromEntries(SIZES.map((lines) => [lines, job(ordersOf(lines, orderOf))]));
  return { ...results, issues: job(ordersOf(10, orderWithFiveIssues)) };
}

function job(orders) {
  return compare({ A: inTurn(A, orders), B: inTurn(B, orders), C: inTurn(C, orders), own: inTurn(own, orders) });
}

/** Distinct orders: one object again and again would be in the caches of the engine. */
function ordersOf(lines, make) {
  const length = Math.max(LEAST_ORDERS, Math.min(MOST_ORDERS, LINES / lines));
  return Array.from({ length }, (_, number) => make(lines, number));
}

/** Calls a function with one order after the other. */
function inTurn(work, orders) {
  let next = 0;
  return () => work(orders[next++ % orders.length]);
}

/** P8: the time of a call with 10,000 lines and with 1,000, and of one with a single line, which is the fixed cost. */
export function perLine() {
  const [own10000, own1000, own1] = [10_000, 1_000, 1].map((lines) => inTurn(own, ordersOf(lines, orderOf)));
  return compare({ own: own10000, 1000: own1000, 1: own1 });
}

/** P2: one line replaced, new verdict and totals, beside zod's full pass over 10 lines. */
export function liveEdits() {
  const small = ordersOf(10, orderOf);
  return compare({ A: inTurn(A, small), own: edit(10), 10000: edit(10_000) });
}

/** Gives an evaluator one version of an order after the other; each has one line that the version before does not have. */
function edit(lines) {
  const evaluate = createEvaluator();
  const order = orderOf(lines);
  const versions = Array.from({ length: 20 }, (_, number) => {
    const Items = [...order.Items];
    Items[lines >> 1] = { ...Items[lines >> 1], Quantity: number + 1 };
    return { ...order, Items };
  });
  return inTurn((version) => {
    const { ok, issues, totals } = evaluate(version);
    return { ok, issues, subtotal: totals.subtotal, total: totals.total };
  }, versions);
}

/** P5: a new id. */
export function newIds() {
  return compare({ own: newOrderId, platform: () => crypto.randomUUID(), uuid: () => newId() });
}
