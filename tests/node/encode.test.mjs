/** Tests values that JSON cannot represent: each is an issue at its pointer, never an exception. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from './installed.mjs';
import { inShort, item, minimalOrder, orderWith } from './orders.mjs';

const { esm } = await installed();
const { evaluateOrder, prepareRequest, previewOrder, validateOrder } = esm;

/** A decimal like those of decimal.js, big.js and bignumber.js. */
class Decimal {
  constructor(digits) {
    this.digits = digits;
  }
  toFixed() {
    return this.digits;
  }
  toString() {
    return `${this.digits}e+0`;
  }
  toJSON() {
    return this.toString();
  }
}

const throws = () => {
  throw new Error('no');
};

function quantityOnWire(value) {
  return prepareRequest(orderWith({ Quantity: value })).body.match(/"Quantity":(.*?),/)[1];
}

function issuesOf(input) {
  return inShort(validateOrder(input).issues);
}

const ON_THE_WIRE = [
  ['a result of floating-point arithmetic', 0.1 + 0.2, '0.30000000000000004'],
  ['an object with toFixed', new Decimal('1.50'), '1.50'],
  ['an object with toJSON only', { toJSON: () => '7.25' }, '7.25'],
  ['an object with toJSON that returns a boxed number', { toJSON: () => new Number(7.5) }, '7.5'],
  ['a boxed number', new Number(3.5), '3.5'],
  ['a boxed string', new String('4.5'), '4.5'],
  ['a boxed bigint', Object(6n), '6'],
];
for (const [what, value, digits] of ON_THE_WIRE) {
  test(`${what} as a quantity is sent as ${digits}`, () => assert.equal(quantityOnWire(value), digits));
}

const AT_A_DECIMAL = [
  ['NaN', NaN, 'not_finite'],
  ['infinity', Infinity, 'not_finite'],
  ['negative infinity', -Infinity, 'not_finite'],
  ['a boxed NaN', new Number(NaN), 'not_finite'],
  ['minus zero', -0, 'quantity_not_positive'],
  ['null', null, 'null_not_allowed'],
  ['undefined', undefined, 'missing'],
  ['toJSON that returns undefined', { toJSON: () => undefined }, 'missing'],
  ['a function', () => 1, 'not_a_json_value'],
  ['a symbol', Symbol('one'), 'not_a_json_value'],
  ['a Map', new Map([['a', 1]]), 'not_a_json_value'],
  ['a Set', new Set([1]), 'not_a_json_value'],
  ['a WeakMap', new WeakMap(), 'not_a_json_value'],
  ['a promise', Promise.resolve(1), 'not_a_json_value'],
  ['a typed array, though it prints a number', new Uint8Array([5]), 'not_a_json_value'],
  ['an ArrayBuffer', new ArrayBuffer(8), 'not_a_json_value'],
  ['an invalid date', new Date(NaN), 'not_a_json_value'],
  ['toFixed that throws', { toFixed: throws }, 'not_a_json_value'],
  ['toJSON that throws', { toJSON: throws }, 'not_a_json_value'],
  ['toJSON that returns a Map', { toJSON: () => new Map() }, 'not_a_json_value'],
  ['toJSON that returns an invalid date', { toJSON: () => new Date(NaN) }, 'not_a_json_value'],
  ['toJSON that returns a function', { toJSON: () => throws }, 'not_a_json_value'],
  ['a proxy whose traps throw', hostileProxy(), 'not_a_json_value'],
  ['a revoked proxy', revokedProxy(), 'not_a_json_value'],
  ['a date', new Date(0), 'not_a_decimal'],
  ['a plain object', {}, 'not_a_decimal'],
  ['a list', [1], 'not_a_decimal'],
  ['an object without a prototype', Object.create(null), 'not_a_decimal'],
  ['half of a surrogate pair', '\ud800', 'not_a_decimal'],
];
for (const [what, value, code] of AT_A_DECIMAL) {
  test(`${what} as a quantity is ${code}`, () => {
    assert.deepEqual(issuesOf(orderWith({ Quantity: value })), [`error ${code} /Items/0/Quantity`]);
  });
}

const AT_A_TEXT = [
  ['NaN', NaN, 'not_finite'],
  ['a function', throws, 'not_a_json_value'],
  ['a Map', new Map(), 'not_a_json_value'],
  ['an invalid date', new Date(NaN), 'not_a_json_value'],
  ['half of a surrogate pair', 'ab\udc00', 'not_unicode'],
  ['a number', 5, 'not_a_string'],
  ['a boolean', true, 'not_a_string'],
];
for (const [what, value, code] of AT_A_TEXT) {
  test(`${what} as Notes is ${code}`, () =>
    assert.deepEqual(issuesOf(minimalOrder({ Notes: value })), [`error ${code} /Notes`]));
}

function hostileProxy() {
  return new Proxy({}, new Proxy({}, { get: () => throws }));
}

function revokedProxy() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test('a date in a string member is sent in its ISO form', () => {
  assert.match(prepareRequest(minimalOrder({ Notes: new Date(0) })).body, /"Notes":"1970-01-01T00:00:00.000Z"/);
});

test('a getter that throws is an issue at its member, and the rest is still validated', () => {
  const order = Object.defineProperty(minimalOrder({ EntityId: 0 }), 'Notes', { enumerable: true, get: throws });
  assert.deepEqual(issuesOf(order), ['error integer_out_of_range /EntityId', 'error not_a_json_value /Notes']);
});

/** What a getter may return, at each time that it is read. */
const READ = [
  1,
  '2.50',
  3n,
  0.1 + 0.2,
  Number.NaN,
  'x',
  null,
  undefined,
  [],
  { toFixed: () => '4' },
  new Map(),
  throws,
];
const PLACES = {
  Notes: (get) => Object.defineProperty(minimalOrder(), 'Notes', { enumerable: true, get }),
  Quantity: (get) => minimalOrder({ Items: [Object.defineProperty(item(), 'Quantity', { enumerable: true, get })] }),
  Items: (get) => Object.defineProperty(minimalOrder(), 'Items', { enumerable: true, get: () => [item(), get()] }),
  'a member of a proxy': (get) =>
    minimalOrder({
      Items: [new Proxy(item(), { get: (on, name) => (name === 'Name' ? get() : Reflect.get(on, name)) })],
    }),
};
for (const [where, orderOf] of Object.entries(PLACES)) {
  test(`what is judged is what is sent, however often a getter changes its mind: ${where}`, () => {
    for (const first of READ)
      for (const second of READ)
        for (const third of READ) {
          let reads = 0;
          const get = () => {
            const value = [first, second, third][reads++ % 3];
            return value === throws ? throws() : value;
          };
          const evaluation = evaluateOrder(orderOf(get));
          if (!evaluation.ok) continue;
          const read = reads;
          const { body } = evaluation.request();
          const again = evaluateOrder(body);
          assert.deepEqual([again.ok, again.totals, again.preview()], [true, evaluation.totals, evaluation.preview()]);
          assert.deepEqual(again.order(), evaluation.order());
          assert.equal(again.request().body, body);
          assert.equal(reads, read);
        }
  });
}

test('the digits of a bigint are intended, so they cause no warning about floating-point arithmetic', () => {
  assert.deepEqual(issuesOf(orderWith({ Quantity: 12345678901234567n })), []);
  assert.deepEqual(issuesOf(orderWith({ Quantity: 12345678901234568 })), [
    'warning decimal_from_float /Items/0/Quantity',
  ]);
});

test('a bigint as CompanyId is an integer', () => {
  assert.match(prepareRequest(minimalOrder({ CompanyId: 7n })).body, /"CompanyId":7,/);
});

test('members of the prototype are not part of the order, as in JSON.stringify', () => {
  class Order {
    constructor() {
      Object.assign(this, minimalOrder());
    }
    get Notes() {
      return 'inherited';
    }
  }
  assert.doesNotMatch(prepareRequest(new Order()).body, /inherited/);
});

test('an order that contains itself is too deep at that member', () => {
  const order = minimalOrder();
  order.Notes = order;
  assert.deepEqual(issuesOf(order), ['error too_deep /Notes']);
});

test('the same object twice is not a cycle', () => {
  const tea = item();
  assert.deepEqual(issuesOf(minimalOrder({ Items: [tea, tea] })), []);
});

test('100,000 levels are too deep, as an object and as JSON', () => {
  /** @type {unknown} */
  let deep = 1;
  for (let level = 0; level < 100_000; level++) deep = { deep };
  assert.ok(issuesOf(minimalOrder({ Extra: deep })).includes('error too_deep /Extra'));
  const text = JSON.stringify(minimalOrder({ Extra: 0 })).replace(
    /0}$/,
    `${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  );
  assert.ok(issuesOf(text).includes('error too_deep /Extra'));
});

test('the limit of nesting is the same for an object and for JSON', () => {
  /** @type {unknown} */
  let deep = 1;
  for (let level = 1; level < 80; level++) {
    deep = { deep };
    const order = minimalOrder({ Extra: deep });
    assert.deepEqual(issuesOf(order), issuesOf(JSON.stringify(order)), `${level} levels`);
  }
});

test('a hole in an array is an issue at the hole, not a null', () => {
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  assert.deepEqual(issuesOf(minimalOrder({ Items: [item(), , item()] })), ['error not_a_json_value /Items/1']);
  assert.deepEqual(issuesOf(minimalOrder({ Items: [undefined] })), ['error not_a_json_value /Items/0']);
});

test('what is too large is one issue about the whole order', { timeout: 300_000 }, () => {
  const [long, half] = ['x'.repeat(33_554_433), 'x'.repeat(17_000_000)];
  const silent = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`m${i}`, undefined]));
  /** @type {unknown} */
  let lists = [];
  /** @type {unknown} */
  let objects = {};
  for (let level = 0; level < 60; level++) {
    lists = [lists, lists];
    objects = { '': objects, 0: objects };
  }
  for (const input of [
    ...[long, minimalOrder({ Notes: long }), minimalOrder({ [long]: 1 }), orderWith({ Name: long })],
    ...[
      minimalOrder({ Notes: half, FirstName: half }),
      minimalOrder({ Items: [item({ Name: half }), item({ Name: half })] }),
    ],
    ...[minimalOrder({ Items: new Array(1e9) }), minimalOrder({ Extra: new Array(100_000).fill(silent) })],
    ...[minimalOrder({ Extra: lists }), minimalOrder({ Items: lists }), minimalOrder({ Extra: objects })],
  ])
    assert.deepEqual(issuesOf(input), ['error too_large ']);
  const largest = minimalOrder({ Notes: 'x'.repeat(16_000_000), Extra: half });
  assert.equal(prepareRequest(largest).body, JSON.stringify(largest));
});

test('a million entries: the first 100,000 are read', { timeout: 300_000 }, () => {
  const { issues } = validateOrder(minimalOrder({ Items: new Array(1_000_000).fill(0) }));
  assert.equal(issues.at(-1).code, 'more_issues');
  assert.ok(issues.length <= 10_001);
});

test('one item over 100,000 is too many', { timeout: 300_000 }, () => {
  assert.deepEqual(issuesOf(minimalOrder({ Items: new Array(100_000).fill(item()) })), []);
  assert.deepEqual(issuesOf(minimalOrder({ Items: new Array(100_001).fill(item()) })), [
    'error too_many_entries /Items',
  ]);
});

test('a proxy whose length is not a number cannot be represented; one with a huge length is too large', () => {
  const lying = (length) =>
    new Proxy([], { get: (list, name) => (name === 'length' ? length : Reflect.get(list, name)) });
  for (const length of [{}, [], 'x', null, Number.NaN, -1])
    assert.deepEqual(issuesOf(minimalOrder({ Items: lying(length) })), ['error not_a_json_value /Items']);
  assert.deepEqual(issuesOf(minimalOrder({ Items: lying(1e9) })), ['error too_large ']);
});

test('members that a program adds to Object.prototype change nothing', () => {
  const names = ['invalidOption', 'option', 'ok', 'toFixed', 'request', 'Items', 'get', 'set', 'writable'];
  const expected = validateOrder(minimalOrder());
  const request = prepareRequest(minimalOrder());
  const descriptor = { __proto__: null, configurable: true, value: 'polluted' };
  for (const name of names) Object.defineProperty(Object.prototype, name, descriptor);
  try {
    assert.deepEqual(validateOrder(minimalOrder()), expected);
    assert.deepEqual(prepareRequest(minimalOrder()), request);
    assert.deepEqual(esm.evaluateOrder(minimalOrder()).request(), request);
  } finally {
    for (const name of names) delete Object.prototype[name];
  }
});

test('an input that is not an order has one issue about the whole order', () => {
  for (const [input, code] of [
    [undefined, 'not_a_json_value'],
    [Symbol('order'), 'not_a_json_value'],
    [() => minimalOrder(), 'not_a_json_value'],
    [new Map(), 'not_a_json_value'],
    [hostileProxy(), 'not_a_json_value'],
    [NaN, 'not_finite'],
    [null, 'null_not_allowed'],
    [5n, 'not_an_object'],
    [[], 'not_an_object'],
    ['', 'not_json'],
    ['{', 'not_json'],
  ]) {
    assert.deepEqual(issuesOf(input), [`error ${code} `]);
  }
});

test('previewOrder and buildOrder never throw for any of these either', () => {
  for (const value of [...AT_A_DECIMAL, ...AT_A_TEXT].map(([, value]) => value)) {
    for (const input of [
      value,
      orderWith({ Quantity: value }),
      minimalOrder({ Items: value, Discount: value, Taxes: value }),
    ]) {
      assert.ok(Array.isArray(previewOrder(input).issues));
      assert.equal(typeof esm.buildOrder(input).ok, 'boolean');
    }
  }
});

test('lone surrogates in JSON are issues; surrogate pairs and escapes are preserved', () => {
  const text = (notes) => JSON.stringify(minimalOrder({ Notes: '?' })).replace('"?"', `"${notes}"`);
  assert.deepEqual(issuesOf(text('\ud83c')), ['error not_unicode /Notes']);
  assert.deepEqual(issuesOf(text('\\\\\udf75')), ['error not_unicode /Notes']);
  assert.deepEqual(issuesOf(text('\\\ud83c')), ['error not_json ']);
  assert.match(prepareRequest(text('🍵 \\\\')).body, /"Notes":"🍵 \\\\"/);
});

test('quotes, backslashes and control characters in names and values survive', () => {
  const name = 'a"\\\u0001\u2028';
  const { order } = esm.buildOrder(minimalOrder({ [name]: name }));
  assert.equal(order[name], name);
});

test('a member called __proto__ is a member', () => {
  const { order } = esm.buildOrder(JSON.parse('{"__proto__": 1}'));
  assert.equal(order, null);
  const built = esm.buildOrder(Object.assign(JSON.parse('{"__proto__": {"x": 1}}'), minimalOrder()));
  assert.deepEqual(Object.getOwnPropertyDescriptor(built.order, '__proto__')?.value, { x: 1 });
});

test('an order from another realm is read like one from this realm', async () => {
  const { runInNewContext } = await import('node:vm');
  const order = runInNewContext(`(${JSON.stringify(minimalOrder({ Notes: 'x' }))})`);
  order.Items[0].Quantity = runInNewContext('new Number(2)');
  order.Notes = runInNewContext('new Map()');
  assert.deepEqual(issuesOf(order), ['error not_a_json_value /Notes']);
});
