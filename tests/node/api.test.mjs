/** Tests what the functions return and throw. The vectors test the rules of orders. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fresh, installed } from './installed.mjs';
import { inShort, item, minimalOrder, orderWith } from './orders.mjs';
import { whileReplaced } from './stubs.mjs';

const { esm, cjs } = await installed();
const {
  buildOrder,
  deriveOrderId,
  evaluateOrder,
  newOrderId,
  parseGuid,
  prepareRequest,
  previewOrder,
  readOrder,
  requestPath,
  validateOrder,
} = esm;
const D_FORM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('both formats export the same names, and nothing internal', () => {
  const names = `
    CoreInitError InternalError OptionError OrderValidationError buildOrder createEvaluator deriveOrderId evaluateOrder
    init isCoreInitError isInternalError isOptionError isOrderValidationError isReady newOrderId parseGuid prepareRequest
    previewOrder readError readOrder requestPath salesOrderSchema validateOrder`;
  assert.deepEqual(Object.keys(esm).sort(), names.trim().split(/\s+/));
  assert.deepEqual(Object.keys(cjs).sort(), names.trim().split(/\s+/));
});

test('results are plain data: they survive structuredClone, JSON, spread and freezing', () => {
  const order = minimalOrder({ Taxes: [{ TaxId: '9c1d6f2e-7a34-4b58-8c0d-5e6f7a8b9c0d', TaxAmount: 2 }] });
  const options = { explain: true };
  for (const result of [
    buildOrder(order),
    validateOrder({}),
    previewOrder(order, options),
    prepareRequest(order),
    evaluateOrder(order, options),
    evaluateOrder({}),
    readOrder(JSON.stringify(order)),
    esm.readError('{"Message":"no"}'),
  ]) {
    const data = { ...result };
    assert.deepEqual(structuredClone(result), data);
    assert.deepEqual(JSON.parse(JSON.stringify(result)), data);
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(result)))
      assert.equal(get, undefined, name);
    const isFrozen = (value) => typeof value !== 'object' || value === null || Object.isFrozen(value);
    assert.ok(isFrozen(Object.freeze(result)));
  }
});

test('an evaluation computes order, preview and request on the first call, also if it is frozen or destructured', () => {
  const order = minimalOrder({ Taxes: [] });
  const options = { allowEmptyTaxes: true, version: 'v2' };
  const evaluation = Object.freeze(evaluateOrder(order, options));
  assert.deepEqual(Object.keys(evaluation), ['ok', 'issues', 'totals']);
  const { ok, issues, totals, order: valid, preview, request } = evaluation;
  assert.deepEqual([ok, issues], [true, []]);
  assert.deepEqual([totals.subtotal, totals.total, totals.version], ['39.98', '39.98', 'v2']);
  order.Items[0].Name = 'Another tea';
  assert.deepEqual(valid(), buildOrder(minimalOrder({ Taxes: [] }), options).order);
  assert.deepEqual(preview(), previewOrder(minimalOrder({ Taxes: [] }), options));
  assert.deepEqual(request(), prepareRequest(minimalOrder({ Taxes: [] }), options));
  for (const later of [valid, preview, request]) assert.equal(later(), later());
});

test('an order with an error has totals, but neither order nor request', () => {
  const order = minimalOrder({ CompanyId: 0, Taxes: [] });
  const evaluation = evaluateOrder(order, { allowEmptyTaxes: true });
  assert.equal(evaluation.ok, false);
  assert.deepEqual(inShort(evaluation.issues), ['error integer_out_of_range /CompanyId']);
  assert.equal(evaluation.totals.total, '39.98');
  assert.equal(evaluation.order(), null);
  const error = thrownBy(evaluation.request);
  assert.ok(error instanceof esm.OrderValidationError);
  assert.deepEqual([error.orderId, error.issues], [order.Id, evaluation.issues]);
});

test('an amount that does not fit makes an evaluation not ok, although the order could be sent', () => {
  const order = orderWith({ Quantity: '79228162514264337593543950335', SellAtPricePerUnit: 10 });
  const evaluation = evaluateOrder(order);
  assert.equal(evaluation.ok, false);
  assert.throws(evaluation.request, { name: 'OrderValidationError' });
});

test('an evaluation reports a missing Id, its preview does not', () => {
  const order = minimalOrder({ Id: undefined });
  const evaluation = evaluateOrder(order);
  assert.equal(evaluation.ok, false);
  assert.deepEqual(inShort(evaluation.issues).sort(), ['error missing /Id', 'notice tax_unknown /Taxes']);
  assert.deepEqual(evaluation.preview(), previewOrder(order));
  assert.deepEqual(inShort(previewOrder(order).issues), ['notice tax_unknown /Taxes']);
});

test('a verdict that is not ok has order null', () => {
  const verdict = validateOrder({});
  assert.deepEqual(Object.keys(verdict), ['ok', 'order', 'issues']);
  assert.deepEqual([verdict.ok, verdict.order], [false, null]);
});

test('a verdict with warnings only is ok, and has the order and the warnings', () => {
  const verdict = validateOrder(orderWith({ SellAtPricePerUnit: 0 }));
  assert.equal(verdict.ok, true);
  assert.deepEqual(inShort(verdict.issues), ['warning price_zero /Items/0/SellAtPricePerUnit']);
  assert.equal(verdict.order.Items[0].SellAtPricePerUnit, '0');
});

test('arguments are never changed', () => {
  const order = minimalOrder({ ReceiptNumber: 'R-1', Id: undefined });
  const before = structuredClone(order);
  buildOrder(order);
  validateOrder(order);
  previewOrder(order);
  evaluateOrder(order).preview();
  assert.deepEqual(order, before);
});

test('issues are plain data with all members of an issue', () => {
  const [issue] = validateOrder(orderWith({ Quantity: 0 })).issues;
  assert.deepEqual(issue.path, ['Items', 0, 'Quantity']);
  assert.equal(issue.pointer, '/Items/0/Quantity');
  assert.ok(issue.message.length > 0);
});

test('numbers in JSON are validated with their own digits', () => {
  const text = JSON.stringify(minimalOrder()).replace('19.99', '19.990000000000000001');
  assert.match(prepareRequest(text).body, /19\.990000000000000001/);
});

test('prepareRequest returns the whole PUT', () => {
  const { Id } = minimalOrder();
  const { body, ...rest } = prepareRequest(minimalOrder(), { version: 'v2' });
  assert.deepEqual(rest, {
    method: 'PUT',
    version: 'v2',
    orderId: Id,
    path: `v2/ServiceOrder(${Id})`,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    issues: [],
  });
  assert.deepEqual(JSON.parse(body), minimalOrder());
});

test('only buildOrder generates an Id, a new one each time', () => {
  const order = minimalOrder({ Id: undefined });
  const ids = [buildOrder, buildOrder].map((build) => build(order).order.Id);
  assert.notEqual(ids[0], ids[1]);
  for (const id of ids) assert.match(id, D_FORM);
  for (const judge of [prepareRequest, (input) => evaluateOrder(input).request()]) {
    const { orderId, issues } = thrownBy(() => judge(order));
    assert.equal(orderId, null);
    assert.ok(inShort(issues).includes('error missing /Id'));
  }
});

test('prepareRequest throws an error with all issues, whose message contains no value of the order', () => {
  const order = minimalOrder({ CompanyId: 0, FirstName: 'Ada', Notes: 5, Items: [item({ Quantity: -17 })], Extra: 1 });
  const error = thrownBy(() => prepareRequest(order));
  assert.ok(error instanceof esm.OrderValidationError && error instanceof Error);
  assert.equal(error.name, 'OrderValidationError');
  assert.deepEqual(/** @type {any} */ (error).issues, buildOrder(order).issues);
  assert.equal(
    error.message,
    `order ${order.Id} has 3 errors: integer_out_of_range at /CompanyId, quantity_not_positive at /Items/0/Quantity, not_a_string at /Notes`,
  );
  assert.match(String(error.stack), /^OrderValidationError: /);
});

test('a message about many errors lists three and counts the others', () => {
  const error = thrownBy(() => prepareRequest(minimalOrder({ Items: new Array(5).fill(item({ Quantity: 0 })) })));
  assert.match(
    error.message,
    /^order [-0-9a-f]{36} has 5 errors: (quantity_not_positive at \/Items\/\d\/Quantity, ){3}2 more$/,
  );
  assert.equal(thrownBy(() => prepareRequest('{')).message, 'the order has 1 error: not_json at the order');
});

test('error guards recognise errors of another copy, and nothing else', () => {
  const error = thrownBy(() => cjs.prepareRequest({}));
  assert.ok(!(error instanceof esm.OrderValidationError));
  assert.ok(esm.isOrderValidationError(error));
  for (const other of [
    new Error('x'),
    new TypeError('x'),
    { name: 'OrderValidationError' },
    null,
    undefined,
    'OrderValidationError',
  ]) {
    assert.equal(esm.isOrderValidationError(other), false);
  }
});

test('new order ids are version 4 GUIDs, all different', () => {
  const ids = Array.from({ length: 1000 }, newOrderId);
  assert.equal(new Set(ids).size, 1000);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('in a page without https, which has no randomUUID, newOrderId uses getRandomValues', async () => {
  const { crypto } = globalThis;
  let bytes = 0;
  const getRandomValues = (array) => {
    bytes += array.length;
    return crypto.getRandomValues(array);
  };
  await whileReplaced(globalThis, 'crypto', { getRandomValues }, () => {
    const ids = Array.from({ length: 100 }, newOrderId);
    assert.equal(new Set(ids).size, 100);
    for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
  assert.equal(bytes, 1600);
});

test('without a secure random source newOrderId throws, and buildOrder reports that the Id could not be generated', async () => {
  const core = fresh();
  const sources = [undefined, {}, { getRandomValues: () => assert.fail('no entropy') }];
  for (const crypto of sources) {
    await whileReplaced(globalThis, 'crypto', crypto, () => {
      for (let i = 0; i < 3; i++)
        assert.throws(() => core.newOrderId(), { name: 'Error', message: /secure random source/ });
      assert.deepEqual(inShort(core.buildOrder(minimalOrder({ Id: undefined })).issues), [
        'error no_random_source /Id',
      ]);
      assert.ok(core.buildOrder(minimalOrder()).ok);
    });
  }
  assert.match(core.newOrderId(), D_FORM);
});

test('derived ids are the same for the same cart, and differ for another cart or namespace', () => {
  const shop = '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b';
  // Computed with Python's uuid.uuid5.
  assert.equal(deriveOrderId(shop, 'www.example.com'), 'bbc85e4a-afba-5dde-a48d-32815a5926d4');
  assert.equal(deriveOrderId(`{${shop.toUpperCase()}}`, 'www.example.com'), 'bbc85e4a-afba-5dde-a48d-32815a5926d4');
  assert.notEqual(deriveOrderId(shop, 'cart-1'), deriveOrderId(shop, 'cart-2'));
  assert.notEqual(deriveOrderId(shop, 'cart-1'), deriveOrderId(newOrderId(), 'cart-1'));
});

test('deriveOrderId rejects invalid namespaces and keys', () => {
  const shop = '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b';
  for (const key of ['', undefined, null, 7, {}, '\ud800', 'a\udc00b'])
    assert.throws(() => deriveOrderId(shop, key), TypeError);
  for (const namespace of ['', 'dns', '00000000-0000-0000-0000-000000000000', undefined, 5]) {
    assert.throws(() => deriveOrderId(namespace, 'cart-1'), TypeError);
  }
  for (const published of ['6ba7b810', '6ba7b811', '6ba7b812', '6ba7b814']) {
    const namespace = `${published}-9dad-11d1-80b4-00c04fd430c8`;
    assert.throws(() => deriveOrderId(namespace, 'cart-1'), {
      name: 'TypeError',
      message: /of your own.*share their ids/,
    });
  }
  assert.match(deriveOrderId(shop, '🍵'), D_FORM);
});

test('parseGuid returns null for anything that is not a GUID, even if it is not a string', () => {
  for (const text of ['', 'x', '\ud800', undefined, null, 5, {}, Symbol('x')]) assert.equal(parseGuid(text), null);
});

test('requestPath rejects unknown versions and anything that is not a GUID', () => {
  const { Id } = minimalOrder();
  for (const version of ['v1', 'V3', '', undefined, 3]) assert.throws(() => requestPath(version, Id), TypeError);
  for (const id of ['', 'x', undefined, null, 5]) assert.throws(() => requestPath('v3', id), TypeError);
});

test('readOrder reads anything, and treats what is not a string as an empty body', () => {
  for (const body of [undefined, null, 5, {}, minimalOrder(), Symbol('x'), '']) {
    const { order, issues } = readOrder(body);
    assert.equal(order, null);
    assert.deepEqual(inShort(issues), ['warning body_empty ']);
  }
  for (const body of ['<html>', '\ud800', '[]', 'x'.repeat(33_554_433)]) assert.equal(readOrder(body).order, null);
});

test('readError reads anything, and finds no message in what is not a string', () => {
  for (const body of [undefined, null, 7, {}, '', ' ', '<html>', '[]', '\ud800{']) {
    const { detail, issues } = esm.readError(body);
    assert.deepEqual(issues, []);
    assert.ok(detail === null || typeof detail === 'string');
  }
  assert.equal(esm.readError(undefined).detail, null);
});

test('readOrder reads the body that prepareRequest writes', () => {
  const built = buildOrder(minimalOrder()).order;
  assert.deepEqual(readOrder(prepareRequest(minimalOrder()).body), { order: built, issues: [] });
});

test('the option orderId fills a missing Id, and a different Id is an error', () => {
  const orderId = '11111111-2222-4333-8444-555555555555';
  assert.equal(buildOrder(minimalOrder({ Id: undefined }), { orderId }).order.Id, orderId);
  assert.deepEqual(inShort(validateOrder(minimalOrder(), { orderId }).issues), ['error order_id_mismatch /Id']);
});

function thrownBy(action) {
  try {
    action();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}
