/**
 * Tests that an evaluator returns what a fresh evaluation returns, whatever was edited before: random edits of random
 * orders.
 *
 *     EDITS=100000 SEED=7 node --test tests/node/random-edits.test.mjs
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generator, randomCase } from '../oracle/random-orders.mjs';
import { input, subjects } from '../vectors/vectors.mjs';
import { same } from './fresh-evaluation.mjs';
import { installed } from './installed.mjs';
import { minimalOrder, withItem } from './orders.mjs';

const { esm } = await installed();
const { createEvaluator } = esm;

const SEED = Number(process.env.SEED ?? 20_261_120);
/** The number of edits in total; `make nightly` sets more. */
const EDITS = Number(process.env.EDITS ?? 10_000);

describe(`${EDITS} random edits (SEED=${SEED})`, () => {
  test('of random orders, with discounts, taxes, rates and options of every kind', () => {
    const random = generator(SEED);
    for (let edits = 0; edits < EDITS * 0.6; edits += 20) {
      const { order, options } = randomCase(random);
      evaluateEdits(random, anySize(random, order), anyOptions(random, options), 20);
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

  test('of an order of many items with estimated taxes, rounded in every way', () => {
    const random = generator(SEED + 3);
    const taxRates = [
      { id: 'gst', rate: '0.05' },
      { id: 'qst', rate: '0.09975', layer: 1 },
      { id: 'deposit', type: 'FlatRate', rate: '0.105', catalogItemIds: ['c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e'] },
    ];
    const options = ['half-up', 'half-even', 'half-down'].flatMap((rounding) =>
      ['line', 'tax'].map((roundTaxPer) => ({ taxRates, rounding, roundTaxPer })),
    );
    const order = { ...minimalOrder(), Items: Array.from({ length: 50 }, () => anItem(random)) };
    for (const one of options) evaluateEdits(random, order, one, (EDITS * 0.1) / options.length);
  });

  test('of the orders of all vectors', () => {
    const random = generator(SEED + 2);
    const vectors = subjects
      .flatMap(({ vectors }) => vectors)
      .filter((vector) => 'base' in vector && !vector.expect?.throws && !['read', 'error'].includes(vector.call));
    assert.ok(vectors.length > 100, `${vectors.length} vectors`);
    for (const vector of vectors)
      evaluateEdits(random, anySize(random, input(vector)), vector.options, Math.ceil((EDITS * 0.3) / vectors.length));
  });
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
    if (what < 10)
      return withItem(
        order,
        at,
        random.pick([null, 'text', {}, [], 7, { Notes: Symbol('x') }, anItem(random), Number.NaN, undefined]),
      );
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
  // Sometimes at another position, which changes nothing (D56).
  return random.chance(0.5) ? { ...order, [name]: random.pick(values) } : { ...others, [name]: random.pick(values) };
}

/** Returns the order; three times out of five with enough items added for it to be evaluated in parts. */
function anySize(random, order) {
  if (!Array.isArray(order?.Items) || random.chance(0.4)) return order;
  return { ...order, Items: [...order.Items, ...Array.from({ length: 15 }, () => anItem(random))] };
}

function anyOptions(random, options) {
  const { taxRates: _, ...withoutRates } = options;
  return {
    ...(random.chance(0.4) ? withoutRates : options),
    ...(random.chance(0.2) && { allowEmptyTaxes: true }),
    ...(random.chance(0.2) && { records: 'passthrough' }),
    ...(random.chance(0.2) && { explain: true }),
    ...(random.chance(0.1) && { orderId: '2a8f5d33-eec9-4864-8b49-5636577b40d5' }),
    ...(random.chance(0.1) && { id: 'optional' }),
    ...(random.chance(0.1) && { locationTaxPricing: random.pick(['Inclusive', 'Exclusive', null]) }),
  };
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function anItem(random) {
  const { order } = randomCase(random);
  return random.pick(order.Items);
}

function guid(random) {
  return random.pick(['0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', '1c0a8d2f-3e4b-4c6d-9e7f-8091a2b3c4d5']);
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
