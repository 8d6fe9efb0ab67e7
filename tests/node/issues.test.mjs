/** Tests the members of issues, their order, and that they contain no value of the order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from './installed.mjs';
import { item, minimalOrder } from './orders.mjs';

const { esm } = await installed();
const { readError, validateOrder } = esm;

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

test('path has numbers as indices, and pointer escaped names (RFC 6901)', () => {
  const { issues } = validateOrder(bad);
  const negative = issues.find(({ code }) => code === 'quantity_not_positive');
  assert.deepEqual([negative.pointer, negative.path], ['/Items/0/Quantity', ['Items', 0, 'Quantity']]);
  const unknown = issues.find(({ code }) => code === 'unknown_member');
  assert.deepEqual([unknown.pointer, unknown.path], ['/Items/1/a~1b~0c', ['Items', 1, 'a/b~c']]);
  assert.equal(validateOrder('[]').issues[0].pointer, '');
  assert.deepEqual(validateOrder('[]').issues[0].path, []);
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
