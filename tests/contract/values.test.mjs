/** Tests the values of the contract: GUIDs, versions, decimals; ids and paths. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Big from 'big.js';
import BigNumber from 'bignumber.js';
import { Decimal } from 'decimal.js';
import { installed, runProgram } from '../node/installed.mjs';
import { deepFreeze, ID, inShort, item, NAMESPACE, order, thrown } from './orders.mjs';

const { esm } = await installed();
const { buildOrder, deriveOrderId, newOrderId, parseGuid, prepareRequest, previewOrder, requestPath, validateOrder } =
  esm;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('DecimalInput', () => {
  // 28 digits, which no double can represent.
  const LONG = '1234567890123.456789012345678';
  const SAME = [
    ['a number', 19.99, '19.99'],
    ['a string', '19.99', '19.99'],
    ['a string with a trailing zero', '5.0', '5.0'],
    ['a bigint', 20n, '20'],
    ['a bigint above 2^53', 9007199254740993n, '9007199254740993'],
    ['28 digits in a string', LONG, LONG],
    ['decimal.js', new Decimal('19.99'), '19.99'],
    ['decimal.js with 28 digits', new Decimal(LONG), LONG],
    ['decimal.js below 1e-7, which it prints with an exponent', new Decimal('0.00000001'), '0.00000001'],
    ['big.js', new Big('19.99'), '19.99'],
    ['big.js with 28 digits', new Big(LONG), LONG],
    ['bignumber.js', new BigNumber('19.99'), '19.99'],
    ['bignumber.js with 28 digits', new BigNumber(LONG), LONG],
    ['a bignumber.js number that it prints with an exponent', new BigNumber('1e21'), '1000000000000000000000'],
    ['any object with toFixed()', { toFixed: () => '1.50' }, '1.50'],
    ['a frozen decimal', Object.freeze(new Decimal('1.5')), '1.5'],
    ['a number that prints with an exponent', 1e-7, '0.0000001'],
    ['a large number that prints with an exponent', 1e21, '1000000000000000000000'],
    ['0.1, by its shortest notation', 0.1, '0.1'],
  ];
  for (const [what, value, digits] of SAME) {
    test(`${what} reaches the wire, the valid order and the preview digit for digit`, () => {
      const input = order({ Items: [item({ Quantity: 1, SellAtPricePerUnit: value })] });
      assert.match(prepareRequest(input).body, new RegExp(`"SellAtPricePerUnit":${digits.replace('.', '\\.')}[,}]`));
      assert.equal(validateOrder(input).order.Items[0].SellAtPricePerUnit, digits);
      assert.equal(previewOrder(input).lines[0].unitPrice, digits);
    });
  }

  test('Quantity, TaxAmount, Value and rate take decimals of libraries too', () => {
    const input = order({
      Items: [item({ Quantity: new Big('2.5'), SellAtPricePerUnit: 10n })],
      Discount: { InvoiceLevel: [{ Value: new Decimal('10'), ValueType: 2 }] },
    });
    const options = {
      discountValueTypes: { amount: 1, percent: 2 },
      taxRates: [{ id: 'gst', rate: new BigNumber('0.05') }],
    };
    assert.equal(previewOrder(input, options).total, '23.63');
    const supplied = order({ Taxes: [{ TaxId: NAMESPACE, TaxAmount: new BigNumber('0.30') }] });
    assert.equal(prepareRequest(supplied).body.includes('"TaxAmount":0.3'), true);
    assert.equal(previewOrder(supplied).total, '40.28');
  });

  for (const [what, value] of /** @type {[string, unknown][]} */ ([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a NaN of decimal.js', new Decimal(Number.NaN)],
    ['an infinity of bignumber.js', new BigNumber(Number.POSITIVE_INFINITY)],
    ['an empty string', ''],
    ['a string with blanks', ' 12 '],
    ['a boolean', true],
    ['an empty object', {}],
    ['a Date', new Date(0)],
    ['a list', [1]],
    ['null', null],
    ['a function', () => 1],
    ['a symbol', Symbol('1')],
    ['29 digits', '12345678901234567890123456789.5'],
    ['2 to the power of 96', 2n ** 96n],
    ['29 fraction digits', '0.00000000000000000000000000001'],
    [
      'a toFixed that throws',
      {
        toFixed() {
          throw new Error('secret');
        },
      },
    ],
    ['a toFixed that returns undefined', { toFixed() {} }],
    ['an object with only toString', { toString: () => '19.99' }],
  ])) {
    test(`${what} is an error at the price, and is not thrown`, () => {
      const input = order({ Items: [item({ SellAtPricePerUnit: value })] });
      const { ok, issues, order: valid } = validateOrder(input);
      assert.equal(ok, false);
      assert.equal(valid, null);
      assert.ok(issues.some(({ severity, pointer }) => severity === 'error' && pointer.startsWith('/Items/0/Sell')));
      assert.equal(previewOrder(input).subtotal, null);
    });
  }

  test('a price from floating-point arithmetic causes a warning', () => {
    assert.deepEqual(inShort(validateOrder(order({ Items: [item({ Quantity: 0.1 + 0.2 })] })).issues, 'warning'), [
      'decimal_from_float /Items/0/Quantity',
      'quantity_fraction_digits /Items/0/Quantity',
    ]);
  });
});

describe('DecimalString', () => {
  test('is plain notation, which Intl.NumberFormat formats digit for digit', () => {
    const { total } = previewOrder(
      order({
        Items: [item({ Quantity: 1, SellAtPricePerUnit: '12345678901234567.89' })],
        Taxes: [{ TaxId: NAMESPACE, TaxAmount: '0.01' }],
      }),
    );
    assert.equal(total, '12345678901234567.90');
    const format = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });
    assert.equal(format.format(total), '12,345,678,901,234,567.90');
  });
});

describe('Guid', () => {
  const FORMS = [ID, ID.toUpperCase(), ID.replaceAll('-', ''), `{${ID}}`, `(${ID})`, `{${ID.toUpperCase()}}`];
  for (const form of FORMS) {
    test(`parseGuid returns ${form} in its D form`, () => assert.equal(parseGuid(form), ID));
    test(`an order with the Id ${form} is normalised`, () => {
      assert.equal(validateOrder(order({ Id: form })).order.Id, ID);
      assert.equal(prepareRequest(order({ Id: form })).path, `v3/ServiceOrder(${ID})`);
    });
  }

  for (const text of [
    '',
    'order 7',
    '00000000-0000-0000-0000-000000000000',
    '00000000000000000000000000000000',
    `${ID}0`,
    ` ${ID}`,
    `{${ID}`,
    `{${ID})`,
    ID.replace('2', 'g'),
    undefined,
    null,
    7,
    {},
    [ID],
    new String(ID),
  ]) {
    test(`parseGuid returns null for ${JSON.stringify(text)}`, () => assert.equal(parseGuid(text), null));
  }
});

describe('newOrderId', () => {
  test('returns a different GUID of version 4 each time', () => {
    const ids = Array.from({ length: 1000 }, newOrderId);
    assert.equal(new Set(ids).size, 1000);
    for (const id of ids) {
      assert.match(id, GUID);
      assert.equal(id[14], '4');
      assert.match(id[19], /[89ab]/);
      assert.equal(parseGuid(id), id);
    }
  });

  for (const format of ['esm', 'cjs']) {
    const load =
      format === 'esm'
        ? "const { newOrderId, isReady } = await import('sales-order-intake');"
        : "const { newOrderId, isReady } = require('sales-order-intake');";

    test(`does not start the core (${format})`, () => {
      const { stdout, stderr } = runProgram(`${load} newOrderId(); console.log(isReady());`, { format });
      assert.equal(stdout, 'false\n', stderr);
    });

    test(`works without WebAssembly and randomUUID (${format})`, () => {
      const code = `delete globalThis.WebAssembly;
        const { getRandomValues } = crypto;
        Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues: (a) => getRandomValues.call(webcrypto, a) } });
        ${load} const ids = Array.from({ length: 200 }, newOrderId);
        console.log(new Set(ids).size, ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));`;
      const before = 'const webcrypto = globalThis.crypto;';
      const { stdout, stderr } = runProgram(`${before} ${code}`, { format });
      assert.equal(stdout, '200 true\n', stderr);
    });
  }

  test('throws without a secure random source', () => {
    const code = `Object.defineProperty(globalThis, 'crypto', { value: undefined });
      const { newOrderId } = await import('sales-order-intake');
      try { console.log(newOrderId()); } catch (error) { console.log(/secure random source/.test(error.message)); }`;
    assert.equal(runProgram(code).stdout, 'true\n');
  });
});

describe('deriveOrderId', () => {
  test('returns ids of RFC 9562 version 5', () => {
    // python3 -c "import uuid; print(uuid.uuid5(uuid.UUID('51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b'), 'cart-1042'))"
    assert.equal(deriveOrderId(NAMESPACE, 'cart-1042'), 'af97d4e6-0b1e-5401-b92b-28106783e3db');
  });

  test('returns the same id for every form of the namespace, and a different one for another key', () => {
    const id = deriveOrderId(NAMESPACE, 'cart-1042');
    assert.match(id, GUID);
    assert.equal(id[14], '5');
    assert.equal(deriveOrderId(`{${NAMESPACE.toUpperCase()}}`, 'cart-1042'), id);
    assert.equal(deriveOrderId(NAMESPACE.replaceAll('-', ''), 'cart-1042'), id);
    for (const key of ['cart-1043', 'Cart-1042', 'cart-1042 ', 'é', 'e\u0301', '\u0000', '💶'])
      assert.notEqual(deriveOrderId(NAMESPACE, key), id);
    assert.notEqual(deriveOrderId(NAMESPACE, 'é'), deriveOrderId(NAMESPACE, 'e\u0301'));
  });

  for (const [name, namespace] of [
    ['DNS', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    ['URL', '6ba7b811-9dad-11d1-80b4-00c04fd430c8'],
    ['OID', '6ba7b812-9dad-11d1-80b4-00c04fd430c8'],
    ['X500', '6ba7b814-9dad-11d1-80b4-00c04fd430c8'],
    ['DNS in capitals and braces', '{6BA7B810-9DAD-11D1-80B4-00C04FD430C8}'],
    ['all-zero', '00000000-0000-0000-0000-000000000000'],
    ['no GUID', 'my shop'],
    ['no string', 7],
    ['undefined', undefined],
  ]) {
    test(`rejects the namespace: ${name}`, () => {
      assert.match(thrown(() => deriveOrderId(namespace, 'cart-1')).message, /namespace/);
      assert.ok(thrown(() => deriveOrderId(namespace, 'cart-1')) instanceof TypeError);
    });
  }

  for (const [name, key] of [
    ['empty', ''],
    ['a number', 7],
    ['null', null],
    ['undefined', undefined],
    ['half a surrogate pair', 'cart-\ud83d'],
  ]) {
    test(`rejects the key: ${name}`, () => {
      const error = thrown(() => deriveOrderId(NAMESPACE, key));
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /key/);
    });
  }
});

describe('requestPath', () => {
  for (const version of ['v2', 'v3']) {
    test(`returns a relative path without quotes for ${version}`, () => {
      assert.equal(requestPath(version, `{${ID.toUpperCase()}}`), `${version}/ServiceOrder(${ID})`);
    });
  }
  for (const [version, id] of [
    ['v1', ID],
    ['V3', ID],
    ['', ID],
    [undefined, ID],
    ['v3', 'x'],
    ['v3', '00000000-0000-0000-0000-000000000000'],
    ['v3', undefined],
  ]) {
    test(`throws a TypeError for ${version} and ${id}`, () => {
      assert.ok(thrown(() => requestPath(version, id)) instanceof TypeError);
    });
  }
});

describe('Version', () => {
  test('is v3 by default, and v2 has no customer pricing', () => {
    const customer = order({ CustomerId: NAMESPACE });
    assert.equal(prepareRequest(customer).version, 'v3');
    assert.deepEqual(inShort(buildOrder(customer).issues), ['customer_pricing_possible /CustomerId']);
    assert.deepEqual(inShort(buildOrder(customer, { version: 'v2' }).issues), [
      'customer_pricing_unsupported /CustomerId',
    ]);
    assert.equal(buildOrder(deepFreeze(customer), { version: undefined }).ok, true);
  });
});
