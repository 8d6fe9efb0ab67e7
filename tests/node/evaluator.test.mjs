/** Tests createEvaluator: what it reads again, and that it equals a fresh evaluation of every input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { same } from './fresh-evaluation.mjs';
import { installed } from './installed.mjs';
import { deepFreeze, fullOrder, inShort, item, minimalOrder, withItem } from './orders.mjs';
import { whileReplaced } from './stubs.mjs';

const { esm: api } = await installed();
const { createEvaluator, evaluateOrder } = api;

/** Items that a test adds to its own: none, then enough for the order to be evaluated in parts. */
const MORE = [[], manyItems(11).Items];

test('after a change of one item the core reads that item and the rest, however many items there are', async () => {
  const evaluate = createEvaluator();
  const order = manyItems(2000);
  evaluate(order);
  const { characters, result } = await charactersRead(() => evaluate(withItem(order, 1999, item({ Quantity: 3 }))));
  assert.equal(result.ok, true);
  assert.equal(result.totals.subtotal, '79979.99');
  assert.ok(characters > 0 && characters < 2000, `${characters} characters`);
});

const GST = { id: 'gst', rate: '0.05' };
const QST = { id: 'qst', rate: '0.09975', layer: 1 };
const DEPOSIT = { id: 'deposit', type: 'FlatRate', rate: '0.105', catalogItemIds: [item().CatalogItemId] };
const PERCENT = { Discount: { InvoiceLevel: [{ Name: 'Ten', Value: 10, ValueType: 2 }] } };

for (const [what, extra, options, isConstant] of /** @type {[string, any, any, boolean][]} */ ([
  ['taxes estimated per line', {}, { taxRates: [GST, QST, DEPOSIT] }, true],
  ['taxes estimated per tax', {}, { taxRates: [GST, QST, DEPOSIT], roundTaxPer: 'tax' }, true],
  ['no taxes', {}, { taxRates: [] }, true],
  ['a discount', PERCENT, {}, true],
  ['a discount and supplied taxes', { ...PERCENT, Taxes: [] }, { taxRates: [GST], allowEmptyTaxes: true }, true],
  ['a discount and estimated taxes', PERCENT, { taxRates: [GST] }, false],
])) {
  test(`after a change of one item ${isConstant ? 'only that item is' : 'all items are'} read again: ${what}`, async () => {
    const all = { ...options, discountValueTypes: { amount: 1, percent: 2 } };
    const evaluate = createEvaluator(all);
    const order = { ...manyItems(2000), ...extra };
    evaluate(order);
    // A line without a price for a while, as a customer types, and one that is a tie.
    for (const change of [{ Quantity: 3 }, { Quantity: '' }, { Quantity: 1, SellAtPricePerUnit: '0.125' }]) {
      const changed = withItem(order, 1999, item(change));
      const { characters, result } = await charactersRead(() => evaluate(changed));
      assert.deepEqual(result.totals, evaluateOrder(changed, all).totals);
      // The first line has the supplied taxes, and is looked at if the subtotal is unknown.
      if (extra.Taxes && change.Quantity === '') continue;
      if (isConstant) assert.ok(characters > 0 && characters < 4000, `${characters} characters`);
      else if (change.Quantity !== '') assert.ok(characters > 200_000, `${characters} characters`);
    }
  });
}

test('a line whose taxes do not fit is no part of the sums once it is removed', async () => {
  const options = { taxRates: [{ id: 'fine', rate: '0.0512345678901' }] };
  const evaluate = createEvaluator(options);
  const order = manyItems(2000);
  const huge = withItem(order, 7, item({ Quantity: 1, SellAtPricePerUnit: '79228162514264337593543950.33' }));
  for (const current of [order, huge, withItem(huge, 8, item({ Quantity: 4 }))])
    same(evaluate(current), current, options, false);
  same(evaluate(order), order, options, false);
  const { characters } = await charactersRead(() => evaluate(withItem(order, 3, item({ Quantity: 5 }))));
  assert.ok(characters < 4000, `${characters} characters`);
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

test('lines that are the same objects are not read again, even if they have moved', () => {
  const reads = [];
  const watched = (name) => {
    const target = Object.freeze(item({ Name: name }));
    return new Proxy(target, {
      ownKeys: (on) => {
        reads.push(name);
        return Reflect.ownKeys(on);
      },
    });
  };
  const names = Array.from({ length: 200 }, (_, n) => `item ${n}`);
  const Items = names.map(watched);
  const evaluate = createEvaluator();
  const count = (list) => {
    reads.length = 0;
    const { totals } = evaluate({ ...minimalOrder(), Items: list });
    return [reads.length, totals.subtotal];
  };
  assert.deepEqual(count(Items), [200, '7996.00']);
  assert.deepEqual(count([...Items]), [0, '7996.00']);
  assert.deepEqual(
    count(Items.with ? Items.with(7, watched('new')) : Items.map((one, n) => (n === 7 ? watched('new') : one))),
    [1, '7996.00'],
  );
  assert.deepEqual(count([...Items].reverse())[0], 1);
  assert.deepEqual(count([Items[0], ...Items]), [0, '8035.98']);
  assert.deepEqual(count([watched('first'), ...Items])[0], 1);
  assert.deepEqual(count(Items.slice(3)), [0, '7876.06']);
});

test('each evaluator has its own options', () => {
  const [two, three] = [createEvaluator({ scale: 2 }), createEvaluator({ scale: 3 })];
  const input = minimalOrder({ Items: [item({ Quantity: 1, SellAtPricePerUnit: '0.1255' })] });
  assert.deepEqual(
    [two(input), three(input), two(input)].map(({ totals }) => totals.subtotal),
    ['0.13', '0.126', '0.13'],
  );
});

test('an object that is in Items several times counts each time', () => {
  const evaluate = createEvaluator();
  const tea = item({ Quantity: 1, SellAtPricePerUnit: 10 });
  for (const count of [1, 3, 2, 12, 20, 15, 5, 11, 1]) {
    const order = minimalOrder({ Items: Array.from({ length: count }, () => tea) });
    assert.equal(evaluate(order).totals.subtotal, `${count}0.00`);
  }
});

test('an evaluation describes the order that it was given, even if a part is computed after later edits', () => {
  for (const more of MORE) {
    const evaluate = createEvaluator();
    const order = minimalOrder({ Items: [item(), ...more] });
    const before = evaluate(order);
    evaluate(minimalOrder({ Notes: 'later', Items: [item({ Quantity: 7 }), ...more] }));
    order.Items.push(item());
    order.Notes = 'changed in place';
    assert.equal(before.order().Items[0].Quantity, '2');
    assert.equal(before.order().Notes, undefined);
    assert.equal(before.preview().lines.length, 1 + more.length);
    assert.ok(!before.request().body.includes('changed in place'));
  }
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
  for (const more of MORE) {
    const issues = (...items) => {
      const { issues } = evaluate(minimalOrder({ Items: [...items, ...more] }));
      return issues.filter(({ severity }) => severity === 'error');
    };
    assert.deepEqual(inShort(issues(good, bad)), ['error quantity_not_positive /Items/1/Quantity']);
    assert.deepEqual(inShort(issues(good, good, bad)), ['error quantity_not_positive /Items/2/Quantity']);
    const [moved] = issues(bad, good, good);
    assert.deepEqual([moved.pointer, moved.path], ['/Items/0/Quantity', ['Items', 0, 'Quantity']]);
    assert.deepEqual(issues(good), []);
  }
});

test('a caller that changes the issues of an evaluation does not change those of the next', () => {
  for (const more of MORE) {
    const evaluate = createEvaluator();
    const order = minimalOrder({ Items: [item({ Quantity: 0 }), ...more] });
    const { issues } = evaluate(order);
    issues[0].code = 'changed';
    issues[0].path.push('changed');
    issues.length = 0;
    assert.deepEqual(evaluate(order).issues, evaluateOrder(order).issues);
  }
});

test('an order that is too large to be evaluated in parts is evaluated as a whole', () => {
  const evaluate = createEvaluator();
  const order = minimalOrder({ Items: Array.from({ length: 5001 }, () => item({ Quantity: 0 })) });
  same(evaluate(order), order, undefined);
  const changed = withItem(order, 7, item());
  same(evaluate(changed), changed, undefined);
});

test('the first line, which has the taxes, can be out of range although the order has no total', () => {
  const Items = [item({ Quantity: 1, SellAtPricePerUnit: '79228162514264337593543950335' }), item({ Quantity: 0 })];
  const Taxes = [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: 5 }];
  for (const more of MORE) {
    const order = minimalOrder({ Items: [...Items, ...more], Taxes });
    const evaluation = createEvaluator({ scale: 0 })(order);
    assert.equal(evaluation.issues[0].code, 'amount_out_of_range');
    same(evaluation, order, { scale: 0 });
  }
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

const DEEP = (depth) => Array.from({ length: depth }).reduce((inner) => ({ inner }), 1);
/** Items of each kind that lead back to the order. */
const CIRCULAR = {
  'contains the order': (order) => item({ Order: order }),
  'contains Items': ({ Items }) => item({ List: Items }),
  'has the order as its name': (order) => item({ Name: order }),
  'has Items as its quantity': ({ Items }) => item({ Quantity: Items }),
  'is the order': (order) => order,
  'is Items': ({ Items }) => Items,
};
for (const [what, input] of [
  // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
  ['holes in Items', minimalOrder({ Items: [, item(), , item()] })],
  ['an array of holes', minimalOrder({ Items: new Array(3) })],
  ['Items of another type', minimalOrder({ Items: 'x' })],
  ['Items as an object with a length', minimalOrder({ Items: { length: 1, 0: item() } })],
  ['a list', [minimalOrder()]],
  ['a Map', new Map([['Items', [item()]]])],
  ...MORE.flatMap(({ length }) =>
    Object.entries(CIRCULAR).map(([what, itemOf]) => {
      const order = manyItems(1 + length);
      order.Items.push(itemOf(order));
      return [`one of ${order.Items.length} items ${what}`, order];
    }),
  ),
  ...MORE.flatMap((more) =>
    [123, 124, 125, 126, 127, 128, 129].map((depth) => [
      `${depth} levels in one of ${1 + more.length} items`,
      minimalOrder({ Items: [item({ x: DEEP(depth) }), ...more] }),
    ]),
  ),
  ['lone surrogates', minimalOrder({ Notes: '\ud800', Items: [item({ Name: '\udc00' })] })],
  [
    'lone surrogates in an order of many items',
    minimalOrder({ Notes: '\ud800', Items: [item({ Name: '\udc00' }), ...manyItems(11).Items] }),
  ],
  ['a frozen order', deepFreeze(fullOrder())],
  ['an order with toJSON', { toJSON: () => minimalOrder() }],
  ...MORE.map((more) => [
    `${1 + more.length} items with toJSON`,
    minimalOrder({ Items: [{ toJSON: () => item() }, ...more.map((one) => ({ toJSON: () => one }))] }),
  ]),
  ['Items with toJSON', minimalOrder({ Items: Object.assign([], { toJSON: () => [item()] }) })],
  ['an array proxy', minimalOrder({ Items: new Proxy([item(), item({ Quantity: 0 })], {}) })],
  [
    'an array proxy that throws',
    minimalOrder({
      Items: new Proxy([item()], {
        get() {
          throw new Error('no');
        },
      }),
    }),
  ],
]) {
  test(`an evaluator returns what a fresh evaluation returns: ${what}`, () => {
    const evaluate = createEvaluator();
    for (const order of [minimalOrder(), input, input, fullOrder()]) same(evaluate(order), order, undefined);
  });
}

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
  for (const Items of [throwing, lying({}), lying(-1), lying(Number.NaN), lying(2), lying(0)]) {
    const order = minimalOrder({ Items });
    same(evaluate(order), order, undefined);
  }
  // Slow to count, and counted again for all that is computed later.
  const huge = minimalOrder({ Items: lying(1e9) });
  same(evaluate(huge), huge, undefined, false);
});

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

function manyItems(count) {
  return minimalOrder({ Items: Array.from({ length: count }, () => item()) });
}
