/** What is measured inside one process or page: P1, P2, P5 and P8. */
import { createEvaluator, newOrderId } from '../pkg/dist/esm/index.js';
import { compare } from './measure.mjs';
import { SIZES, orderOf, orderWithFiveIssues } from './orders.mjs';
import { prepare as own } from './own.mjs';
import { prepare as B } from './peers/ajv.mjs';
import { newId } from './peers/uuid.mjs';
import { prepare as C } from './peers/valibot.mjs';
import { prepare as A } from './peers/zod.mjs';

/** P1: verdict, totals and body, by number of lines; and of an order with five issues. */
export function wholeOrders() {
  const orders = SIZES.map((lines) => [`${lines}`, orderOf(lines)]);
  return Object.fromEntries([...orders, ['issues', orderWithFiveIssues()]].map(([name, order]) => [name, job(order)]));
}

function job(order) {
  return compare({ A: () => A(order), B: () => B(order), C: () => C(order), own: () => own(order) });
}

/** P8: the same, one order size beside the other. */
export function perLine() {
  const [smallest, ...larger] = SIZES.filter((lines) => lines >= 10).map((lines) => [`${lines}`, orderOf(lines)]);
  return compare(
    Object.fromEntries([['own', smallest[1]], ...larger].map(([name, order]) => [name, () => own(order)])),
  );
}

/** P2: one line replaced in a copy of the order, new verdict and totals, beside zod's full pass over 10 lines. */
export function liveEdits() {
  const small = orderOf(10);
  const edits = SIZES.filter((lines) => lines > 10).map((lines) => [`${lines}`, edit(lines)]);
  return compare({ A: () => A(small), own: edit(10), ...Object.fromEntries(edits) });
}

function edit(lines) {
  const evaluate = createEvaluator();
  const at = lines >> 1;
  let order = orderOf(lines);
  let quantity = 1;
  return () => {
    quantity = (quantity % 50) + 1;
    const Items = [...order.Items];
    Items[at] = { ...Items[at], Quantity: quantity };
    order = { ...order, Items };
    const { ok, issues, totals } = evaluate(order);
    return { ok, issues, subtotal: totals.subtotal, total: totals.total };
  };
}

/** P5: a new id. */
export function newIds() {
  return compare({ own: newOrderId, platform: () => crypto.randomUUID(), uuid: () => newId() });
}
