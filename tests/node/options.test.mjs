/** Tests wrong options in every function that takes them, and what the options of rules do. The vectors test the amounts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { thrown } from '../thrown.mjs';
import { installed } from './installed.mjs';
import { deepFreeze, ID, minimalOrder, OTHER } from './orders.mjs';

const { esm } = await installed();
const { createEvaluator, evaluateOrder, OptionError, previewOrder } = esm;

const TAKERS = {
  buildOrder: (options) => esm.buildOrder(minimalOrder(), options),
  validateOrder: (options) => esm.validateOrder(minimalOrder(), options),
  previewOrder: (options) => previewOrder(minimalOrder(), options),
  prepareRequest: (options) => esm.prepareRequest(minimalOrder(), options),
  evaluateOrder: (options) => evaluateOrder(minimalOrder(), options),
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

/** @type {any[]} */
const CYCLE = [];
CYCLE.push(CYCLE);

/** The pointer of an option, and options objects in which this option is wrong. */
const WRONG = [
  ['', [null, 7, 'v3', true, [], () => ({}), Symbol('x'), new Map(), new Date()]],
  ['/version', ['v1', 'V3', '', ' v3', '3', ...NOT_STRINGS].map((version) => ({ version }))],
  [
    '/locationTaxPricing',
    ['inclusive', '', 'None', 7, true, {}, []].map((locationTaxPricing) => ({ locationTaxPricing })),
  ],
  ['/allowEmptyTaxes', ['true', 1, 0, {}, null, []].map((allowEmptyTaxes) => ({ allowEmptyTaxes }))],
  ['/strict', ['true', 1, 0, {}, null, []].map((strict) => ({ strict }))],
  ['/records', ['Strict', 'sibling', '', ...NOT_STRINGS].map((records) => ({ records }))],
  [
    '/orderId',
    ['', 'x', `${ID}0`, '00000000-0000-0000-0000-000000000000', ...NOT_STRINGS].map((orderId) => ({ orderId })),
  ],
  [
    '/discountValueTypes',
    [null, 7, 'x', true, () => 1, Symbol('x')].map((discountValueTypes) => ({ discountValueTypes })),
  ],
  ['/discountValueTypes', [types({ amount: 2 }), types({ amount: '2', percent: '2' })]],
  ['/discountValueTypes/percent', [null, true, {}, [], Number.NaN].map((percent) => types({ percent }))],
  ['/discountValueTypes/amount', [null, true, {}, [], Number.POSITIVE_INFINITY].map((amount) => types({ amount }))],
  ['/discountValueTypes/percnt', [types({ percnt: 2 })]],
  [
    '/scale',
    [-1, 5, 2.5, '2', true, null, Number.NaN, Number.POSITIVE_INFINITY, {}, 2n ** 70n].map((scale) => ({ scale })),
  ],
  ['/id', ['Optional', 'none', '', ...NOT_STRINGS].map((id) => ({ id }))],
  ['/rounding', ['up', 'Half-Up', 'half_up', '', ...NOT_STRINGS].map((rounding) => ({ rounding }))],
  ['/roundTaxPer', ['Line', 'order', '', ...NOT_STRINGS].map((roundTaxPer) => ({ roundTaxPer }))],
  ['/explain', ['true', 1, null, {}].map((explain) => ({ explain }))],
  ['/taxRates', [null, {}, 'x', 7, true, new Set()].map((taxRates) => ({ taxRates }))],
  ['/taxRates/0', [null, 7, 'gst', [], () => 1, Symbol('gst'), CYCLE].map((each) => ({ taxRates: [each] }))],
  ['/taxRates/1', [{ taxRates: Object.assign([{ id: 'a', rate: 1 }], { length: 2 }) }]],
  ['/taxRates/1/id', NOT_STRINGS.map((id) => rate({ id }))],
  ['/taxRates/1/name', NOT_STRINGS.map((name) => rate({ name }))],
  [
    '/taxRates/1/rate',
    ['x', '', -1, '-0.05', Number.NaN, true, null, {}, [], () => 1].map((value) => rate({ rate: value })),
  ],
  ['/taxRates/1/type', ['percentage', 'Flat', '', ...NOT_STRINGS].map((type) => rate({ type }))],
  ['/taxRates/1/layer', [2, -1, 0.5, '0', null, true].map((layer) => rate({ layer }))],
  ['/taxRates/1/catalogItemIds', [null, 'x', {}, 7].map((catalogItemIds) => rate({ catalogItemIds }))],
  ['/taxRates/1/catalogItemIds/1', ['x', '', 7, null].map((id) => rate({ catalogItemIds: [OTHER, id] }))],
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
          assert.equal(error.option, pointer, `${name}: ${error.message}`);
          assert.match(error.message, /^(the options|option \/\S+) /);
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

  test('the message about a wrong ValueType names both types that it may have', () => {
    for (const amount of [null, true, {}]) {
      const { message } = thrown(() => esm.createEvaluator(/** @type {any} */ (types({ amount }))));
      assert.equal(message, 'option /discountValueTypes/amount must be a number or a string');
    }
  });

  test('a value that cannot be used is refused for every order, whatever was called before', () => {
    const hidden = Object.defineProperty({ percent: 'x', more: 1 }, 'amount', { value: 'a', enumerable: false });
    for (const discountValueTypes of [{ amount: '\ud800', percent: 'x' }, hidden]) {
      for (const order of [minimalOrder(), minimalOrder({ Unknown: 1 }), minimalOrder(), minimalOrder({ Id: 7 })]) {
        for (const call of [esm.evaluateOrder, esm.validateOrder, esm.previewOrder, esm.prepareRequest]) {
          assert.throws(() => call(order, /** @type {any} */ ({ discountValueTypes })), { name: 'OptionError' });
        }
      }
      assert.throws(() => esm.createEvaluator(/** @type {any} */ ({ discountValueTypes })), { name: 'OptionError' });
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

  test('salesOrderSchema rejects a wrong options object at once, and an option whose getter throws', () => {
    for (const options of [null, 5, 'v2', () => ({})])
      assert.throws(() => esm.salesOrderSchema('v3', options), { name: 'OptionError', option: '' });
    const throwing = Object.defineProperty({}, 'records', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    assert.throws(() => esm.salesOrderSchema('v3', throwing), { name: 'OptionError', option: '' });
    const schema = /** @type {any} */ (esm.salesOrderSchema);
    assert.throws(() => schema(undefined, { version: 'v2' }), { name: 'OptionError', option: '/version' });
    assert.ok(schema('v2', { version: 'v2' }) && schema('v3', { version: undefined }));
  });

  test('inherited members are not options, whatever Object.prototype has', () => {
    Object.defineProperty(Object.prototype, 'invalidOption', { value: 1, enumerable: true, configurable: true });
    try {
      assert.equal(esm.validateOrder(minimalOrder(), {}).ok, true);
      assert.equal(evaluateOrder(minimalOrder(), { scale: 2 }).ok, true);
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
        'strict',
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
    assert.deepEqual(previewOrder(minimalOrder(), nothing), previewOrder(minimalOrder()));
  });

  test('strict: warnings are errors, also of the calculation, and the amounts stay', () => {
    const order = minimalOrder({ Taxes: undefined, note: 'x' });
    const rates = [{ id: 'gst', rate: 5 }];
    const lenient = evaluateOrder(order, { taxRates: rates });
    const strict = evaluateOrder(order, { taxRates: rates, strict: true });
    const severities = ({ issues }) => issues.map(({ code, severity }) => [code, severity]);
    assert.deepEqual(
      severities(strict),
      severities(lenient).map(([code, severity]) => [code, severity === 'warning' ? 'error' : severity]),
    );
    assert.deepEqual([lenient.ok, strict.ok], [true, false]);
    assert.deepEqual({ ...strict.totals, issues: [] }, { ...lenient.totals, issues: [] });
    assert.throws(() => esm.prepareRequest(order, { strict: true }), { name: 'OrderValidationError' });
    assert.equal(evaluateOrder(minimalOrder(), { taxRates: [{ id: 'gst', rate: 5 }], strict: true }).ok, false);
  });

  test('createEvaluator throws at once, not at the first order', () => {
    assert.equal(thrown(() => createEvaluator({ scale: 9 })).option, '/scale');
  });

  test('options changed after createEvaluator have no effect', () => {
    const options = { scale: 2 };
    const evaluate = createEvaluator(options);
    options.scale = 0;
    assert.equal(evaluate(minimalOrder()).totals.scale, 2);
  });

  test('one options object serves all functions', () => {
    const all = { ...types({}), ...rate({}), scale: 3, rounding: 'half-even', roundTaxPer: 'tax', explain: true };
    for (const take of Object.values(TAKERS)) take({ ...all, version: 'v2', records: 'passthrough', orderId: ID });
  });
});
