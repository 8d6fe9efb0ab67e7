// Tests that an evaluator returns what a fresh evaluation returns, whatever was edited before.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { generator, randomCase } from '../oracle/random-orders.mjs';
import { input, subjects } from '../vectors/vectors.mjs';
import { installed } from './installed.mjs';
import { inShort, item, minimalOrder } from './orders.mjs';
import { whileReplaced } from './stubs.mjs';

const { esm: api } = await installed();
const { createEvaluator, evaluateOrder } = api;

const SEED = Number(process.env.SEED ?? 20_261_120);
/** The number of edits in total; `make soak` can set more. */
const EDITS = Number(process.env.EDITS ?? 10_000);

describe(`${EDITS} random edits (SEED=${SEED})`, () => {
  test('of random orders, with discounts, taxes, rates and options of every kind', () => {
    const random = generator(SEED);
    for (let edits = 0; edits < EDITS * 0.6; edits += 20) {
      const { order, options } = randomCase(random);
      evaluateEdits(random, order, anyOptions(random, options), 20);
    }
  });

  test('of an order of many items', () => {
    const random = generator(SEED + 1);
    const order = {
      ...minimalOrder(),
      Discount: { InvoiceLevel: [{ Value: 5, ValueType: 2 }] },
      Taxes: [{ TaxId: guid(random), TaxAmount: '1.10' }],
      Items: Array.from({ length: 300 }, () => anItem(random)),
    };
    evaluateEdits(random, order, { discountValueTypes: { amount: 1, percent: 2 } }, EDITS * 0.1);
  });

  test('of the orders of all vectors', () => {
    const random = generator(SEED + 2);
    const vectors = subjects
      .flatMap(({ vectors }) => vectors)
      .filter((vector) => 'base' in vector && !vector.expect?.throws && !['read', 'error'].includes(vector.call));
    assert.ok(vectors.length > 100, `${vectors.length} vectors`);
    for (const vector of vectors)
      evaluateEdits(random, input(vector), vector.options, Math.ceil((EDITS * 0.3) / vectors.length));
  });
});

test('after a change of one item the core reads that item and the rest, however many items there are', async () => {
  const evaluate = createEvaluator();
  const order = manyItems(2000);
  evaluate(order);
  const { characters, result } = await charactersRead(() => evaluate(withItem(order, 1999, item({ Quantity: 3 }))));
  assert.equal(result.ok, true);
  assert.equal(result.totals.subtotal, '79979.99');
  assert.ok(characters > 0 && characters < 2000, `${characters} characters`);
});

test('items that have moved are not read again', async () => {
  const evaluate = createEvaluator();
  const order = { ...manyItems(1000), Items: Array.from({ length: 1000 }, (_, i) => item({ Quantity: i + 1 })) };
  const { totals } = evaluate(order);
  for (const Items of [
    order.Items.toReversed?.() ?? [...order.Items].reverse(),
    [...order.Items.slice(1), order.Items[0]],
    [...order.Items.slice(500), ...order.Items.slice(0, 500)],
  ]) {
    const { characters, result } = await charactersRead(() => evaluate({ ...order, Items }));
    assert.deepEqual(result.totals, totals);
    // Many items came and went: their running totals are passed back, but no item is.
    assert.ok(characters < 200_000, `${characters} characters`);
    assert.deepEqual(evaluate(order).totals, totals);
  }
});

test('an object that is in Items several times counts each time', () => {
  const evaluate = createEvaluator();
  const tea = item({ Quantity: 1, SellAtPricePerUnit: 10 });
  for (const count of [1, 3, 2, 5, 1]) {
    const order = minimalOrder({ Items: Array.from({ length: count }, () => tea) });
    assert.equal(evaluate(order).totals.subtotal, `${count}0.00`);
  }
});

test('an evaluation describes the order that it was given, even if a part is computed after later edits', () => {
  const evaluate = createEvaluator();
  const order = minimalOrder();
  const before = evaluate(order);
  evaluate(minimalOrder({ Notes: 'later', Items: [item({ Quantity: 7 })] }));
  order.Items.push(item());
  order.Notes = 'changed in place';
  assert.equal(before.order().Items[0].Quantity, '2');
  assert.equal(before.order().Notes, undefined);
  assert.equal(before.preview().lines.length, 1);
  assert.ok(!before.request().body.includes('changed in place'));
});

test('a discount and taxes that are changed in place affect the next evaluation, but not the last one', () => {
  const evaluate = createEvaluator();
  const order = minimalOrder({ Taxes: [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: 1 }] });
  const first = evaluate(order);
  order.Taxes[0].TaxAmount = 2;
  assert.equal(first.totals.total, '40.98');
  assert.ok(first.request().body.includes('"TaxAmount":1}'));
  assert.equal(evaluate(order).totals.total, '41.98');
});

test('an issue has the current index of its item', () => {
  const evaluate = createEvaluator();
  const [good, bad] = [item(), item({ Quantity: 0 })];
  const issues = (...Items) => evaluate(minimalOrder({ Items })).issues.filter(({ severity }) => severity === 'error');
  assert.deepEqual(inShort(issues(good, bad)), ['error quantity_not_positive /Items/1/Quantity']);
  assert.deepEqual(inShort(issues(good, good, bad)), ['error quantity_not_positive /Items/2/Quantity']);
  const [moved] = issues(bad, good, good);
  assert.deepEqual([moved.pointer, moved.path], ['/Items/0/Quantity', ['Items', 0, 'Quantity']]);
  assert.deepEqual(issues(good), []);
});

test('a caller that changes the issues of an evaluation does not change those of the next', () => {
  const evaluate = createEvaluator();
  const order = minimalOrder({ Items: [item({ Quantity: 0 })] });
  const { issues } = evaluate(order);
  issues[0].code = 'changed';
  issues[0].path.push('changed');
  issues.length = 0;
  assert.deepEqual(evaluate(order).issues, evaluateOrder(order).issues);
});

test('an order that is too large to be evaluated in parts is evaluated as a whole', () => {
  const evaluate = createEvaluator();
  const order = minimalOrder({ Items: Array.from({ length: 5001 }, () => item({ Quantity: 0 })) });
  same(evaluate(order), order, undefined);
  const changed = withItem(order, 7, item());
  same(evaluate(changed), changed, undefined);
});

test('the first line, which has the taxes, can be out of range although the order has no total', () => {
  const Items = [item({ Quantity: 1, SellAtPricePerUnit: LARGEST }), item({ Quantity: 0 })];
  const Taxes = [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: 5 }];
  const order = minimalOrder({ Items, Taxes });
  const evaluation = createEvaluator({ scale: 0 })(order);
  assert.equal(evaluation.issues[0].code, 'amount_out_of_range');
  same(evaluation, order, { scale: 0 });
});

test('a wrong option throws when the evaluator is created', () => {
  assert.throws(() => createEvaluator({ scale: 9 }), { name: 'OptionError', option: '/scale' });
  assert.throws(() => createEvaluator(null), { name: 'OptionError', option: '' });
});

test('what is not an order has issues', () => {
  const evaluate = createEvaluator();
  for (const value of [null, undefined, 7, '{}', '{', [], () => {}, { Items: 'x' }, { Items: { length: 2 } }])
    same(evaluate(value), value, undefined);
});

test('arrays that throw, or return a wrong length, are evaluated as by a fresh evaluation', () => {
  const throwing = new Proxy([item()], {
    get(target, name) {
      if (name === '0') throw new Error('not now');
      return Reflect.get(target, name);
    },
  });
  const lying = (length) =>
    new Proxy([item()], { get: (target, name) => (name === 'length' ? length : Reflect.get(target, name)) });
  const evaluate = createEvaluator();
  for (const Items of [throwing, lying({}), lying(1e9), lying(-1), lying(Number.NaN), lying(2), lying(0)]) {
    const order = minimalOrder({ Items });
    same(evaluate(order), order, undefined);
  }
});

/** Edits an order, and compares each evaluation with a fresh one. */
function evaluateEdits(random, order, options, edits) {
  const evaluate = createEvaluator(options);
  let current = order;
  const evaluated = [];
  for (let i = 0; i < edits; i++) {
    const evaluation = evaluate(current);
    same(evaluation, current, options, random.chance(0.2));
    if (random.chance(0.1)) evaluated.push([evaluation, current]);
    current = edit(random, current);
  }
  // Earlier evaluations must not have changed.
  for (const [evaluation, its] of evaluated) same(evaluation, its, options);
}

function same(evaluation, order, options, withRest = true) {
  const fresh = evaluateOrder(order, options);
  try {
    assert.deepEqual(evaluation, fresh);
    if (!withRest) return;
    assert.deepEqual(evaluation.order(), fresh.order());
    assert.deepEqual(evaluation.preview(), fresh.preview());
    assert.deepEqual(settled(evaluation.request), settled(fresh.request));
  } catch (error) {
    error.message += `\noptions ${JSON.stringify(options)}, order ${JSON.stringify(order)?.slice(0, 4000)}`;
    throw error;
  }
}

/** Returns the request, or the issues of the error. */
function settled(request) {
  try {
    return request();
  } catch (error) {
    assert.ok(api.isOrderValidationError(error), error);
    return [error.orderId, error.issues];
  }
}

/** Returns an edited copy; parts that are not edited are the same objects. */
function edit(random, order) {
  const list = Array.isArray(order.Items) ? order.Items : [];
  const at = random.below(list.length || 1);
  const withItems = (change) => {
    const Items = [...list];
    change(Items);
    return { ...order, Items };
  };
  const what = random.below(24);
  if (what < 4) return withItems((items) => items.splice(random.between(0, items.length), 0, anItem(random)));
  if (list.length > 0) {
    if (what < 7) return withItems((items) => items.splice(at, 1));
    if (what < 9) return withItems((items) => items.splice(random.below(items.length), 0, ...items.splice(at, 1)));
    if (what < 10) return withItem(order, at, random.pick([null, 'text', {}, anItem(random), Number.NaN, undefined]));
    if (what < 11) return withItems((items) => items.reverse());
    if (what < 12) return withItems((items) => items.sort(() => random.between(-1, 1)));
    if (what < 13) return withItems((items) => items.splice(at, 0, items[random.below(items.length)]));
    if (what < 14) return withItems((items) => items.splice(at, random.below(5), anItem(random), anItem(random)));
    if (what < 20 && isRecord(list[at])) {
      const [name, values] = random.pick(ITEM_EDITS);
      return withItem(order, at, { ...list[at], [name]: random.pick(values) });
    }
  }
  const [name, values] = random.pick(ORDER_EDITS);
  const { [name]: _, ...others } = order;
  // Sometimes at another position, because issues are in document order.
  return random.chance(0.5) ? { ...order, [name]: random.pick(values) } : { ...others, [name]: random.pick(values) };
}

function anyOptions(random, options) {
  const { taxRates: _, ...withoutRates } = options;
  return {
    ...(random.chance(0.4) ? withoutRates : options),
    ...(random.chance(0.2) && { allowEmptyTaxes: true }),
    ...(random.chance(0.2) && { records: 'passthrough' }),
    ...(random.chance(0.2) && { explain: true }),
    ...(random.chance(0.1) && { orderId: '2a8f5d33-eec9-4864-8b49-5636577b40d5' }),
    ...(random.chance(0.1) && { locationTaxPricing: random.pick(['Inclusive', 'Exclusive', null]) }),
  };
}

/** Runs an action and counts the characters that it passes to the core. */
async function charactersRead(action) {
  let characters = 0;
  const { encodeInto } = TextEncoder.prototype;
  /** @type {(this: TextEncoder, text: string, bytes: Uint8Array) => unknown} */
  const counting = function (text, bytes) {
    characters += text.length;
    return encodeInto.call(this, text, bytes);
  };
  const result = await whileReplaced(TextEncoder.prototype, 'encodeInto', counting, action);
  return { characters, result };
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LARGEST = '79228162514264337593543950335';
const ITEM_EDITS = [
  ['Quantity', [1, 2, '2.5', 0.3, '0.1234', 0, -1, '', null, undefined, 'x', Number.NaN, '1e3', 10n, LARGEST]],
  ['SellAtPricePerUnit', [19.99, '12.50', '0.005', '0.015', 0, '-1', null, undefined, {}, [], LARGEST, '3.999']],
  ['Name', ['Tea', '', 'x'.repeat(101), 'a\u0007b', null, undefined, 7, '\ud800', 'Ö']],
  ['CatalogItemId', ['c3a1f0de6b524d189e471f2a3b4c5d6e', 'no guid', null, undefined, 5]],
  ['quantity', [1, undefined]],
  ['Lines', [1, undefined]],
  ['a/b~c', [{ deep: ['x', null] }, undefined]],
];
const ORDER_EDITS = [
  ['Id', [undefined, null, '2a8f5d33-eec9-4864-8b49-5636577b40d5', 'x']],
  ['CompanyId', [1, 0, '5', undefined]],
  ['IntegratorId', ['7C9E6679742540DE944BE07FC1F90AE7', undefined, null]],
  ['CustomerId', ['7c9e6679-7425-40de-944b-e07fc1f90ae7', null, undefined]],
  ['FirstName', ['Ada', undefined, 'y'.repeat(101)]],
  ['Notes', ['ring twice', 'z'.repeat(251), '\ud800', undefined]],
  [
    'Discount',
    [
      undefined,
      null,
      {},
      7,
      {
        InvoiceLevel: [
          { Value: '33.333', ValueType: 2 },
          { Name: 'a', Value: 1, ValueType: 1 },
        ],
      },
      { InvoiceLevel: [{ Value: '9999999', ValueType: 1 }] },
      { InvoiceLevel: [{ Value: 5, ValueType: 'other' }] },
    ],
  ],
  [
    'Taxes',
    [
      undefined,
      null,
      [],
      [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: '3.335' }],
      [{ TaxAmount: -1 }],
      'x',
      [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: LARGEST }],
    ],
  ],
  [
    'Items',
    [
      [],
      undefined,
      null,
      'x',
      [{ CatalogItemId: 'c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e', Quantity: 1, SellAtPricePerUnit: '0.5' }],
    ],
  ],
  ['companyid', [5, undefined]],
  ['OrderNumber', ['17', undefined]],
  ['\ud800', [1, undefined]],
];

function manyItems(count) {
  return minimalOrder({ Items: Array.from({ length: count }, () => item()) });
}

function withItem(order, index, changed) {
  return { ...order, Items: order.Items.map((item, i) => (i === index ? changed : item)) };
}

function anItem(random) {
  const { order } = randomCase(random);
  return random.pick(order.Items);
}

function guid(random) {
  return random.pick(['0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', '1c0a8d2f-3e4b-4c6d-9e7f-8091a2b3c4d5']);
}
