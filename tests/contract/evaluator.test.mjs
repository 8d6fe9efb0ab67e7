/** Tests createEvaluator: it equals a fresh evaluation after every edit, and does not read unchanged lines again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { deepFreeze, fullOrder, inShort, item, NAMESPACE, order, TAX } from './orders.mjs';

const { esm } = await installed();
const { createEvaluator, evaluateOrder, OrderValidationError } = esm;

/** Returns everything that an evaluation can compute. */
function everything(evaluation) {
  const { ok, issues, totals } = evaluation;
  let request;
  try {
    request = evaluation.request();
  } catch (error) {
    assert.ok(error instanceof OrderValidationError);
    request = { orderId: error.orderId, issues: error.issues, message: error.message };
  }
  return { ok, issues, totals, order: evaluation.order(), preview: evaluation.preview(), request };
}

function assertSame(evaluate, input, options, what) {
  assert.deepEqual(everything(evaluate(input)), everything(evaluateOrder(input, options)), what);
}

/** Creates a random generator with a seed, so that a failure can be repeated. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const CYCLE = { Name: 'cycle' };
CYCLE.Self = CYCLE;
const ITEMS = [
  () => item(),
  () => item({ Quantity: '2.345', SellAtPricePerUnit: '12.50' }),
  () => item({ Quantity: 0 }),
  () => item({ Quantity: 'x' }),
  () => item({ SellAtPricePerUnit: -1, Name: undefined }),
  () => item({ SellAtPricePerUnit: 0 }),
  () => item({ Quantity: 0.1 + 0.2 }),
  () => item({ Quantity: '79228162514264337593543950335', SellAtPricePerUnit: '9' }),
  () => item({ SellAtPricePerUnit: '79228162514264337593543950335', Quantity: 1 }),
  () => item({ LineDollarAmount: 3 }),
  () => item({ 'a/b': { c: [1, 2] }, name: 'x' }),
  () => item({ Notes: Symbol('x') }),
  () => ({}),
  () => null,
  () => 7,
  () => [],
  () => 'text',
  () => CYCLE,
  () => undefined,
];
const REST = [
  (o) => ({ ...o, Notes: 'n'.repeat(300) }),
  (o) => ({ ...o, CustomerId: NAMESPACE }),
  (o) => ({ ...o, Discount: { InvoiceLevel: [{ Name: 'a', Value: '10', ValueType: 2 }] } }),
  (o) => ({ ...o, Discount: { InvoiceLevel: [{ Value: '5.55', ValueType: 1 }] } }),
  (o) => ({ ...o, Discount: { InvoiceLevel: [{ Value: 150, ValueType: 2 }] } }),
  (o) => ({ ...o, Discount: null }),
  (o) => ({ ...o, Discount: 'x' }),
  (o) => ({ ...o, Taxes: [{ TaxId: TAX, TaxAmount: '1.5' }] }),
  (o) => ({ ...o, Taxes: [] }),
  (o) => ({ ...o, Taxes: null }),
  (o) => ({ ...o, Taxes: [{ TaxId: TAX, TaxAmount: '79228162514264337593543950335' }] }),
  (o) => ({ ...o, Id: undefined }),
  (o) => ({ ...o, Id: order().Id }),
  (o) => ({ ...o, Itmes: 1 }),
  (o) => ({ ...o, CompanyId: o.CompanyId === 0 ? 1000 : 0 }),
  ({ Items, ...o }) => ({ ...o, Items }),
  ({ Items, ...o }) => ({ Items, ...o }),
  ({ Notes, Itmes, CustomerId, ...o }) => o,
];

function edited(input, pick) {
  const Items = [...input.Items];
  const at = pick(Items.length + 1);
  switch (pick(9)) {
    case 0:
    case 1:
      Items.splice(at, 0, ITEMS[pick(ITEMS.length)]());
      break;
    case 2:
      Items.splice(at, 1);
      break;
    case 3:
      Items[Math.min(at, Items.length - 1)] = pick(3) ? item({ Quantity: 1 + pick(9) }) : ITEMS[pick(ITEMS.length)]();
      break;
    case 4:
      Items.splice(pick(Items.length + 1), 0, ...Items.splice(at, 1 + pick(3)));
      break;
    case 5:
      Items.reverse();
      break;
    case 6:
      if (Items.length > 0) Items.push(Items[pick(Items.length)]);
      break;
    case 7:
      return REST[pick(REST.length)](input);
    default:
      if (Items.length > 150) Items.length = 60;
      else Items.push(...Array.from({ length: pick(80) }, () => item({ Quantity: 1 + pick(5) })));
  }
  return { ...input, Items };
}

/** The number of edits for each of the five sets of options; `make soak` sets more. */
const EDITS = Number(process.env.EDITS ?? 300);

describe('createEvaluator', () => {
  const OPTIONS = [
    {},
    { discountValueTypes: { amount: 1, percent: 2 }, allowEmptyTaxes: true },
    { taxRates: [{ id: 'gst', rate: '0.05' }], rounding: 'half-even', roundTaxPer: 'tax' },
    { records: 'passthrough', version: 'v2', scale: 3, locationTaxPricing: 'Inclusive' },
    {
      explain: true,
      orderId: order().Id,
      rounding: 'half-down',
      scale: 0,
      discountValueTypes: { amount: 1, percent: 2 },
    },
  ];
  OPTIONS.forEach((options, seed) => {
    test(`equals a fresh evaluation after each of ${EDITS} edits (${JSON.stringify(options)})`, () => {
      const pick = random(seed + 1);
      const evaluate = createEvaluator(options);
      let input = order();
      for (let edit = 0; edit < EDITS; edit++) {
        input = edited(input, pick);
        assertSame(evaluate, input, options, `seed ${seed}, edit ${edit}`);
      }
    });
  });

  const DEEP = (depth) => Array.from({ length: depth }).reduce((inner) => ({ inner }), 1);
  const backReference = order();
  backReference.Items = [item(), item({ Order: backReference })];
  const listReference = order();
  listReference.Items.push(item({ List: listReference.Items }));
  for (const [what, input] of [
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    ['holes in Items', order({ Items: [, item(), , item()] })],
    ['an array of holes', order({ Items: new Array(3) })],
    ['no items', order({ Items: [] })],
    ['Items of another type', order({ Items: 'x' })],
    ['Items as an object with a length', order({ Items: { length: 1, 0: item() } })],
    ['null instead of an order', null],
    ['a list', [order()]],
    ['a Map', new Map([['Items', [item()]]])],
    ['an item that contains the order', backReference],
    ['an item that contains Items', listReference],
    ...[123, 124, 125, 126, 127, 128, 129].map((depth) => [
      `${depth} levels`,
      order({ Items: [item({ x: DEEP(depth) })] }),
    ]),
    ['5,001 issues', order({ Items: Array.from({ length: 5001 }, () => item({ Quantity: 0 })) })],
    ['lone surrogates', order({ Notes: '\ud800', Items: [item({ Name: '\udc00' })] })],
    ['a frozen order', deepFreeze(fullOrder())],
    ['an order with toJSON', { toJSON: () => order() }],
    ['items with toJSON', order({ Items: [{ toJSON: () => item() }] })],
    ['Items with toJSON', order({ Items: Object.assign([], { toJSON: () => [item()] }) })],
    ['an array proxy', order({ Items: new Proxy([item(), item({ Quantity: 0 })], {}) })],
    [
      'an array proxy that throws',
      order({
        Items: new Proxy([item()], {
          get() {
            throw new Error('no');
          },
        }),
      }),
    ],
  ]) {
    test(`equals a fresh evaluation: ${what}`, () => {
      const evaluate = createEvaluator();
      assertSame(evaluate, order());
      assertSame(evaluate, input);
      assertSame(evaluate, input);
      assertSame(evaluate, fullOrder());
    });
  }

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
      const { totals } = evaluate({ ...order(), Items: list });
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

  test('an earlier evaluation still returns the request of its own order', () => {
    const evaluate = createEvaluator();
    const first = evaluate(order());
    const second = evaluate(order({ Items: [item({ Quantity: 5 })] }));
    assert.ok(first.request().body.includes('"Quantity":2'));
    assert.ok(second.request().body.includes('"Quantity":5'));
  });

  test('each evaluator has its own options', () => {
    const [two, three] = [createEvaluator({ scale: 2 }), createEvaluator({ scale: 3 })];
    const input = order({ Items: [item({ Quantity: 1, SellAtPricePerUnit: '0.1255' })] });
    assert.deepEqual(
      [two(input), three(input), two(input)].map(({ totals }) => totals.subtotal),
      ['0.13', '0.126', '0.13'],
    );
  });

  test('a preview of an order without an Id has the totals', () => {
    const { Id, ...cart } = order();
    const evaluation = createEvaluator()(cart);
    assert.deepEqual(inShort(evaluation.issues, 'error'), ['missing /Id']);
    assert.equal(evaluation.totals.subtotal, '39.98');
  });
});
