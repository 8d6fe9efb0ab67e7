// A draft answers as the functions do for the order as it stands, whatever was edited on the way.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { generator, randomCase } from '../oracle/random-orders.mjs';
import { input, subjects } from '../vectors/vectors.mjs';
import { installed } from './installed.mjs';
import { inShort, item, minimalOrder } from './orders.mjs';
import { whileReplaced } from './stubs.mjs';

const { esm: api } = await installed();
const { createDraft } = api;

const SEED = Number(process.env.SEED ?? 20_261_120);

describe(`random edits (SEED=${SEED})`, () => {
  test('of random orders, with discounts, taxes and rates', () => {
    const random = generator(SEED);
    for (let i = 0; i < 400; i++) {
      const { order, options } = randomCase(random);
      edited(random, order, random.chance(0.3) ? withoutRates(options) : options, 8);
    }
  });

  test('of an order of many lines', () => {
    const random = generator(SEED + 1);
    const order = {
      ...minimalOrder(),
      Discount: { InvoiceLevel: [{ Value: 5, ValueType: 2 }] },
      Taxes: [{ TaxId: guid(random), TaxAmount: '1.10' }],
    };
    order.Items = Array.from({ length: 300 }, () => anItem(random));
    edited(random, order, { discountValueTypes: { amount: 1, percent: 2 } }, 150);
  });

  test('of the orders of all vectors', () => {
    const random = generator(SEED + 2);
    let drafts = 0;
    for (const vector of subjects.flatMap(({ vectors }) => vectors)) {
      if (!('base' in vector) || vector.expect?.throws || ['read', 'error'].includes(vector.call)) continue;
      edited(random, input(vector), vector.options, 6);
      drafts++;
    }
    assert.ok(drafts > 100, `${drafts} drafts`);
  });
});

test('after a change to one line the core is told of that line and the totals, however many lines there are', async () => {
  const draft = createDraft(manyLines(2000));
  draft.preview();
  let characters = 0;
  const { encodeInto } = TextEncoder.prototype;
  /** @type {(this: TextEncoder, text: string, bytes: Uint8Array) => unknown} */
  const counted = function (text, bytes) {
    characters += text.length;
    return encodeInto.call(this, text, bytes);
  };
  await whileReplaced(TextEncoder.prototype, 'encodeInto', counted, () => {
    draft.set('/Items/1999/Quantity', 3);
    assert.equal(draft.verdict().ok, true);
    assert.equal(draft.preview().subtotal, '79979.99');
  });
  assert.ok(characters > 0 && characters < 2000, `${characters} characters`);
});

test('an answer is about the order as it was, also where a part of it is read after an edit', () => {
  const draft = createDraft(minimalOrder());
  const before = [draft.verdict(), draft.preview()];
  draft.set('/Items/0/Quantity', 7);
  draft.set('/Notes', 'later');
  assert.equal(before[0].order.Items[0].Quantity, '2');
  assert.equal(before[0].order.Notes, undefined);
  assert.equal(before[1].lines[0].quantity, '2');
  assert.equal(draft.preview().lines[0].quantity, '7');
});

test('an issue names the place where its line stands now', () => {
  const draft = createDraft(minimalOrder({ Items: [item(), item({ Quantity: 0 })] }));
  const places = () => inShort(draft.verdict().issues);
  assert.deepEqual(places(), ['error quantity_not_positive /Items/1/Quantity']);
  draft.addItem(item(), 0);
  assert.deepEqual(places(), ['error quantity_not_positive /Items/2/Quantity']);
  draft.moveItem(2, 0);
  assert.deepEqual(places(), ['error quantity_not_positive /Items/0/Quantity']);
  draft.removeItem(0);
  assert.deepEqual(places(), []);
});

test('an order without an Id has one and the same, whatever is done to it', () => {
  const { Id: _, ...order } = minimalOrder();
  const draft = createDraft(order);
  const { orderId } = draft.prepare();
  draft.set('/Items/0/Quantity', 3);
  draft.set('/Id', null);
  assert.equal(draft.prepare().orderId, orderId);
  assert.equal(draft.order.Id, orderId);
  const given = '2a8f5d33-eec9-4864-8b49-5636577b40d5';
  assert.equal(createDraft(order, { orderId: given }).prepare().orderId, given);
});

test('an order too large to be judged in parts is judged as a whole', () => {
  const draft = createDraft({ ...minimalOrder(), Items: Array.from({ length: 5001 }, () => item({ Quantity: 0 })) });
  same(draft, undefined, []);
  draft.set('/Items/7/Quantity', 1);
  same(draft, undefined, []);
});

test('the first line, which shows the taxes, may be out of range where the order has no total', () => {
  const Items = [item({ Quantity: 1, SellAtPricePerUnit: LARGEST }), item({ Quantity: 0 })];
  const Taxes = [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: 5 }];
  const draft = createDraft(minimalOrder({ Items, Taxes }), { scale: 0 });
  assert.equal(draft.preview().issues[0].code, 'amount_out_of_range');
  same(draft, { scale: 0 }, []);
});

test('places that are not there, and what is no order, are refused', () => {
  const draft = createDraft(minimalOrder());
  for (const [edit, name] of [
    [() => draft.set('Notes', 'x'), 'TypeError'],
    [() => draft.set('', {}), 'TypeError'],
    [() => draft.set('/Discount/InvoiceLevel/0/Value', 1), 'TypeError'],
    [() => draft.set('/Items/0/Name/x', 1), 'TypeError'],
    [() => draft.set('/Items/1', item()), 'RangeError'],
    [() => draft.set('/Items/-/Quantity', 1), 'RangeError'],
    [() => draft.addItem(item(), 2), 'RangeError'],
    [() => draft.removeItem(1), 'RangeError'],
    [() => draft.moveItem(0, 1), 'RangeError'],
    [() => draft.moveItem(-1, 0), 'RangeError'],
    [() => createDraft('{}'), 'TypeError'],
    [() => createDraft(null), 'TypeError'],
    [() => createDraft(minimalOrder(), { scale: 9 }), 'TypeError'],
  ])
    assert.throws(/** @type {() => void} */ (edit), { name }, String(edit));
  assert.deepEqual(draft.order, minimalOrder());
});

/** Edits a draft of an order and holds every answer on the way against the functions. */
function edited(random, order, options, edits) {
  const given = structuredClone(order);
  const draft = createDraft(order, options);
  same(draft, options, []);
  const done = [];
  for (let i = 0; i < edits; i++) {
    done.push(edit(random, draft));
    if (random.chance(0.7)) same(draft, options, done);
  }
  same(draft, options, done);
  assert.deepEqual(order, given);
}

function same(draft, options, done) {
  const { order } = draft;
  const where = () =>
    `after ${JSON.stringify(done)}, options ${JSON.stringify(options)}, order ${JSON.stringify(order)}`;
  const equal = (actual, expected) => {
    try {
      assert.deepEqual(actual, expected);
    } catch (error) {
      error.message += `\n${where()}`;
      throw error;
    }
  };
  equal(draft.preview(), api.previewOrder(order, options));
  equal(draft.verdict(), api.buildOrder(order, options));
  equal(
    settled(() => draft.prepare()),
    settled(() => api.prepareRequest(order, options)),
  );
}

/** A request, or the issues it is refused for. */
function settled(prepare) {
  try {
    return prepare();
  } catch (error) {
    assert.ok(api.isOrderValidationError(error), error);
    return error.issues;
  }
}

/** One edit, and what it was. */
function edit(random, draft) {
  const length = Array.isArray(draft.order.Items) ? draft.order.Items.length : 0;
  const at = random.below(length || 1);
  const what = random.below(20);
  if (what < 4)
    return apply(draft, 'addItem', anItem(random), ...(random.chance(0.5) ? [random.between(0, length)] : []));
  if (what < 7 && length > 0) return apply(draft, 'removeItem', at);
  if (what < 9 && length > 0) return apply(draft, 'moveItem', at, random.below(length));
  if (what < 10 && length > 0)
    return apply(draft, 'set', `/Items/${at}`, random.pick([null, 'text', {}, anItem(random), NaN]));
  if (what < 16 && length > 0 && isRecord(draft.order.Items[at])) {
    const [name, values] = random.pick(ITEM_EDITS);
    return apply(draft, 'set', `/Items/${at}/${name}`, random.pick(values));
  }
  const [name, values] = random.pick(ORDER_EDITS);
  return apply(draft, 'set', `/${name}`, random.pick(values));
}

function apply(draft, method, ...args) {
  draft[method](...args);
  return [method, ...args];
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LARGEST = '79228162514264337593543950335';
const ITEM_EDITS = [
  ['Quantity', [1, 2, '2.5', 0.3, '0.1234', 0, -1, '', null, undefined, 'x', NaN, '1e3', 10n, LARGEST]],
  ['SellAtPricePerUnit', [19.99, '12.50', '0.005', '0.015', 0, '-1', null, undefined, {}, [], LARGEST, '3.999']],
  ['Name', ['Tea', '', 'x'.repeat(101), 'a\u0007b', null, undefined, 7, '\ud800', 'Ö']],
  ['CatalogItemId', ['c3a1f0de6b524d189e471f2a3b4c5d6e', 'no guid', null, undefined, 5]],
  ['quantity', [1, undefined]],
  ['Lines', [1, undefined]],
  ['a~1b~0c', [{ deep: ['x', null] }, undefined]],
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

function manyLines(count) {
  return minimalOrder({ Items: Array.from({ length: count }, () => item()) });
}

function anItem(random) {
  const { order } = randomCase(random);
  return random.pick(order.Items);
}

function guid(random) {
  return random.pick(['0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', '1c0a8d2f-3e4b-4c6d-9e7f-8091a2b3c4d5']);
}

function withoutRates({ taxRates: _, ...options }) {
  return options;
}
