/** Tests prepareRequest, previewOrder and evaluateOrder: their results together, and results that are computed later. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { thrown } from '../thrown.mjs';
import { installed } from './installed.mjs';
import {
  cart,
  CATALOG_ITEM,
  deepFreeze,
  errorsOf,
  fullOrder,
  ID,
  INTEGRATOR,
  inShort,
  item,
  minimalOrder,
} from './orders.mjs';

const { esm } = await installed();
const { buildOrder, createEvaluator, evaluateOrder, OrderValidationError } = esm;
const { prepareRequest, previewOrder, readOrder, validateOrder } = esm;

describe('prepareRequest', () => {
  test('returns the whole PUT', () => {
    assert.deepEqual(prepareRequest(minimalOrder({ Notes: 'a' }), { version: 'v2' }), {
      method: 'PUT',
      version: 'v2',
      orderId: ID,
      path: `v2/ServiceOrder(${ID})`,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body:
        `{"Id":"${ID}","CompanyId":1000,"EntityId":2000,"IntegratorId":"${INTEGRATOR}","Items":[{"Name":"Green tea",` +
        `"CatalogItemId":"${CATALOG_ITEM}","Quantity":2,"SellAtPricePerUnit":19.99}],"Notes":"a"}`,
      issues: [],
    });
  });

  test('throws an OrderValidationError for an order without an Id, even with orderId', () => {
    for (const run of [
      () => prepareRequest(cart()),
      () => prepareRequest(cart(), { orderId: ID }),
      () => evaluateOrder(cart()).request(),
    ]) {
      const error = thrown(run);
      assert.ok(error instanceof OrderValidationError);
      for (const base of [OrderValidationError, Error]) assert.ok(error instanceof base);
      assert.deepEqual(errorsOf(error.issues), ['missing /Id']);
      assert.equal(error.orderId, null);
      assert.equal(error.name, 'OrderValidationError');
    }
  });

  test('takes JSON, and preserves the digits of its numbers', () => {
    const json = JSON.stringify(minimalOrder()).replace('19.99', '19.990000000000000000000000');
    assert.ok(prepareRequest(json).body.includes('19.990000000000000000000000'));
  });

  test('readOrder reads the body that prepareRequest writes', () => {
    const built = buildOrder(minimalOrder()).order;
    assert.deepEqual(readOrder(prepareRequest(minimalOrder()).body), { order: built, issues: [] });
  });
});

describe('previewOrder', () => {
  test('never throws: an amount that cannot be computed is null, and an issue explains why', () => {
    for (const input of [
      {},
      '{',
      null,
      minimalOrder({ Items: [] }),
      minimalOrder({ Items: [{}] }),
      minimalOrder({ Items: 'x' }),
    ]) {
      const preview = previewOrder(input);
      assert.equal(preview.total, null);
      assert.equal(preview.roundingRange, null);
      assert.ok(preview.issues.length > 0);
      assert.ok(Array.isArray(preview.lines));
    }
  });

  test('has the members of its type, and no others', () => {
    const preview = previewOrder(cart(), { explain: true, taxRates: [{ id: 'gst', rate: 0.05 }] });
    const members = ['version', 'scale', 'rounding', 'subtotal', 'discount', 'tax', 'total'];
    assert.deepEqual(Object.keys(preview).sort(), [...members, 'roundingRange', 'issues', 'lines', 'steps'].sort());
    const line = ['index', 'name', 'quantity', 'unitPrice', 'extended', 'discount', 'tax', 'taxes', 'total'];
    assert.deepEqual(Object.keys(preview.lines[0]).sort(), line.sort());
    assert.deepEqual(Object.keys(evaluateOrder(cart()).totals).sort(), members.sort());
  });
});

describe('evaluateOrder', () => {
  test('returns verdict, totals and request at once', () => {
    const evaluation = evaluateOrder(fullOrder(), { discountValueTypes: { amount: 1, percent: 2 } });
    const options = { discountValueTypes: { amount: 1, percent: 2 } };
    assert.equal(evaluation.ok, true);
    assert.deepEqual(Object.keys(evaluation), ['ok', 'issues', 'totals']);
    assert.deepEqual(evaluation.request(), prepareRequest(fullOrder(), options));
    assert.deepEqual(evaluation.order(), validateOrder(fullOrder(), options).order);
    assert.deepEqual(evaluation.preview(), previewOrder(fullOrder(), options));
    const { lines, issues, roundingRange: _, ...totals } = previewOrder(fullOrder(), options);
    assert.deepEqual(evaluation.totals, totals);
    assert.equal(lines.length, 2);
    assert.ok(Array.isArray(issues));
  });

  test('is not ok and has no request if the preview has an error', () => {
    const overflow = minimalOrder({
      Items: [item({ Quantity: '79228162514264337593543950335', SellAtPricePerUnit: '10' })],
    });
    const percent = minimalOrder({ Discount: { InvoiceLevel: [{ Value: 150, ValueType: 2 }] } });
    for (const [input, options] of [
      [overflow, {}],
      [percent, { discountValueTypes: { amount: 1, percent: 2 } }],
      [cart(), {}],
      [minimalOrder({ Items: [] }), {}],
    ]) {
      for (const evaluation of [evaluateOrder(input, options), createEvaluator(options)(input)]) {
        assert.equal(evaluation.ok, false);
        assert.ok(evaluation.issues.some(({ severity }) => severity === 'error'));
        assert.equal(evaluation.order(), null);
        assert.ok(thrown(() => evaluation.request()) instanceof OrderValidationError);
      }
    }
  });

  test('of an order with an error has totals, but neither order nor request', () => {
    const order = minimalOrder({ CompanyId: 0, Taxes: [] });
    const evaluation = evaluateOrder(order, { allowEmptyTaxes: true });
    assert.equal(evaluation.ok, false);
    assert.deepEqual(inShort(evaluation.issues), ['error integer_out_of_range /CompanyId']);
    assert.equal(evaluation.totals.total, '39.98');
    assert.equal(evaluation.order(), null);
    const error = thrown(evaluation.request);
    assert.ok(error instanceof OrderValidationError);
    assert.deepEqual([error.orderId, error.issues], [order.Id, evaluation.issues]);
  });

  test('reports a missing Id, its preview does not', () => {
    const order = minimalOrder({ Id: undefined });
    const evaluation = evaluateOrder(order);
    assert.equal(evaluation.ok, false);
    assert.equal(evaluation.totals.subtotal, '39.98');
    assert.deepEqual(inShort(evaluation.issues).sort(), ['error missing /Id', 'notice tax_unknown /Taxes']);
    assert.deepEqual(evaluation.preview(), previewOrder(order));
    assert.deepEqual(inShort(previewOrder(order).issues), ['notice tax_unknown /Taxes']);
  });

  test("with id: 'optional' a missing Id is no issue, order is null, and only request throws", () => {
    const order = minimalOrder({ Id: undefined });
    for (const make of [
      (input) => evaluateOrder(input, { id: 'optional' }),
      (input) => evaluateOrder(JSON.stringify(input), { id: 'optional' }),
      createEvaluator({ id: 'optional' }),
    ]) {
      const evaluation = make(order);
      assert.equal(evaluation.ok, true);
      assert.deepEqual(inShort(evaluation.issues), ['notice tax_unknown /Taxes']);
      assert.equal(evaluation.totals.subtotal, '39.98');
      assert.deepEqual(evaluation.preview(), previewOrder(order));
      assert.equal(evaluation.order(), null);
      const error = thrown(evaluation.request);
      assert.ok(error instanceof OrderValidationError);
      assert.equal(error.orderId, null);
      assert.deepEqual(inShort(error.issues), ['error missing /Id']);
      // No Id is made, although the options have one.
      assert.equal(evaluateOrder(order, { id: 'optional', orderId: ID }).order(), null);
      assert.equal(make({ ...order, Id: ID }).order().Id, ID);
    }
  });

  test("with id: 'optional' an order with an Id, and one with an error, are evaluated as without", () => {
    for (const input of [fullOrder(), minimalOrder({ Items: [] }), minimalOrder({ Id: 'x' })]) {
      for (const make of [evaluateOrder, (order, options) => createEvaluator(options)(order)]) {
        const [evaluation, expected] = [make(input, { id: 'optional' }), make(input)];
        assert.deepEqual({ ...evaluation }, { ...expected });
        assert.deepEqual(evaluation.order(), expected.order());
        if (expected.ok) assert.deepEqual(evaluation.request(), expected.request());
        else assert.deepEqual(thrown(evaluation.request).issues, expected.issues);
      }
    }
  });

  test("with id: 'optional' the other functions need an Id as without", () => {
    const order = minimalOrder({ Id: undefined });
    assert.deepEqual(inShort(validateOrder(order, { id: 'optional' }).issues), ['error missing /Id']);
    assert.ok(thrown(() => prepareRequest(order, { id: 'optional' })) instanceof OrderValidationError);
    assert.match(buildOrder(order, { id: 'optional' }).order.Id, /-/);
    assert.deepEqual(previewOrder(order, { id: 'required' }), previewOrder(order));
  });

  test('its functions return the same object each time, destructured, frozen and through a proxy of a state library', () => {
    for (const make of [evaluateOrder, createEvaluator()]) {
      const proxy = new Proxy(make(minimalOrder()), {});
      for (const { order: valid, preview, request } of [
        make(minimalOrder()),
        deepFreeze(make(minimalOrder())),
        proxy,
      ]) {
        for (const each of [valid, preview, request]) assert.equal(each(), each());
        assert.deepEqual([valid().Id, preview().subtotal, request().orderId], [ID, '39.98', ID]);
      }
      assert.equal(proxy.request().orderId, ID);
    }
  });

  test('results that are computed later are those of the order as it was evaluated', () => {
    for (const make of [evaluateOrder, createEvaluator()]) {
      const input = fullOrder();
      const expected = prepareRequest(fullOrder()).body;
      const evaluation = make(input);
      input.Taxes[0].TaxAmount = '99';
      input.Discount.InvoiceLevel[0].Value = '99';
      input.Items[0].Quantity = 99;
      input.Notes = 'changed';
      assert.equal(evaluation.request().body, expected);
      assert.equal(evaluation.preview().tax.total, '0.30');
      assert.equal(evaluation.order().Taxes[0].TaxAmount, '0.30');
    }
  });
});
