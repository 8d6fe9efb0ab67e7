// Tests that the fast lane for plain orders returns what the general path returns, as objects and as JSON. The option
// `allowEmptyTaxes: false`, which has no effect but which the lane does not support, turns the lane off.
//
//     LANE_ORDERS=1000000 node --test tests/node/plain.test.mjs

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fresh, installed } from './installed.mjs';
import { besideLane, enterLane } from './lane.mjs';
import { item, minimalOrder } from './orders.mjs';
import { optionsOf, ordersOf, pickOf, randomOf } from './random-orders.mjs';
import { whileReplaced } from './stubs.mjs';

const { esm } = await installed();
const { OrderValidationError, evaluateOrder, prepareRequest, previewOrder, readOrder, validateOrder } = esm;

const ORDERS = Number(process.env.LANE_ORDERS ?? 20_000);
const RESPONSES = Math.max(10_000, ORDERS / 10);
const SEED = Number(process.env.LANE_SEED ?? 20_261_121);

const FUNCTIONS = { evaluateOrder, validateOrder, previewOrder, prepareRequest };

test(`${ORDERS.toLocaleString('en')} random orders, plain and spoilt, have the same results in the lane and beside it`, () => {
  const random = randomOf(SEED);
  const { plain, spoil } = ordersOf(random);
  let ok = 0;
  for (let number = 0; number < ORDERS; number++) {
    const order = plain();
    while (random() < 0.3) spoil(order);
    const options = optionsOf(random);
    const input = random() < 0.1 ? jsonOf(order) : order;
    // One function an order: what they have in common is compared for each of them.
    const name = Object.keys(FUNCTIONS)[number % 4];
    enterLane(esm);
    const result = shown(FUNCTIONS[name], input, options);
    if (result.ok) ok++;
    assert.deepEqual(result, shown(FUNCTIONS[name], input, besideLane(options)), `order ${number}: ${name}`);
  }
  assert.ok(ok > ORDERS / 3, `only ${ok} orders were accepted`);
});

test('random responses, with a character changed or not, are read the same in the lane and beside it', () => {
  const random = randomOf(SEED);
  const pick = pickOf(random);
  const { plain } = ordersOf(random);
  const anything = ['', '"', '\\', '{', '}', ',', ':', '0', '.', '-', 'e', ' ', 'null', '\ufffd', '\ud800'];
  let canonical = 0;
  for (let number = 0; number < RESPONSES; number++) {
    const evaluation = evaluateOrder(plain());
    if (!evaluation.ok) continue;
    let body = createdOf(evaluation.request().body, pick);
    const at = Math.floor(random() * body.length);
    if (random() < 0.7) body = body.slice(0, at) + pick(anything) + body.slice(at + 1);
    const read = readOrder(body);
    // The lane knows no white space.
    assert.deepEqual(read, readOrder(` ${body}`), body);
    assert.equal(JSON.stringify(read), JSON.stringify(readOrder(` ${body}`)));
    if (read.issues.length === 0) canonical++;
  }
  assert.ok(canonical > RESPONSES / 5, `only ${canonical} responses had no issue`);
});

test('a proxy, and a getter that throws or counts, have the same result as without the lane', () => {
  let reads = 0;
  const counted = Object.defineProperty(minimalOrder(), 'Notes', {
    get: () => `read ${reads++ > -1}`,
    enumerable: true,
  });
  const handler = { get: (target, name) => (name === 'Items' ? [item()] : target[name]) };
  const inputs = [
    counted,
    new Proxy(minimalOrder(), {}),
    new Proxy(minimalOrder(), handler),
    new Proxy(minimalOrder(), { ownKeys: fail }),
    new Proxy(minimalOrder(), { getPrototypeOf: fail }),
    minimalOrder({ Items: new Proxy([item()], {}) }),
    minimalOrder({ Items: [new Proxy(item(), { get: fail })] }),
    Object.defineProperty(minimalOrder(), 'IsDelivery', { get: fail, enumerable: true }),
  ];
  for (const input of inputs) {
    enterLane(esm);
    assert.deepEqual(shown(evaluateOrder, input), shown(evaluateOrder, input, besideLane()));
  }
  assert.equal(evaluateOrder(counted).ok, true);
});

test('a getter that evaluates another order does not disturb the one that is being written', () => {
  const taxes = [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: 3.5 }];
  const order = minimalOrder({ Taxes: taxes });
  const other = minimalOrder({ Items: [item(), item({ Quantity: 7 })], Taxes: [{ ...taxes[0], TaxAmount: 1 }] });
  enterLane(esm);
  const getter = (value) => ({ get: () => evaluateOrder(other) && value, enumerable: true });
  const spied = Object.defineProperty(minimalOrder(), 'Taxes', getter(taxes));
  Object.defineProperty(spied.Items[0], 'Quantity', getter(2));
  assert.deepEqual(shown(evaluateOrder, spied), shown(evaluateOrder, order));
});

test('members that a program added to Object.prototype are not members of an order', () => {
  const expected = shown(evaluateOrder, minimalOrder());
  for (const enumerable of [true, false]) {
    Object.defineProperty(Object.prototype, 'Notes', { value: 'everywhere', enumerable, configurable: true });
    try {
      enterLane(esm);
      const more = shown(evaluateOrder, minimalOrder({ unknown: 1 }));
      assert.deepEqual(shown(evaluateOrder, minimalOrder()), expected);
      assert.deepEqual(
        more.issues.map(({ code }) => code),
        ['unknown_member', 'tax_unknown'],
      );
    } finally {
      Reflect.deleteProperty(Object.prototype, 'Notes');
    }
  }
});

test('an evaluation describes the order as it was, whatever happens to the object and the options', () => {
  enterLane(esm);
  const order = minimalOrder();
  const options = { scale: 3 };
  const evaluation = evaluateOrder(order, options);
  const expected = shown(evaluateOrder, minimalOrder(), { scale: 3 });
  order.Items[0].Quantity = 7;
  order.Items.push(item());
  options.scale = 0;
  evaluateOrder(order);
  assert.deepEqual(shownEvaluation(evaluation), expected);
});

test('changing a result does not change others', () => {
  enterLane(esm);
  const order = minimalOrder({ CustomerId: '2a8f5d33-eec9-4864-8b49-5636577b40d5' });
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

test('results stay the same when the memory of the core has grown', () => {
  const order = minimalOrder();
  const expected = shown(evaluateOrder, order);
  evaluateOrder(minimalOrder({ Notes: 'x'.repeat(20_000_000) }));
  enterLane(esm);
  assert.deepEqual(shown(evaluateOrder, order), expected);
  evaluateOrder(minimalOrder({ Notes: 'x'.repeat(30_000_000) }));
  enterLane(esm);
  assert.deepEqual(shown(evaluateOrder, order), expected);
});

test('the first order may grow the memory of the core while its issues are read', () => {
  const Items = Array.from({ length: 5_000 }, () => item());
  const order = minimalOrder({ Items, CustomerId: '2a8f5d33-eec9-4864-8b49-5636577b40d5' });
  const expected = shown(evaluateOrder, order, besideLane());
  assert.deepEqual(shownEvaluation(fresh().evaluateOrder(order)), expected);
  const { ok, issues, totals } = fresh().createEvaluator()(order);
  assert.deepEqual({ ok, issues, totals }, outcomeOf(expected));
});

test('an order with simple mistakes has the issues of the general path, which it needs only once for each of them', async () => {
  const core = fresh();
  const calls = [];
  const counting = coresWith(({ call }) => ({
    call: (number, ...rest) => calls.push(number) && call(number, ...rest),
  }));
  const mistaken = (first, second) => {
    const Items = Array.from({ length: 205 }, () => item());
    Items[first] = item({ Quantity: -1, CatalogItemId: undefined, SellAtPricePerUnit: 'free' });
    Items[second] = item({ Name: undefined, SellAtPricePerUnit: 0 });
    return minimalOrder({ CompanyId: 0, IntegratorId: 'mine', Items });
  };
  await whileReplaced(WebAssembly, 'Instance', counting, () => {
    for (const [first, second] of [
      [0, 1],
      [99, 100],
      [101, 204],
      [3, 2],
    ]) {
      const order = mistaken(first, second);
      const expected = shown(evaluateOrder, order, besideLane());
      calls.length = 0;
      const { ok, issues, totals } = core.evaluateOrder(order);
      assert.deepEqual({ ok, issues, totals }, outcomeOf(expected));
      assert.equal(issues.length, 8, 'with the unknown tax');
      assert.equal(calls.length, first === 0 ? 1 : 0);
    }
  });
});

test('issues are in the order of the caller’s members, also those of simple mistakes', () => {
  const { Items, IntegratorId, CompanyId, ...rest } = minimalOrder({ CompanyId: 0, IntegratorId: 'mine' });
  const reversed = { SellAtPricePerUnit: 'free', Quantity: 0, CatalogItemId: 'TEA-17', Name: 'Tea' };
  for (const order of [
    { Items: [item({ Quantity: 0 })], IntegratorId, CompanyId, ...rest },
    { ...rest, CompanyId, IntegratorId, Items: [reversed] },
    { IntegratorId: Items, Items: IntegratorId, CompanyId, ...rest },
  ]) {
    enterLane(esm);
    assert.deepEqual(shown(evaluateOrder, order), shown(evaluateOrder, order, besideLane()));
  }
});

test('the first order with a simple mistake may grow the memory of the core while its issue is read', () => {
  const order = minimalOrder({ Items: Array.from({ length: 5_000 }, () => item()) });
  order.Items[4_999].Quantity = -1;
  const expected = shown(evaluateOrder, order, besideLane());
  const { ok, issues, totals } = fresh().evaluateOrder(order);
  assert.deepEqual({ ok, issues, totals }, outcomeOf(expected));
});

test('a trap in the lane does not change the result, and the lane judges the next order again', async () => {
  const core = fresh();
  let traps = 0;
  const trap = () => {
    traps++;
    throw new WebAssembly.RuntimeError('unreachable');
  };
  const trapping = coresWith(({ judge_part }) => ({
    // The second part traps.
    judge_part: (length, pairs, setting) => (setting ? judge_part(length, pairs, setting) : trap()),
  }));
  const long = minimalOrder({ Items: Array.from({ length: 150 }, () => item()) });
  const expected = JSON.stringify(prepareRequest(long));
  await whileReplaced(WebAssembly, 'Instance', trapping, () => {
    for (let number = 1; number <= 2; number++) {
      enterLane(core);
      assert.equal(JSON.stringify(core.prepareRequest(long)), expected);
      assert.equal(traps, number);
    }
  });
});

test('options that the lane does not support do not keep later orders out of it', async () => {
  const core = fresh();
  let judged = 0;
  const counting = coresWith(({ judge_part }) => ({ judge_part: (...rest) => ++judged && judge_part(...rest) }));
  await whileReplaced(WebAssembly, 'Instance', counting, () => {
    for (let number = 1; number <= 10; number++) {
      core.previewOrder(minimalOrder(), { taxRates: [] });
      core.prepareRequest(minimalOrder());
      assert.equal(judged, number);
    }
    core.prepareRequest(minimalOrder({ Unknown: 1 }));
    core.prepareRequest(minimalOrder());
    assert.equal(judged, 10);
    core.prepareRequest(minimalOrder());
    assert.equal(judged, 11);
  });
});

/** Returns a WebAssembly.Instance whose cores have some other exports; the module that unpacks the core keeps its own. */
function coresWith(replaced) {
  return new Proxy(WebAssembly.Instance, {
    construct(Target, args) {
      /** @type {{ exports: any }} */
      const { exports } = Reflect.construct(Target, args);
      return { exports: exports.judge_part ? { ...exports, ...replaced(exports) } : exports };
    },
  });
}

/** @returns {any} */
function fail() {
  throw new Error('no');
}

/** Returns the body of a response that created an order. */
function createdOf(order, pick) {
  const origin =
    '"DateCreatedUtc":"2026-11-21T22:57:51.7931328+00:00",' +
    '"OrderSource":{"Id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Name":"Storefront"},';
  return order
    .replace(/"EntityId":\d+,/, pick(['$&', '$&"WasCreatedWithInventoryHold":false,']))
    .replace('"IntegratorId"', pick(['$&', `${origin}$&`]))
    .replace('"Taxes"', pick(['$&', '"ReceiptNumber":"17",$&']));
}

function jsonOf(order) {
  try {
    return JSON.stringify(order) ?? '';
  } catch {
    return '{';
  }
}

/** Returns everything observable of a result: its objects, its JSON, and the order of its members. */
function shown(call, input, options) {
  try {
    const result = call(input, options);
    return call === evaluateOrder
      ? shownEvaluation(result)
      : { ...result, json: JSON.stringify(result), ok: result.ok ?? true };
  } catch (error) {
    return shownError(error);
  }
}

function shownEvaluation(evaluation) {
  const { ok, issues, totals, order, preview, request } = evaluation;
  const json = JSON.stringify([evaluation, order(), preview(), ok && request()]);
  return { ok, issues, totals, order: order(), preview: preview(), request: attempt(request), json };
}

function outcomeOf({ ok, issues, totals }) {
  return { ok, issues, totals };
}

function attempt(request) {
  try {
    return request();
  } catch (error) {
    return shownError(error);
  }
}

function shownError(error) {
  if (error instanceof assert.AssertionError) throw error;
  const { name, message, orderId, issues, option } = error;
  assert.ok(error instanceof OrderValidationError || error instanceof TypeError, error);
  return { name, message, orderId, issues, option };
}
