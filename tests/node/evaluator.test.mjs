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

test('an evaluation describes the order that it was given, even if a part is computed after later edits', () => {
  const evaluate = createEvaluator();
  const order = minimalOrder({ Taxes: [{ ...TAX }] });
  const before = evaluate(order);
  evaluate(minimalOrder({ Notes: 'later', Items: [item({ Quantity: 7 })] }));
  order.Items.push(item());
  order.Items[0].Quantity = 9;
  order.Taxes[0].TaxAmount = 2;
  order.Notes = 'changed in place';
  evaluate(order);
  assert.equal(before.order().Items[0].Quantity, '2');
  assert.equal(before.order().Notes, undefined);
  assert.equal(before.preview().lines.length, 1);
  assert.equal(before.preview().total, '40.98');
  assert.equal(before.request().body, JSON.stringify(minimalOrder({ Taxes: [TAX] })));
});

test('an issue has the current index of its item', () => {
  const evaluate = createEvaluator();
  const [good, bad] = [item(), item({ Quantity: 0 })];
  const errors = (...Items) =>
    evaluate(minimalOrder({ Items }))
      .issues.filter(({ severity }) => severity === 'error')
      .map(({ pointer, path }) => [pointer, ...path]);
  assert.deepEqual(errors(good, bad), [['/Items/1/Quantity', 'Items', 1, 'Quantity']]);
  assert.deepEqual(errors(good, good, bad), [['/Items/2/Quantity', 'Items', 2, 'Quantity']]);
  assert.deepEqual(errors(bad, good, good), [['/Items/0/Quantity', 'Items', 0, 'Quantity']]);
  assert.deepEqual(errors(good), []);
});

test('a caller that changes the issues of an evaluation does not change those of the next', () => {
  const evaluate = createEvaluator();
  const order = minimalOrder({ Items: [item({ Quantity: 0 })] });
  const { issues } = evaluate(order);
  issues[0].code = 'changed';
  issues[0].path.push('changed');
  issues.length = 0;
  assert.deepEqual(evaluate(order).issues, evaluateOrder(order).issues);
});

test('each evaluator has its own options', () => {
  const [two, three] = [createEvaluator({ scale: 2 }), createEvaluator({ scale: 3 })];
  const input = minimalOrder({ Items: [item({ Quantity: 1, SellAtPricePerUnit: '0.1255' })] });
  assert.deepEqual(
    [two(input), three(input), two(input)].map(({ totals }) => totals.subtotal),
    ['0.13', '0.126', '0.13'],
  );
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

test('a wrong option throws when the evaluator is created', () => {
  assert.throws(() => createEvaluator({ scale: 9 }), { name: 'OptionError', option: '/scale' });
  assert.throws(() => createEvaluator(null), { name: 'OptionError', option: '' });
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
