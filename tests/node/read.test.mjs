/** Tests that readOrder and readError read anything, and what they find in it. The vectors test the forms of responses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from './installed.mjs';
import { inShort, minimalOrder } from './orders.mjs';

const { esm } = await installed();
const { readError, readOrder } = esm;

test('readOrder reads anything, and treats what is not a string as an empty body', () => {
  for (const body of [undefined, null, 5, {}, minimalOrder(), Symbol('x'), '', ' ']) {
    const { order, issues } = readOrder(body);
    assert.equal(order, null);
    assert.deepEqual(inShort(issues), ['warning body_empty ']);
  }
});

test('readOrder returns null and one warning for what is not an order', () => {
  for (const body of ['x', '<html>', '[]', '7', 'null', '"x"', '{', '{"Id":', '\ud800', 'x'.repeat(33_554_433)]) {
    const { order, issues } = readOrder(body);
    assert.equal(order, null, body.slice(0, 9));
    assert.deepEqual([issues.length, issues[0].severity], [1, 'warning'], body.slice(0, 9));
  }
});

test('readError reads anything, and finds no message in what is not a string', () => {
  for (const body of [undefined, null, 7, {}, '', ' ', '<html>', '{', '[]', '\ud800', '\ud800{']) {
    const { detail, issues } = readError(body);
    assert.deepEqual(issues, []);
    assert.ok(detail === null || typeof detail === 'string');
  }
  assert.equal(readError(undefined).detail, null);
});

test('readError reads members of other types, and returns only known codes', () => {
  for (const body of [
    '{"Message":7,"ModelState":7,"errors":7}',
    '{"errors":[7,null,{}]}',
    '{"errors":[{"code":"invented","pointer":7}]}',
  ]) {
    const { detail, issues } = readError(body);
    assert.ok(detail === null || typeof detail === 'string', body);
    for (const { code, pointer } of issues)
      assert.deepEqual([code === 'invented', typeof pointer], [false, 'string'], body);
  }
});
