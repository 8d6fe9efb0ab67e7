/** Tests createEvaluator: each call evaluates the order as it is, with the evaluator's own options. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from './installed.mjs';
import { fullOrder, item, minimalOrder } from './orders.mjs';

const { esm } = await installed();
const { createEvaluator, evaluateOrder } = esm;

const TAX = { TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: 1 };

test('an order that is changed in place is evaluated as it is', () => {
  const evaluate = createEvaluator();
  const order = minimalOrder({ Items: [item(), item({ Quantity: 1 })], Taxes: [{ ...TAX }] });
  const expect = (total) => {
    const { totals, request } = evaluate(order);
    assert.equal(totals.total, total);
    assert.equal(request().body, JSON.stringify(order));
  };
  expect('60.97');
  order.Items[0].Quantity = 3;
  expect('80.96');
  order.Items.push(item({ Quantity: 1 }));
  expect('100.95');
  order.Items.reverse();
  expect('100.95');
  order.Items.shift();
  expect('80.96');
  order.Taxes[0].TaxAmount = 2;
  expect('81.96');
});

test('the request of a cart never has an Id in another case than the path', () => {
  const { Id, ...cart } = minimalOrder();
  for (const order of [
    { ...cart, id: Id },
    { ...cart, Id, id: Id },
    { ...cart, ID: Id, iD: Id },
  ]) {
    const evaluation = createEvaluator({ id: 'optional' })(order);
    assert.throws(() => evaluation.request(), { name: 'OrderValidationError' });
    assert.throws(() => evaluateOrder(order, { id: 'optional', orderId: Id }).request(), {
      name: 'OrderValidationError',
    });
  }
});

test('an evaluator returns what evaluateOrder returns, whatever it is given', () => {
  const evaluate = createEvaluator();
  const notOrders = [null, undefined, 7, '{', [], () => {}, { Items: 'x' }, { Items: { length: 2 } }];
  const orders = [minimalOrder(), fullOrder(), minimalOrder({ Items: [item(), null, item({ Quantity: 'x' })] })];
  for (const value of [...notOrders, ...orders, JSON.stringify(fullOrder())]) {
    const [evaluation, expected] = [evaluate(value), evaluateOrder(value)];
    assert.deepEqual(evaluation, expected);
    assert.deepEqual(evaluation.order(), expected.order());
    assert.deepEqual(evaluation.preview(), expected.preview());
  }
});
