/**
 * Tests the ids of orders: new ones, ids that are derived from a cart, and what is not an id. The vectors test their
 * forms.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fresh, installed, runProgram } from './installed.mjs';
import { ID, inShort, minimalOrder, OTHER } from './orders.mjs';
import { whileReplaced } from './stubs.mjs';

const { esm } = await installed();
const { deriveOrderId, newOrderId, parseGuid, requestPath } = esm;
const D_FORM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('new order ids are version 4 GUIDs, all different', () => {
  const ids = Array.from({ length: 1000 }, newOrderId);
  assert.equal(new Set(ids).size, 1000);
  for (const id of ids) {
    assert.match(id, VERSION_4);
    assert.equal(parseGuid(id), id);
  }
});

test('newOrderId works without WebAssembly and randomUUID, and does not start the core', () => {
  const { stdout, stderr } = runProgram(
    `const webcrypto = globalThis.crypto;
    const getRandomValues = (bytes) => webcrypto.getRandomValues(bytes);
    delete globalThis.WebAssembly;
    Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues } });
    const { newOrderId, isReady } = await import('sales-order-intake');
    const ids = Array.from({ length: 200 }, newOrderId);
    console.log(new Set(ids).size, ids.every((id) => ${VERSION_4}.test(id)), isReady());`,
  );
  assert.equal(stdout, '200 true false\n', stderr);
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
  // Computed with Python's uuid.uuid5.
  assert.equal(deriveOrderId(OTHER, 'www.example.com'), 'bbc85e4a-afba-5dde-a48d-32815a5926d4');
  assert.equal(deriveOrderId(`{${OTHER.toUpperCase()}}`, 'www.example.com'), 'bbc85e4a-afba-5dde-a48d-32815a5926d4');
  assert.notEqual(deriveOrderId(OTHER, 'cart-1'), deriveOrderId(OTHER, 'cart-2'));
  // Two forms of é.
  assert.notEqual(deriveOrderId(OTHER, '\u00e9'), deriveOrderId(OTHER, 'e\u0301'));
  assert.notEqual(deriveOrderId(OTHER, 'cart-1'), deriveOrderId(newOrderId(), 'cart-1'));
});

test('deriveOrderId rejects invalid namespaces and keys', () => {
  for (const key of ['', undefined, null, 7, {}, '\ud800', 'a\udc00b'])
    assert.throws(() => deriveOrderId(OTHER, key), { name: 'TypeError', message: /key/ });
  for (const namespace of ['', 'dns', '00000000-0000-0000-0000-000000000000', undefined, 5]) {
    assert.throws(() => deriveOrderId(namespace, 'cart-1'), { name: 'TypeError', message: /namespace/ });
  }
  for (const published of ['6ba7b810', '6ba7b811', '6ba7b812', '6ba7b814']) {
    const namespace = `${published}-9dad-11d1-80b4-00c04fd430c8`;
    assert.throws(() => deriveOrderId(namespace, 'cart-1'), {
      name: 'TypeError',
      message: /of your own.*share their ids/,
    });
  }
  assert.match(deriveOrderId(OTHER, '🍵'), D_FORM);
});

test('parseGuid returns null for anything that is not a GUID, even if it is not a string', () => {
  for (const text of ['', 'x', '\ud800', undefined, null, 5, {}, [ID], new String(ID), Symbol('x')])
    assert.equal(parseGuid(text), null);
});

test('requestPath rejects unknown versions and anything that is not a GUID', () => {
  for (const version of ['v1', 'V3', '', undefined, 3]) assert.throws(() => requestPath(version, ID), TypeError);
  for (const id of ['', 'x', undefined, null, 5]) assert.throws(() => requestPath('v3', id), TypeError);
});
