/** Tests what validateOrder and buildOrder return, and which inputs every function takes. The vectors test the rules. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installed } from './installed.mjs';
import {
  cart,
  deepFreeze,
  errorsOf,
  fullOrder,
  INTEGRATOR,
  inShort,
  item,
  minimalOrder,
  OTHER,
  orderWith,
} from './orders.mjs';

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

describe('validateOrder', () => {
  test('takes JSON with the same result as the object', () => {
    assert.deepEqual(validateOrder(JSON.stringify(fullOrder())), validateOrder(fullOrder()));
  });

  for (const member of ['Id', 'CompanyId', 'EntityId', 'IntegratorId', 'Items']) {
    test(`reports ${member} as missing if it is absent or undefined`, () => {
      for (const input of [minimalOrder(), minimalOrder()].map((o, i) => {
        if (i === 0) delete o[member];
        else o[member] = undefined;
        return o;
      }))
        assert.deepEqual(errorsOf(validateOrder(input).issues), [`missing /${member}`]);
    });
  }

  test('preserves a misspelt member, with a warning that suggests the right name', () => {
    for (const [typo, meant] of [
      ['Itmes', 'Items'],
      ['notes', 'Notes'],
      ['Note', 'Notes'],
      ['isDelivery', 'IsDelivery'],
    ]) {
      const issue = validateOrder(minimalOrder({ [typo]: 1 })).issues.find(({ pointer }) => pointer === `/${typo}`);
      assert.equal(issue.code, 'unknown_member', typo);
      assert.equal(issue.severity, 'warning');
      assert.match(`${issue.message} ${issue.hint}`, new RegExp(meant));
      assert.equal(issue.params?.suggestion, meant);
      assert.equal(validateOrder(minimalOrder({ [typo]: 1 })).order[typo], 1);
    }
  });

  for (const input of [
    undefined,
    null,
    7,
    7n,
    true,
    'x',
    '',
    '[]',
    '{',
    [],
    () => 1,
    Symbol('x'),
    new Map(),
    new Date(),
  ]) {
    test(`never throws: ${typeof input} ${String(input)}`, () => {
      const verdict = validateOrder(input);
      assert.equal(verdict.ok, false);
      assert.equal(verdict.order, null);
      assert.ok(
        verdict.issues.some(({ severity, pointer }) => severity === 'error' && pointer === '') || input === '{}',
      );
      for (const judge of Object.values(JUDGES)) assert.ok(Array.isArray(judge(input)));
    });
  }

  test('never throws: revoked proxies, throwing getters, cycles, sparse arrays', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const cyclic = minimalOrder();
    cyclic.Items.push(cyclic);
    const throwing = Object.defineProperty(minimalOrder(), 'Notes', {
      enumerable: true,
      get() {
        throw new Error('secret');
      },
    });
    for (const input of [
      proxy,
      cyclic,
      throwing,
      // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
      minimalOrder({ Items: [, item()] }),
      minimalOrder({ Items: new Array(3) }),
    ])
      for (const [name, judge] of Object.entries(JUDGES)) {
        const issues = judge(input);
        assert.ok(
          issues.some(({ severity }) => severity === 'error'),
          name,
        );
        assert.doesNotMatch(JSON.stringify(issues), /secret/);
      }
  });
});

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

  test('with warnings only, ok is true, and the result has the order and the warnings', () => {
    const verdict = validateOrder(orderWith({ SellAtPricePerUnit: 0 }));
    assert.equal(verdict.ok, true);
    assert.deepEqual(inShort(verdict.issues), ['warning price_zero /Items/0/SellAtPricePerUnit']);
    assert.equal(verdict.order.Items[0].SellAtPricePerUnit, '0');
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

  test('can be an object without a prototype, or an instance of a class', () => {
    class Cart {
      constructor() {
        Object.assign(this, minimalOrder());
      }
    }
    assert.equal(validateOrder(Object.assign(Object.create(null), minimalOrder())).ok, true);
    assert.equal(validateOrder(new Cart()).ok, true);
  });

  test('an earlier response is sent again without its read-only members', () => {
    const { order: received } = readOrder(JSON.stringify({ ...minimalOrder(), ...READ_ONLY }));
    const { body } = prepareRequest(received);
    for (const member of Object.keys(READ_ONLY)) assert.ok(!body.includes(member), member);
  });
});
