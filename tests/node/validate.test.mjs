/** Tests what validateOrder and buildOrder return, and which inputs every function takes. The vectors test the rules. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installed } from './installed.mjs';
import { cart, deepFreeze, errorsOf, fullOrder, INTEGRATOR, item, minimalOrder, OTHER } from './orders.mjs';

const { esm } = await installed();
const { buildOrder, createEvaluator, evaluateOrder, OrderValidationError, parseGuid } = esm;
const { prepareRequest, previewOrder, readOrder, validateOrder } = esm;

/** Every function that judges an order, as a function that returns its issues, even for an invalid order. */
const JUDGES = {
  buildOrder: (input, options) => buildOrder(input, options).issues,
  validateOrder: (input, options) => validateOrder(input, options).issues,
  previewOrder: (input, options) => previewOrder(input, options).issues,
  prepareRequest: (input, options) => {
    try {
      return prepareRequest(input, options).issues;
    } catch (error) {
      assert.ok(error instanceof OrderValidationError, error);
      return error.issues;
    }
  },
  evaluateOrder: (input, options) => evaluateOrder(input, options).issues,
  createEvaluator: (input, options) => createEvaluator(options)(input).issues,
};

const READ_ONLY = {
  WasCreatedWithInventoryHold: true,
  DateCreatedUtc: '2026-11-20T10:00:00.0000000+00:00',
  OrderSource: { Id: INTEGRATOR, Name: 'Storefront' },
  ReceiptNumber: 'R-1',
};

describe('buildOrder', () => {
  test('generates a missing Id, a different one each time', () => {
    const ids = Array.from({ length: 50 }, () => buildOrder(cart()).order.Id);
    assert.equal(new Set(ids).size, 50);
    for (const id of ids) assert.equal(parseGuid(id), id);
  });

  for (const [what, input] of Object.entries({ undefined: minimalOrder({ Id: undefined }), absent: cart() })) {
    test(`an Id that is ${what} is missing`, () => {
      assert.equal(buildOrder(input).ok, true);
      assert.deepEqual(errorsOf(validateOrder(input).issues), ['missing /Id']);
    });
  }

  test('a built order can be validated, previewed and sent unchanged, with the same Id', () => {
    const { order: built } = buildOrder(cart(READ_ONLY));
    assert.deepEqual(validateOrder(built).order, built);
    assert.equal(prepareRequest(built).orderId, built.Id);
    assert.equal(previewOrder(built).subtotal, '39.98');
  });
});

describe('validateOrder', () => {});

describe('Verdict', () => {
  test('ok is true if and only if no issue is an error', () => {
    const cases = [
      minimalOrder(),
      cart(),
      minimalOrder({ Notes: 'x'.repeat(300) }),
      minimalOrder({ CustomerId: OTHER }),
      minimalOrder({ Items: [] }),
    ];
    for (const input of cases)
      for (const verdict of [validateOrder(input), buildOrder(input)]) {
        assert.equal(verdict.ok, !verdict.issues.some(({ severity }) => severity === 'error'));
        assert.equal(verdict.order === null, !verdict.ok);
        assert.deepEqual(Object.keys(verdict).sort(), ['issues', 'ok', 'order']);
      }
  });

  test('the valid order has decimals as strings, integers as numbers', () => {
    const { order: valid } = validateOrder(fullOrder());
    assert.deepEqual(valid, {
      ...fullOrder(),
      Items: [
        { ...fullOrder().Items[0], Quantity: '2.345', SellAtPricePerUnit: '12.50' },
        { ...fullOrder().Items[1], Quantity: '1', SellAtPricePerUnit: '3.00' },
      ],
    });
  });
});

describe('input', () => {
  test('can be deeply frozen, and is never changed', () => {
    for (const input of [fullOrder(), cart(), minimalOrder(READ_ONLY)]) {
      const copy = structuredClone(input);
      deepFreeze(input);
      for (const judge of Object.values(JUDGES)) judge(input);
      assert.deepEqual(input, copy);
    }
  });

  test('an optional member that is undefined counts as absent', () => {
    const optional = ['FirstName', 'LastName', 'CustomerId', 'Discount', 'Taxes', 'IsDelivery', 'Notes'];
    const others = ['TimeSlotDisplayString', 'OrderNumber', 'ExternalOrderId', ...Object.keys(READ_ONLY)];
    const nothing = Object.fromEntries([...optional, ...others].map((member) => [member, undefined]));
    const items = [item({ Name: 'x', PackageId: undefined, Batch: undefined })];
    for (const [name, judge] of Object.entries(JUDGES))
      assert.deepEqual(
        judge(minimalOrder({ ...nothing, Items: items })),
        judge(minimalOrder({ Items: [item({ Name: 'x' })] })),
        name,
      );
    assert.equal(
      prepareRequest(minimalOrder({ ...nothing, Items: items })).body,
      prepareRequest(minimalOrder({ Items: [item({ Name: 'x' })] })).body,
    );
  });

  test('an earlier response is sent again without its read-only members', () => {
    const { order: received } = readOrder(JSON.stringify({ ...minimalOrder(), ...READ_ONLY }));
    const { body } = prepareRequest(received);
    for (const member of Object.keys(READ_ONLY)) assert.ok(!body.includes(member), member);
  });
});
