/** Tests wrong options in every function that takes them (OptionError), and the effects of RuleOptions and PreviewOptions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { cart, deepFreeze, ID, inShort, item, NAMESPACE, order, TAX, thrown } from './orders.mjs';

const { esm, cjs } = await installed();
const { createEvaluator, evaluateOrder, isOptionError, OptionError, previewOrder } = esm;

const TAKERS = {
  buildOrder: (options) => esm.buildOrder(order(), options),
  validateOrder: (options) => esm.validateOrder(order(), options),
  previewOrder: (options) => previewOrder(order(), options),
  prepareRequest: (options) => esm.prepareRequest(order(), options),
  evaluateOrder: (options) => evaluateOrder(order(), options),
  createEvaluator: (options) => createEvaluator(options),
};

const NOT_STRINGS = [7, true, {}, [], null, Symbol('x'), () => 'x', Number.NaN];
const rate = (changes) => ({
  taxRates: [
    { id: 'a', rate: '0.05' },
    { id: 'gst', rate: '0.05', ...changes },
  ],
});
const types = (changes) => ({ discountValueTypes: { amount: 1, percent: 2, ...changes } });

/** The pointer of an option, and options objects in which this option is wrong. */
const WRONG = [
  ['', [null, 7, 'v3', true, [], () => ({}), Symbol('x'), new Map(), new Date()]],
  ['/version', ['v1', 'V3', '', ' v3', '3', ...NOT_STRINGS].map((version) => ({ version }))],
  [
    '/locationTaxPricing',
    ['inclusive', '', 'None', 7, true, {}, []].map((locationTaxPricing) => ({ locationTaxPricing })),
  ],
  ['/allowEmptyTaxes', ['true', 1, 0, {}, null, []].map((allowEmptyTaxes) => ({ allowEmptyTaxes }))],
  ['/records', ['Strict', 'sibling', '', ...NOT_STRINGS].map((records) => ({ records }))],
  [
    '/orderId',
    ['', 'x', `${ID}0`, '00000000-0000-0000-0000-000000000000', ...NOT_STRINGS].map((orderId) => ({ orderId })),
  ],
  ['/discountValueTypes', [null, 7, 'x', true].map((discountValueTypes) => ({ discountValueTypes }))],
  ['/discountValueTypes', [types({ amount: 2 }), types({ amount: '2', percent: '2' })]],
  ['/discountValueTypes/percent', [null, true, {}, [], Number.NaN].map((percent) => types({ percent }))],
  ['/discountValueTypes/amount', [null, true, {}, [], Number.POSITIVE_INFINITY].map((amount) => types({ amount }))],
  ['/discountValueTypes/percnt', [types({ percnt: 2 })]],
  [
    '/scale',
    [-1, 5, 2.5, '2', true, null, Number.NaN, Number.POSITIVE_INFINITY, {}, 2n ** 70n].map((scale) => ({ scale })),
  ],
  ['/rounding', ['up', 'Half-Up', 'half_up', '', ...NOT_STRINGS].map((rounding) => ({ rounding }))],
  ['/roundTaxPer', ['Line', 'order', '', ...NOT_STRINGS].map((roundTaxPer) => ({ roundTaxPer }))],
  ['/explain', ['true', 1, null, {}].map((explain) => ({ explain }))],
  ['/taxRates', [null, {}, 'x', 7, true, new Set()].map((taxRates) => ({ taxRates }))],
  ['/taxRates/0', [null, 7, 'gst', []].map((each) => ({ taxRates: [each] }))],
  ['/taxRates/1/id', NOT_STRINGS.map((id) => rate({ id }))],
  ['/taxRates/1/name', NOT_STRINGS.map((name) => rate({ name }))],
  [
    '/taxRates/1/rate',
    ['x', '', -1, '-0.05', Number.NaN, true, null, {}, [], () => 1].map((value) => rate({ rate: value })),
  ],
  ['/taxRates/1/type', ['percentage', 'Flat', '', ...NOT_STRINGS].map((type) => rate({ type }))],
  ['/taxRates/1/layer', [2, -1, 0.5, '0', null, true].map((layer) => rate({ layer }))],
  ['/taxRates/1/catalogItemIds', [null, 'x', {}, 7].map((catalogItemIds) => rate({ catalogItemIds }))],
  ['/taxRates/1/catalogItemIds/1', ['x', '', 7, null].map((id) => rate({ catalogItemIds: [NAMESPACE, id] }))],
  ['/taxRates/1/rat', [rate({ rat: 1 })]],
  ['/scael', [{ scael: 2 }]],
  ['/a~1b~0c', [{ 'a/b~c': 2 }]],
  ['/taxRates/1/a~1b', [rate({ 'a/b': 1 })]],
];

describe('OptionError', () => {
  for (const [pointer, wrongs] of WRONG) {
    test(`a wrong ${pointer || 'options object'} is an OptionError with that pointer, in every function`, () => {
      for (const options of wrongs)
        for (const [name, take] of Object.entries(TAKERS)) {
          const error = thrown(() => take(options));
          assert.ok(error instanceof OptionError, `${name}: ${error?.stack}`);
          for (const base of [TypeError, Error]) assert.ok(error instanceof base);
          assert.equal(error.name, 'OptionError');
          assert.ok(isOptionError(error) && cjs.isOptionError(error));
          assert.equal(error.option, pointer, `${name}: ${error.message}`);
          assert.ok(error.message.length > 10);
        }
    });
  }

  test('a missing member of an option is reported at the option or at the member', () => {
    for (const [options, pointer] of [
      [{ taxRates: [{ rate: 1 }] }, '/taxRates/0'],
      [{ taxRates: [{ id: 'gst' }] }, '/taxRates/0'],
      [{ discountValueTypes: { amount: 1 } }, '/discountValueTypes'],
      [{ discountValueTypes: {} }, '/discountValueTypes'],
    ])
      for (const take of Object.values(TAKERS)) {
        const error = thrown(() => take(options));
        assert.ok(error instanceof OptionError);
        assert.ok(error.option.startsWith(pointer), error.option);
      }
  });

  test('a getter or proxy that throws is an OptionError without the message of the engine', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = {
      get scale() {
        throw new Error('secret');
      },
    };
    for (const [options, pointer] of [
      [proxy, ''],
      [throwing, '/scale'],
      [{ taxRates: proxy }, '/taxRates'],
    ])
      for (const [name, take] of Object.entries(TAKERS)) {
        const error = thrown(() => take(options));
        assert.ok(error instanceof OptionError, name);
        assert.equal(error.option, pointer);
        assert.doesNotMatch(error.message, /secret|revoked|undefined/);
      }
  });

  test('inherited members are not options, whatever Object.prototype has', () => {
    Object.defineProperty(Object.prototype, 'invalidOption', { value: 1, enumerable: true, configurable: true });
    try {
      assert.equal(esm.validateOrder(order(), {}).ok, true);
      assert.equal(evaluateOrder(order(), { scale: 2 }).ok, true);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'invalidOption');
    }
  });

  test('undefined is the default of every option, and options may be deeply frozen', () => {
    const nothing = Object.fromEntries(
      [
        'version',
        'locationTaxPricing',
        'allowEmptyTaxes',
        'records',
        'discountValueTypes',
        'orderId',
        'scale',
        'rounding',
      ]
        .concat(['roundTaxPer', 'taxRates', 'explain'])
        .map((name) => [name, undefined]),
    );
    const options = deepFreeze({
      ...types({}),
      ...rate({ name: undefined, type: undefined, layer: undefined, catalogItemIds: undefined }),
    });
    for (const take of Object.values(TAKERS)) {
      take(nothing);
      take(undefined);
      take({});
      take(options);
    }
    assert.deepEqual(previewOrder(order(), nothing), previewOrder(order()));
  });

  test('createEvaluator throws at once, not at the first order', () => {
    assert.equal(thrown(() => createEvaluator({ scale: 9 })).option, '/scale');
  });

  test('options changed after createEvaluator have no effect', () => {
    const options = { scale: 2 };
    const evaluate = createEvaluator(options);
    options.scale = 0;
    assert.equal(evaluate(order()).totals.scale, 2);
  });

  test('one options object serves all functions', () => {
    const all = { ...types({}), ...rate({}), scale: 3, rounding: 'half-even', roundTaxPer: 'tax', explain: true };
    for (const take of Object.values(TAKERS)) take({ ...all, version: 'v2', records: 'passthrough', orderId: ID });
  });
});

describe('RuleOptions', () => {
  const judged = (input, options) => [
    esm.validateOrder(input, options),
    esm.buildOrder(input, options),
    evaluateOrder(input, options),
    createEvaluator(options)(input),
  ];
  const blocks = (input, options, code) => {
    for (const { ok, issues } of judged(input, options)) {
      assert.equal(ok, false);
      assert.ok(inShort(issues, 'error').includes(code), inShort(issues).join());
    }
    assert.ok(inShort(thrown(() => esm.prepareRequest(input, options)).issues, 'error').includes(code));
  };
  const passes = (input, options) => {
    for (const { ok, issues } of judged(input, options)) assert.equal(ok, true, inShort(issues).join());
    esm.prepareRequest(input, options);
  };

  test('locationTaxPricing: Inclusive is an error; Exclusive, null and undefined are accepted', () => {
    for (const locationTaxPricing of ['Exclusive', null, undefined]) passes(order(), { locationTaxPricing });
    for (const { issues } of judged(order(), { locationTaxPricing: 'Inclusive' }))
      assert.ok(issues.some(({ code, severity }) => code === 'location_tax_inclusive' && severity === 'error'));
  });

  test('allowEmptyTaxes: [] is an error without it', () => {
    blocks(order({ Taxes: [] }), {}, 'taxes_empty /Taxes');
    passes(order({ Taxes: [] }), { allowEmptyTaxes: true });
    assert.ok(esm.prepareRequest(order({ Taxes: [] }), { allowEmptyTaxes: true }).body.includes('"Taxes":[]'));
    assert.equal(previewOrder(order({ Taxes: [] }), { allowEmptyTaxes: true }).tax.total, '0.00');
    assert.equal(previewOrder(order({ Taxes: [] }), { allowEmptyTaxes: true }).tax.source, 'supplied');
  });

  test('records: passthrough sends records unread, strict checks them', () => {
    const odd = order({ Taxes: [{ Rate: 'odd' }], Discount: { Percent: 'odd' } });
    blocks(odd, {}, 'missing /Taxes/0/TaxId');
    passes(odd, { records: 'passthrough' });
    const { body } = esm.prepareRequest(odd, { records: 'passthrough' });
    assert.ok(body.includes('"Taxes":[{"Rate":"odd"}]') && body.includes('"Discount":{"Percent":"odd"}'));
    assert.equal(previewOrder(odd, { records: 'passthrough' }).total, null);
  });

  test('discountValueTypes: with it, 150 and -1 percent are errors in every function; without it, the discount is unknown', () => {
    for (const Value of [150, '100.01', -1]) {
      const input = order({ Discount: { InvoiceLevel: [{ Value, ValueType: 2 }] } });
      for (const { ok } of judged(input, types({}))) assert.equal(ok, false, String(Value));
      thrown(() => esm.prepareRequest(input, types({})));
    }
    const input = order({ Discount: { InvoiceLevel: [{ Value: 150, ValueType: 2 }] } });
    blocks(input, types({}), 'discount_percent_out_of_range /Discount/InvoiceLevel/0/Value');
    assert.equal(
      previewOrder(input, types({})).issues.some(({ severity }) => severity === 'error'),
      true,
    );
    passes(input, {});
    assert.equal(previewOrder(input).discount.total, null);
    passes(order({ Discount: { InvoiceLevel: [{ Value: 100, ValueType: 2 }] } }), types({}));
  });

  test('discountValueTypes: ValueType can be a number or a string, and is sent unchanged', () => {
    for (const ValueType of [2, '2', 'Percent', 2.5]) {
      const input = order({ Discount: { InvoiceLevel: [{ Value: 1, ValueType }] } });
      assert.ok(esm.prepareRequest(input).body.includes(`"ValueType":${JSON.stringify(ValueType)}`));
    }
    const named = { discountValueTypes: { amount: 'Amount', percent: 'Percent' } };
    const input = order({ Discount: { InvoiceLevel: [{ Value: 10, ValueType: 'Percent' }] } });
    assert.equal(previewOrder(input, named).discount.total, '4.00');
  });

  test('orderId: compared by value', () => {
    passes(order(), { orderId: `{${ID.toUpperCase()}}` });
    blocks(order(), { orderId: NAMESPACE }, 'order_id_mismatch /Id');
  });
});

describe('PreviewOptions', () => {
  const total = (changes, options) => previewOrder(order(changes), { ...options });
  const half = [item({ Quantity: 1, SellAtPricePerUnit: '0.125' })];

  test('scale has 0 to 4 fraction digits, 2 by default', () => {
    const digits = ['0', '0.1', '0.13', '0.125', '0.1250'];
    for (const [scale, text] of digits.entries()) assert.equal(total({ Items: half }, { scale }).subtotal, text);
    assert.equal(total({ Items: half }).subtotal, '0.13');
    assert.equal(total({ Items: half }).scale, 2);
  });

  test('rounding is half-up by default; half-even and half-down differ at half a unit', () => {
    for (const [rounding, text] of [
      ['half-up', '0.13'],
      ['half-even', '0.12'],
      ['half-down', '0.12'],
      [undefined, '0.13'],
    ])
      assert.equal(total({ Items: half }, { rounding }).subtotal, text);
    const odd = [item({ Quantity: 1, SellAtPricePerUnit: '0.135' })];
    assert.equal(total({ Items: odd }, { rounding: 'half-even' }).subtotal, '0.14');
    assert.equal(total({ Items: odd }, { rounding: 'half-down' }).subtotal, '0.13');
  });

  test('each extended price is rounded once, and the subtotal is the sum of the rounded ones', () => {
    const three = Array.from({ length: 3 }, () => half[0]);
    assert.equal(total({ Items: three }).subtotal, '0.39');
  });

  test('roundTaxPer: per line by default, or once per tax', () => {
    const Items = Array.from({ length: 3 }, () => item({ Quantity: 1, SellAtPricePerUnit: '0.50' }));
    const taxRates = [{ id: 'gst', rate: '0.05' }];
    // 0.025 a line.
    assert.equal(total({ Items }, { taxRates }).tax.total, '0.09');
    assert.equal(total({ Items }, { taxRates, roundTaxPer: 'line' }).tax.total, '0.09');
    // 0.075 in all.
    assert.equal(total({ Items }, { taxRates, roundTaxPer: 'tax' }).tax.total, '0.08');
    const range = total({ Items }, { taxRates }).roundingRange;
    assert.deepEqual(range, { min: '1.56', max: '1.59' });
  });

  test('taxRates give an estimate only if Taxes is absent or null', () => {
    const taxRates = [{ id: 'gst', name: 'GST', rate: 0.05 }];
    for (const Taxes of [undefined, null]) {
      const { tax, total: sum } = total({ Taxes }, { taxRates });
      assert.deepEqual(tax, {
        source: 'estimated',
        total: '2.00',
        entries: [{ taxId: 'gst', name: 'GST', amount: '2.00' }],
      });
      assert.equal(sum, '41.98');
      assert.deepEqual(total({ Taxes }).tax, { source: 'point-of-sale', total: null, entries: [] });
      assert.equal(total({ Taxes }).total, null);
    }
    assert.equal(total({ Taxes: [{ TaxId: TAX, TaxAmount: 1 }] }, { taxRates }).tax.source, 'supplied');
  });

  test('layer 1 is calculated on price plus layer 0, including flat rates; FlatRate is per unit sold; catalogItemIds select the lines', () => {
    const Items = [
      item({ Quantity: 2, SellAtPricePerUnit: 50 }),
      item({ Quantity: 1, SellAtPricePerUnit: 10, CatalogItemId: TAX }),
    ];
    const taxRates = [
      { id: 'base', rate: '0.10', catalogItemIds: [item().CatalogItemId.toUpperCase()] },
      { id: 'top', rate: '0.10', layer: 1, catalogItemIds: [item().CatalogItemId] },
      { id: 'flat', rate: '0.25', type: 'FlatRate' },
    ];
    const { tax, lines } = total({ Items }, { taxRates });
    assert.deepEqual(
      tax.entries.map(({ taxId, amount }) => `${taxId} ${amount}`),
      ['base 10.00', 'top 11.05', 'flat 0.75'],
    );
    assert.deepEqual(
      lines.map(({ tax: of }) => of),
      ['21.55', '0.25'],
    );
  });

  test('a rate above 1 warns', () => {
    assert.ok(
      total({}, { taxRates: [{ id: 'gst', rate: 5 }] }).issues.some(({ code }) => code === 'tax_rate_above_one'),
    );
  });

  test('explain returns steps; without it, steps are undefined', () => {
    const Items = [item({ Quantity: '2.345', SellAtPricePerUnit: '12.50' })];
    const { steps } = total({ Items }, { explain: true });
    assert.deepEqual(steps[0], {
      of: '/lines/0/extended',
      expression: '2.345 × 12.50',
      exact: '29.3125',
      result: '29.31',
      rule: 'D18',
    });
    assert.equal('steps' in total({ Items }), false);
    assert.equal('steps' in total({ Items }, { explain: false }), false);
  });
});

describe('Preview', () => {
  test('discount shares sum exactly, and ties go to the earlier line', () => {
    const Items = Array.from({ length: 3 }, () => item({ Quantity: 1, SellAtPricePerUnit: 1 }));
    const preview = previewOrder(
      cart({ Items, Discount: { InvoiceLevel: [{ Name: 'a', Value: 1, ValueType: 1 }] } }),
      types({}),
    );
    assert.deepEqual(
      preview.lines.map(({ discount }) => discount),
      ['0.34', '0.33', '0.33'],
    );
    assert.deepEqual(preview.discount, { total: '1.00', entries: [{ name: 'a', amount: '1.00' }] });
  });

  test('supplied taxes are all on line 0, as given', () => {
    const Items = [item(), item()];
    const Taxes = [
      { TaxId: TAX, TaxAmount: '0.30' },
      { TaxId: NAMESPACE, TaxAmount: '1' },
    ];
    const { lines, tax, total } = previewOrder(cart({ Items, Taxes }));
    assert.equal(tax.source, 'supplied');
    assert.equal(tax.total, '1.30');
    assert.deepEqual(
      lines.map((line) => line.tax),
      ['1.30', '0.00'],
    );
    assert.deepEqual(
      lines.map(({ taxes }) => taxes.map(({ taxId, amount }) => `${taxId} ${amount}`)),
      [[`${TAX} 0.30`, `${NAMESPACE} 1.00`], []],
    );
    assert.equal(total, '81.26');
  });

  test('has the members of the contract, and no others', () => {
    const preview = previewOrder(cart(), { explain: true, taxRates: [{ id: 'gst', rate: 0.05 }] });
    const members = ['version', 'scale', 'rounding', 'subtotal', 'discount', 'tax', 'total', 'roundingRange'];
    assert.deepEqual(Object.keys(preview).sort(), [...members, 'issues', 'lines', 'steps'].sort());
    const line = ['index', 'name', 'quantity', 'unitPrice', 'extended', 'discount', 'tax', 'taxes', 'total'];
    assert.deepEqual(Object.keys(preview.lines[0]).sort(), line.sort());
    assert.deepEqual(Object.keys(evaluateOrder(cart()).totals).sort(), members.sort());
  });

  test('a discount above the subtotal is limited to it, with a warning', () => {
    const { discount, issues, total } = previewOrder(
      cart({ Discount: { InvoiceLevel: [{ Value: 1000, ValueType: 1 }] }, Taxes: [{ TaxId: TAX, TaxAmount: 0 }] }),
      types({}),
    );
    assert.equal(discount.total, '39.98');
    assert.equal(total, '0.00');
    assert.ok(issues.some(({ code, severity }) => code === 'discount_clamped' && severity === 'warning'));
  });

  test('discount entries apply in order, percentages to the remaining subtotal', () => {
    const entries = [
      { Value: 10, ValueType: 1 },
      { Value: 10, ValueType: 2 },
    ];
    const amounts = (InvoiceLevel) =>
      previewOrder(
        cart({ Items: [item({ Quantity: 1, SellAtPricePerUnit: 100 })], Discount: { InvoiceLevel } }),
        types({}),
      ).discount.entries.map(({ amount }) => amount);
    assert.deepEqual(amounts(entries), ['10.00', '9.00']);
    assert.deepEqual(amounts([...entries].reverse()), ['10.00', '10.00']);
  });
});
