/** Tests decimals: numbers, strings, bigints and objects of decimal libraries, from the order to the request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Big from 'big.js';
import BigNumber from 'bignumber.js';
import { Decimal } from 'decimal.js';
import { installed } from './installed.mjs';
import { item, minimalOrder, OTHER } from './orders.mjs';

const { esm } = await installed();
const { prepareRequest, previewOrder, sumAmounts, validateOrder } = esm;

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
      const input = minimalOrder({ Items: [item({ Quantity: 1, SellAtPricePerUnit: value })] });
      assert.match(prepareRequest(input).body, new RegExp(`"SellAtPricePerUnit":${digits.replace('.', '\\.')}[,}]`));
      assert.equal(validateOrder(input).order.Items[0].SellAtPricePerUnit, digits);
      assert.equal(previewOrder(input).lines[0].unitPrice, digits);
    });
  }

  test('Quantity, TaxAmount, Value and rate take decimals of libraries too', () => {
    const input = minimalOrder({
      Items: [item({ Quantity: new Big('2.5'), SellAtPricePerUnit: 10n })],
      Discount: { InvoiceLevel: [{ Value: new Decimal('10'), ValueType: 2 }] },
    });
    const options = {
      discountValueTypes: { amount: 1, percent: 2 },
      taxRates: [{ id: 'gst', rate: new BigNumber('0.05') }],
    };
    assert.equal(previewOrder(input, options).total, '23.63');
    const supplied = minimalOrder({ Taxes: [{ TaxId: OTHER, TaxAmount: new BigNumber('0.30') }] });
    assert.equal(prepareRequest(supplied).body.includes('"TaxAmount":0.3'), true);
    assert.equal(previewOrder(supplied).total, '40.28');
  });
});

describe('DecimalString', () => {
  test('is plain notation, which Intl.NumberFormat formats digit for digit', () => {
    const { total } = previewOrder(
      minimalOrder({
        Items: [item({ Quantity: 1, SellAtPricePerUnit: '12345678901234567.89' })],
        Taxes: [{ TaxId: OTHER, TaxAmount: '0.01' }],
      }),
    );
    assert.equal(total, '12345678901234567.90');
    const format = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });
    assert.equal(format.format(total), '12,345,678,901,234,567.90');
  });
});

test('what is no list is refused, a string too: its digits are not added', () => {
  for (const amounts of ['12', null, undefined, 12, {}])
    assert.throws(() => sumAmounts(amounts), { name: 'OptionError', option: '', message: 'amounts must be a list' });
});
