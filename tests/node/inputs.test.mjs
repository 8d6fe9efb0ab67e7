// Tests that the result depends on the values of an order only: not on the form in which the caller gives them, nor on
// what the caller's objects do while they are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fresh, installed } from './installed.mjs';
import { item, minimalOrder } from './orders.mjs';
import { optionsOf, ordersOf, randomOf } from './random-orders.mjs';

const { esm } = await installed();
const { evaluateOrder, prepareRequest } = esm;

/** The number of random orders; `make nightly` sets more. */
const ORDERS = Number(process.env.ORDERS ?? 5_000);
const SEED = Number(process.env.SEED ?? 20_261_123);
const TAXES = [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: 3.5 }];

test(`${ORDERS.toLocaleString('en')} random orders have the same result as an object and as JSON, with their members in any order`, () => {
  const random = randomOf(SEED);
  const { plain, spoil } = ordersOf(random);
  let ok = 0;
  for (let number = 0; number < ORDERS; number++) {
    const order = plain();
    while (random() < 0.3) spoil(order);
    const json = jsonOf(order);
    if (!json.startsWith('{')) continue;
    // Records that are passed through are sent as they were written.
    const { records: _, ...options } = optionsOf(random) ?? {};
    const object = shown(JSON.parse(json), options);
    assert.deepEqual(shown(json, options), object, `order ${number}`);
    const otherwise = shown(JSON.stringify(shuffled(JSON.parse(json), random)), options);
    assert.deepEqual(withMembersOfBody(otherwise), withMembersOfBody(object), json);
    if (object.ok) ok++;
  }
  assert.ok(ok > ORDERS / 10, `only ${ok} orders are valid`);
});

test('a proxy, and a getter, have the result of a plain object', () => {
  const expected = shown(minimalOrder({ Notes: 'read' }));
  for (const input of [
    Object.defineProperty(minimalOrder(), 'Notes', { get: () => 'read', enumerable: true }),
    new Proxy(minimalOrder({ Notes: 'read' }), {}),
    minimalOrder({ Items: new Proxy([item()], {}), Notes: 'read' }),
    minimalOrder({ Items: [new Proxy(item(), {})], Notes: 'read' }),
  ])
    assert.deepEqual(shown(input), expected);
});

test('a getter that evaluates another order does not disturb the one that is being read', () => {
  const order = minimalOrder({ Taxes: TAXES });
  const other = minimalOrder({ Items: [item(), item({ Quantity: 7 })], Taxes: [{ ...TAXES[0], TaxAmount: 1 }] });
  const getter = (value) => ({ get: () => evaluateOrder(other) && value, enumerable: true });
  const spied = Object.defineProperty(minimalOrder(), 'Taxes', getter(TAXES));
  Object.defineProperty(spied.Items[0], 'Quantity', getter(order.Items[0].Quantity));
  assert.deepEqual(shown(spied), shown(order));
});

test('changing a result does not change others', () => {
  const order = minimalOrder({ CustomerId: '2a8f5d33-eec9-4864-8b49-5636577b40d5', Unknown: 1 });
  const first = evaluateOrder(order);
  const expected = JSON.stringify(evaluateOrder(order));
  const request = JSON.stringify(prepareRequest(order));
  first.issues.forEach((issue) => {
    issue.path.push('changed');
    issue.message = 'changed';
  });
  first.request().issues.push('changed');
  first.totals.discount.entries.push('changed');
  first.totals.tax.entries.push('changed');
  assert.equal(JSON.stringify(evaluateOrder(order)), expected);
  assert.equal(JSON.stringify(prepareRequest(order)), request);
});

test('the first order may be large, and have issues', () => {
  const Items = Array.from({ length: 5_000 }, () => item());
  Items[4_999].Quantity = -1;
  const order = minimalOrder({ Items, CustomerId: '2a8f5d33-eec9-4864-8b49-5636577b40d5' });
  const { issues } = evaluateOrder(order);
  assert.equal(issues.length, 3);
  assert.deepEqual(fresh().evaluateOrder(order).issues, issues);
  assert.deepEqual(fresh().createEvaluator()(order).issues, issues);
});

/** Returns the JSON of an order; `{}` if it has none. */
function jsonOf(order) {
  try {
    return JSON.stringify(order) ?? '{}';
  } catch {
    return '{}';
  }
}

/** The unknown members that the generator makes in an order. */
const UNKNOWN = ['Unknown', 'toJSON', 'name', 'LineDollarAmount', 'PackageId', 'Batch'];

/** Returns a copy with the known members of the order in another order; unknown ones stay in theirs (D56). */
function shuffled(order, random) {
  const members = Object.entries(order);
  const isKnown = ([name, _]) => !UNKNOWN.includes(name);
  const known = members.filter(isKnown).map((member) => ({ member, key: random() }));
  const others = members.filter((member) => !isKnown(member));
  return Object.fromEntries([...known.sort((a, b) => a.key - b.key).map(({ member }) => member), ...others]);
}

/** Replaces the body of the request, which has the members in the order of the caller, by its members, with all digits of numbers. */
function withMembersOfBody(result) {
  const { body } = result.request ?? {};
  if (typeof body !== 'string') return result;
  const digits = body.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token[0] === '"' ? token : `"#${token}"`,
  );
  return { ...result, request: { ...result.request, body: JSON.parse(digits) } };
}

/** Returns everything observable of an evaluation. */
function shown(input, options) {
  try {
    return shownEvaluation(evaluateOrder(input, options));
  } catch (error) {
    return thrown(error);
  }
}

function shownEvaluation({ ok, issues, totals, order, preview, request }) {
  return { ok, issues, totals, order: order(), preview: preview(), request: requestOf(request) };
}

function requestOf(request) {
  try {
    return request();
  } catch (error) {
    return thrown(error);
  }
}

function thrown(error) {
  assert.ok(error instanceof esm.OrderValidationError || error instanceof esm.OptionError, error);
  const { name, message, issues, option } = error;
  return { name, message, issues, option };
}
