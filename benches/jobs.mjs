/** What is measured inside one process or page: P1, P2, P5 and P8. */
import { createDraft, newOrderId } from '../pkg/dist/esm/index.js';
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

/** P2: one quantity changed, new verdict and totals, beside zod's full pass over 10 lines. */
export function liveEdits() {
  const small = orderOf(10);
  const edits = SIZES.filter((lines) => lines > 10).map((lines) => [`${lines}`, edit(lines)]);
  return compare({ A: () => A(small), own: edit(10), ...Object.fromEntries(edits) });
}

function edit(lines) {
  const draft = createDraft(orderOf(lines));
  const pointer = `/Items/${lines >> 1}/Quantity`;
  let quantity = 1;
  return () => {
    quantity = (quantity % 50) + 1;
    draft.set(pointer, quantity);
    const { ok, issues } = draft.verdict();
    const { subtotal, total } = draft.preview();
    return { ok, issues, subtotal, total };
  };
}

/** P5: a new id. */
export function newIds() {
  return compare({ own: newOrderId, platform: () => crypto.randomUUID(), uuid: () => newId() });
}
