/** The jobs that run inside one process or page: P1, P1b, P2, P5 and P8. */
import { createEvaluator, newOrderId } from '#package';
import { compare } from './measure.mjs';
import { MIX_SIZES, mixOf } from './mix.mjs';
import { SIZES, orderOf, orderWithFiveIssues } from './orders.mjs';
import { prepare as own } from './own.mjs';
import { prepare as ownMix } from './own-mix.mjs';
import { prepare as mixD } from './peers/mix/typebox.mjs';
import { prepare as mixE } from './peers/mix/valibot.mjs';
import { prepare as mixA } from './peers/mix/zod.mjs';
import { newId } from './peers/uuid.mjs';
import { prepare as E } from './peers/valibot.mjs';
import { prepare as D } from './peers/typebox.mjs';
import { prepare as A } from './peers/zod.mjs';

/** The stacks that can't run without generated code; undefined if it is forbidden. Zod, TypeBox and valibot can do without. */
const generating = mayGenerateCode() ? await import('./peers/generating.mjs') : undefined;

/** The number of lines of all orders of one size: enough for many distinct orders, few enough for the memory of a page. */
const LINES = 20_000;
const MOST_ORDERS = 200;
const LEAST_ORDERS = 3;

/** Measures P1: verdict, totals and body, by number of lines, and for orders with five issues. */
export function wholeOrders() {
  const results = Object.fromEntries(SIZES.map((lines) => [lines, job(ordersOf(lines, orderOf))]));
  return { ...results, issues: job(ordersOf(10, orderWithFiveIssues)) };
}

function job(orders) {
  return compareStacks({ A, 'A compiled': generating?.compiledA, B: generating?.B, D, E, own }, orders);
}

/** Measures P1b: verdict, totals and body of one order of each kind of the mix, by number of lines. */
export function realisticMix() {
  const { mixCompiledA, mixB } = generating ?? {};
  const stacks = { A: mixA, 'A compiled': mixCompiledA, B: mixB, D: mixD, E: mixE, own: ownMix };
  const each = (prepare) => prepare && ((orders) => orders.map(prepare));
  const inThrees = Object.fromEntries(Object.entries(stacks).map(([name, prepare]) => [name, each(prepare)]));
  return Object.fromEntries(MIX_SIZES.map((lines) => [lines, compareStacks(inThrees, ordersOf(lines, mixOf))]));
}

/** Leaves out the stacks that are undefined. */
function compareStacks(stacks, orders) {
  const able = Object.entries(stacks).filter(([, prepare]) => prepare);
  return compare(Object.fromEntries(able.map(([name, prepare]) => [name, inTurn(prepare, orders)])));
}

function mayGenerateCode() {
  try {
    return new Function('return true')();
  } catch {
    return false;
  }
}

/** Creates distinct orders, because the engine would cache a single object. */
function ordersOf(lines, make) {
  const length = Math.max(LEAST_ORDERS, Math.min(MOST_ORDERS, LINES / lines));
  return Array.from({ length }, (_, number) => make(lines, number));
}

/** Returns a function that calls `work` with the next order at each call. */
function inTurn(work, orders) {
  let next = 0;
  return () => work(orders[next++ % orders.length]);
}

/** Measures P8: the time of a call with 10,000 and with 1,000 lines. */
export function perLine() {
  const [own10000, own1000] = [10_000, 1_000].map((lines) => inTurn(own, ordersOf(lines, orderOf)));
  return compare({ own: own10000, 1000: own1000 });
}

/** Measures P2: a new verdict and totals after one line is replaced, compared with zod's full pass over as many lines. */
export function liveEdits() {
  const sizes = [1, 3, 10].map((lines) => [
    lines,
    compare({ A: inTurn(A, ordersOf(lines, orderOf)), own: edit(lines) }),
  ]);
  return Object.fromEntries(sizes);
}

/** Passes an evaluator one version of an order after the other; each differs from the previous one in one line. */
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

/** Measures P5: a new id. */
export function newIds() {
  return compare({ own: newOrderId, platform: () => crypto.randomUUID(), uuid: () => newId() });
}
