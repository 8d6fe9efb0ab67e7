/** Tests salesOrderSchema in the libraries that take Standard Schemas, as their users call them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sValidator } from '@hono/standard-validator';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { FormApi } from '@tanstack/react-form';
import { initTRPC } from '@trpc/server';
import { Hono } from 'hono';
import { createFormControl } from 'react-hook-form';
import { installed } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';

const { esm } = await installed();
const schema = esm.salesOrderSchema('v3');

/** Creates an order with a nested error, one at the top, and a warning, which must not fail the order. */
const wrong = () =>
  minimalOrder({ EntityId: 0, OrderNumber: '7', Items: [{ ...minimalOrder().Items[0], Quantity: 0 }] });
const errorsOf = (order) => esm.validateOrder(order).issues.filter(({ severity }) => severity === 'error');
const warned = () => minimalOrder({ OrderNumber: '7' });

test('TanStack Form shows each error at its field, and submits once there is none', async () => {
  /** @type {any[]} */
  const submitted = [];
  const form = new FormApi({
    defaultValues: wrong(),
    validators: { onChange: schema },
    onSubmit: ({ value }) => void submitted.push(value),
  });
  form.mount();
  await form.handleSubmit();
  assert.equal(submitted.length, 0);
  const [entity, quantity] = errorsOf(wrong());
  assert.deepEqual(form.getFieldMeta('EntityId')?.errors, [entity]);
  assert.deepEqual(form.getFieldMeta('Items[0].Quantity')?.errors, [quantity]);
  form.setFieldValue('EntityId', minimalOrder().EntityId);
  form.setFieldValue('Items[0].Quantity', '3.5');
  assert.deepEqual(form.getFieldMeta('EntityId')?.errors, []);
  await form.handleSubmit();
  assert.deepEqual(
    submitted.map(({ Items }) => Items[0].Quantity),
    ['3.5'],
  );
});

test("react-hook-form's resolver shows each error at its field, and passes on the order of the verdict", async () => {
  const control = (defaultValues) => createFormControl({ defaultValues, resolver: standardSchemaResolver(schema) });
  const submit = (values) => {
    const handed = {};
    return control(values)
      .handleSubmit(
        (order) => Object.assign(handed, { order }),
        (errors) => Object.assign(handed, { errors }),
      )()
      .then(() => handed);
  };
  const { errors, order: none } = await submit(wrong());
  const [entity, quantity] = errorsOf(wrong());
  assert.equal(none, undefined);
  assert.equal(errors.EntityId.message, entity.message);
  assert.equal(errors.Items[0].Quantity.message, quantity.message);
  assert.deepEqual(Object.keys(errors), ['EntityId', 'Items']);
  const { order } = await submit(warned());
  assert.deepEqual(order, esm.validateOrder(warned()).order);
});

test('tRPC rejects an order with errors with BAD_REQUEST, and passes on the order of the verdict', async () => {
  const { router, procedure, createCallerFactory } = initTRPC.create();
  const orders = router({ submit: procedure.input(schema).mutation(({ input }) => input) });
  const caller = createCallerFactory(orders)({});
  await assert.rejects(caller.submit(wrong()), ({ code, cause }) => {
    assert.equal(code, 'BAD_REQUEST');
    assert.deepEqual(cause.issues, errorsOf(wrong()));
    return true;
  });
  assert.deepEqual(await caller.submit(warned()), esm.validateOrder(warned()).order);
});

test("Hono's validator responds with 400 and the issues, and passes on the order of the verdict", async () => {
  const app = new Hono().put('/orders', sValidator('json', schema), (context) =>
    context.json(context.req.valid('json')),
  );
  const put = (order) =>
    app.request('/orders', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(order),
    });
  const refused = await put(wrong());
  assert.equal(refused.status, 400);
  const { success, error } = await refused.json();
  assert.equal(success, false);
  assert.deepEqual(error, errorsOf(wrong()));
  const taken = await put(warned());
  assert.deepEqual([taken.status, await taken.json()], [200, esm.validateOrder(warned()).order]);
});

test('salesOrderSchema returns a Standard Schema', () => {
  const standard = esm.salesOrderSchema()['~standard'];
  assert.deepEqual([standard.version, standard.vendor, 'types' in standard], [1, 'sales-order-intake', false]);
  const order = minimalOrder({ CustomerId: 'c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e', Taxes: [] });
  assert.deepEqual(
    standard.validate(order).issues.map(({ code }) => code),
    ['taxes_empty'],
  );
  assert.equal(
    esm.salesOrderSchema('v2', { allowEmptyTaxes: true })['~standard'].validate(order).value.CustomerId,
    order.CustomerId,
  );
  assert.deepEqual(standard.validate(wrong()).issues, errorsOf(wrong()));
});

test('an Id that differs from orderId is an issue, and a missing Id is never generated', () => {
  const { Id: orderId, ...withoutId } = minimalOrder();
  const codes = (options, order) =>
    esm
      .salesOrderSchema('v3', options)
      ['~standard'].validate(order)
      .issues?.map(({ code }) => code);
  assert.equal(codes({ orderId }, minimalOrder()), undefined);
  assert.deepEqual(codes({ orderId: esm.newOrderId() }, minimalOrder()), ['order_id_mismatch']);
  assert.deepEqual(codes({ orderId }, withoutId), ['missing']);
});

test('an input that is not an object is rejected, even if it is JSON', () => {
  for (const value of [undefined, null, 7, [], JSON.stringify(minimalOrder())]) {
    assert.equal(schema['~standard'].validate(value).issues.length, 1, String(value));
  }
});

test('the output value is the order of the verdict, as plain data', () => {
  const result = schema['~standard'].validate(minimalOrder());
  assert.deepEqual(structuredClone(result), { value: esm.validateOrder(minimalOrder()).order });
});

test('a wrong version or option throws', () => {
  assert.throws(() => esm.salesOrderSchema('v1'), TypeError);
  assert.throws(() => esm.salesOrderSchema('v3', { lenient: true })['~standard'].validate({}), TypeError);
});
