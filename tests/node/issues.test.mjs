/** Tests the members of issues, their order, and that they contain no value of the order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from './installed.mjs';
import { item, minimalOrder } from './orders.mjs';

const { esm } = await installed();
const { createEvaluator, evaluateOrder, readError, validateOrder } = esm;

const bad = minimalOrder({
  CompanyId: 0,
  Items: [item({ Quantity: -1 }), item({ 'a/b~c': 1 })],
  IntegratorId: 'x',
  Notes: 'n'.repeat(300),
});

test('an issue has the members of its type, and no others', () => {
  const { issues } = validateOrder(bad);
  assert.ok(issues.length >= 4);
  for (const issue of issues) {
    const { code, severity, message, pointer, path, hint = '', params, ...others } = issue;
    assert.deepEqual(others, {});
    assert.match(code, /^[a-z0-9_]+$/);
    assert.ok(['error', 'warning', 'notice'].includes(severity));
    assert.ok(message.length > 0 && !message.includes('{'));
    assert.equal(typeof hint, 'string');
    for (const value of Object.values(params)) assert.ok(['string', 'number'].includes(typeof value));
    assert.equal(pointer, path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
  }
});

test('the members of an issue are in one order, in the first evaluation and in later ones, with a hint and without', () => {
  const order = minimalOrder({ notes: 'x', Items: [item({ Quantity: -1, Quantitie: 1 })] });
  const [first, second, third] = [evaluateOrder(order), evaluateOrder(order), createEvaluator()(order)];
  assert.equal(JSON.stringify(second.issues), JSON.stringify(first.issues));
  assert.equal(JSON.stringify(third.issues), JSON.stringify(first.issues));
  const names = ['code', 'severity', 'message', 'pointer', 'path', 'hint', 'params'];
  for (const issue of [...first.issues, ...validateOrder(order).issues]) {
    assert.deepEqual(
      Object.keys(issue),
      names.filter((name) => name in issue),
    );
  }
  assert.deepEqual(new Set(first.issues.map((issue) => 'hint' in issue)), new Set([true, false]));
});

test('path has numbers as indices, and pointer escaped names (RFC 6901)', () => {
  const { issues } = validateOrder(bad);
  const negative = issues.find(({ code }) => code === 'quantity_not_positive');
  assert.deepEqual([negative.pointer, negative.path], ['/Items/0/Quantity', ['Items', 0, 'Quantity']]);
  const unknown = issues.find(({ code }) => code === 'unknown_member');
  assert.deepEqual([unknown.pointer, unknown.path], ['/Items/1/a~1b~0c', ['Items', 1, 'a/b~c']]);
  assert.equal(validateOrder('[]').issues[0].pointer, '');
  assert.deepEqual(validateOrder('[]').issues[0].path, []);
});

test('issues are in the order of the specification, then by code, and the same each time', () => {
  const { issues } = validateOrder(bad);
  assert.deepEqual(validateOrder(bad).issues, issues);
  assert.deepEqual(
    issues.map(({ path }) => path[0]),
    ['CompanyId', 'IntegratorId', 'Items', 'Items', 'Notes'],
  );
  const both = validateOrder(minimalOrder({ Items: [item({ Quantity: 0.1 + 0.2 })] })).issues;
  assert.deepEqual(
    both.map(({ code }) => code),
    [...both.map(({ code }) => code)].sort(),
  );
});

test('params has the values of the message', () => {
  const long = validateOrder(minimalOrder({ Notes: 'n'.repeat(251) })).issues[0];
  assert.equal(long.code, 'text_long');
  assert.deepEqual(long.params, { limit: 250, length: 251 });
  const range = validateOrder(minimalOrder({ CompanyId: 0 })).issues[0];
  assert.deepEqual(range.params, { min: 1, max: 2147483647 });
  assert.match(`${long.message} ${long.hint}`, /250/);
  assert.deepEqual(validateOrder(minimalOrder({ IntegratorId: 'x' })).issues[0].params, {});
});

test('an issue of a service has its code and params, or rejected_by_service if the code lacks params', () => {
  const params = { limit: 250, length: 300 };
  const errors = [{ code: 'not_a_guid' }, { code: 'text_long', params }, { code: 'text_long' }];
  const { issues } = readError(
    JSON.stringify({ errors: errors.map((error) => ({ pointer: '/Notes', detail: 'No.', ...error })) }),
  );
  assert.deepEqual(
    issues.map(({ code, severity, message, params }) => [code, severity, message, params]),
    [
      ['not_a_guid', 'error', 'No.', {}],
      ['text_long', 'warning', 'No.', params],
      ['rejected_by_service', 'warning', 'No.', {}],
    ],
  );
  assert.deepEqual(
    issues.map(({ hint }) => hint?.match(/\d+/)?.[0]),
    ['32', '250', undefined],
  );
});

test('a hint about a required member does not propose to omit it', () => {
  const zero = '00000000-0000-0000-0000-000000000000';
  const { issues } = validateOrder({ ...minimalOrder(), Id: zero, EntityId: null });
  assert.deepEqual(
    issues.map(({ code, pointer, hint }) => [code, pointer, hint]),
    [
      ['guid_all_zero', '/Id', 'supply the real GUID; only an optional member can be left out'],
      ['null_not_allowed', '/EntityId', 'supply a value; only an optional member can be left out'],
    ],
  );
});

test('issues contain no value of the order (D45)', () => {
  const secret = 'Rumpelstiltskin';
  const all = validateOrder(
    minimalOrder({
      Id: secret,
      CompanyId: secret,
      FirstName: secret.repeat(20),
      CustomerId: secret,
      Notes: `${secret}\u0007`.repeat(100),
      Items: [item({ Quantity: secret, Name: `${secret}\u0000` })],
    }),
  );
  assert.doesNotMatch(JSON.stringify(all.issues), /Rumpel/);
});
