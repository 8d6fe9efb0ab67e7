/** Tests the start of the core, the errors with their guards, and the readers of responses. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { listen } from '../../scripts/ports.mjs';
import { fresh, installed, installedFile, runProgram } from '../node/installed.mjs';
import { cart, ID, inShort, order, rejection, thrown } from './orders.mjs';

const { esm, cjs } = await installed();
const { CoreInitError, InternalError, isReady, OptionError, OrderValidationError, readError, readOrder } = esm;
const BYTES = readFileSync(installedFile('core.wasm'));

describe('init', () => {
  test('is idempotent, resolves to undefined, and lets the next call run at once', async () => {
    const core = fresh();
    assert.equal(core.isReady(), false);
    const both = [core.init(), core.init()];
    assert.deepEqual(await Promise.all(both), [undefined, undefined]);
    assert.equal(core.isReady(), true);
    await core.init();
  });

  test('is optional: the first call starts the core', () => {
    const core = fresh();
    assert.equal(core.parseGuid(ID), ID);
    assert.equal(core.isReady(), true);
  });

  for (const [what, source] of Object.entries({
    bytes: () => BYTES,
    'an ArrayBuffer': () => new Uint8Array(BYTES).buffer,
    'a DataView': () => new DataView(new Uint8Array(BYTES).buffer),
    'a module': () => new WebAssembly.Module(BYTES),
    'a promise of bytes': async () => BYTES,
    'a response': () => new Response(BYTES),
    'a promise of a response': async () => new Response(BYTES, { headers: { 'Content-Type': 'application/wasm' } }),
  }))
    test(`slim takes ${what}`, async () => {
      const slim = fresh('sales-order-intake/slim');
      await slim.init(source());
      assert.equal(slim.isReady(), true);
      assert.equal(slim.validateOrder(order()).ok, true);
    });

  test('slim takes a URL', async () => {
    const server = createServer((_, response) => response.end(BYTES));
    const port = await listen(server);
    const slim = fresh('sales-order-intake/slim');
    await slim.init(new URL(`http://127.0.0.1:${port}/core.wasm`));
    assert.equal(slim.isReady(), true);
    server.closeAllConnections();
    server.close();
  });

  for (const [what, source, reason] of [
    ['nothing', undefined, 'bad-bytes'],
    ['null', null, 'bad-bytes'],
    ['a number', 7, 'bad-bytes'],
    ['a string', '/core.wasm', 'bad-bytes'],
    ['no bytes', new Uint8Array(0), 'bad-bytes'],
    ['other bytes', new Uint8Array([1, 2, 3, 4]), 'bad-bytes'],
    ['another module', new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), 'bad-bytes'],
    ['a promise that rejects', () => Promise.reject(new Error('not found')), 'network'],
    ['a 404', () => new Response('no', { status: 404 }), 'network'],
    ['a URL that nobody serves', new URL('http://127.0.0.1:9/core.wasm'), 'network'],
  ])
    test(`slim rejects ${what} with the reason ${reason}, and can be called again`, async () => {
      const slim = fresh('sales-order-intake/slim');
      const error = await rejection(slim.init(typeof source === 'function' ? source() : source));
      for (const base of [slim.CoreInitError, Error]) assert.ok(error instanceof base);
      assert.equal(error.reason, reason);
      assert.ok(error.message.length > 30, error.message);
      assert.equal(slim.isReady(), false);
      await slim.init(BYTES);
      assert.equal(slim.isReady(), true);
    });

  test('a call of slim before init throws a CoreInitError whose message states what to do', () => {
    const slim = fresh('sales-order-intake/slim');
    const error = thrown(() => slim.validateOrder(order()));
    assert.ok(slim.isCoreInitError(error));
    assert.match(error.message, /init/);
  });

  test('a source that is not needed is ignored without an unhandled rejection', () => {
    const code = `import { init, validateOrder } from 'sales-order-intake';
      const late = () => new Promise((_, reject) => setTimeout(reject, 5, new Error('gone')));
      const running = init();
      await Promise.all([running, init(late()), init(Promise.reject(new Error('gone')))]);
      await init(late());
      validateOrder('{}');
      await init(late());
      await new Promise((done) => setTimeout(done, 50));
      console.log('fine');`;
    const { stdout, stderr, status } = runProgram(code);
    assert.equal(status, 0, stderr);
    assert.equal(stdout, 'fine\n');
  });

  test('without WebAssembly the reason is no-wasm', () => {
    const code = `delete globalThis.WebAssembly; const { init, parseGuid } = await import('sales-order-intake');
      const reasons = [await init().catch(({ reason }) => reason)];
      try { parseGuid('x'); } catch ({ reason }) { reasons.push(reason); }
      console.log(reasons.join());`;
    assert.equal(runProgram(code).stdout, 'no-wasm,no-wasm\n');
  });

  test('if code generation is forbidden, the reason is csp', () => {
    const code = `WebAssembly.Module = function () { throw new EvalError('forbidden by policy'); };
      WebAssembly.compile = async () => { throw new EvalError('forbidden by policy'); };
      const { init, parseGuid } = await import('sales-order-intake');
      const reasons = [await init().catch(({ reason }) => reason)];
      try { parseGuid('x'); } catch ({ reason }) { reasons.push(reason); }
      console.log(reasons.join());`;
    assert.equal(runProgram(code).stdout, 'csp,csp\n');
  });
});

describe('isReady', () => {
  test('returns true after any call', () => {
    esm.parseGuid(ID);
    assert.equal(isReady(), true);
  });
});

describe('errors and guards', () => {
  const GUARDS = {
    OrderValidationError: 'isOrderValidationError',
    OptionError: 'isOptionError',
    CoreInitError: 'isCoreInitError',
    InternalError: 'isInternalError',
  };
  const make = ({ OrderValidationError: V, OptionError: O, CoreInitError: C, InternalError: I }) => ({
    OrderValidationError: new V(ID, []),
    OptionError: new O('wrong', '/scale'),
    CoreInitError: new C('csp', 'forbidden'),
    InternalError: new I('trapped'),
  });
  for (const [name, guard] of Object.entries(GUARDS))
    test(`${guard} recognises only its own error, by name, in both copies of the package`, () => {
      for (const copy of [esm, cjs]) {
        const errors = make(copy);
        for (const [other, error] of Object.entries(errors)) {
          assert.ok(error instanceof Error);
          assert.equal(error.name, other);
          assert.ok(String(error).startsWith(`${other}: `) && error.stack?.includes(error.message));
          assert.equal(esm[guard](error), other === name);
          assert.equal(cjs[guard](error), other === name);
        }
        for (const value of [null, undefined, 7, name, {}, { name }, new Error(name), new TypeError('x')])
          assert.equal(esm[guard](value), false);
      }
    });

  test('OptionError is a TypeError; the others are not', () => {
    const errors = make(esm);
    for (const [name, error] of Object.entries(errors))
      assert.equal(error instanceof TypeError, name === 'OptionError');
    assert.ok(OptionError.prototype instanceof TypeError);
  });

  test('CoreInitError and InternalError have their cause', () => {
    const cause = new Error('why');
    assert.equal(new CoreInitError('network', 'x', { cause }).cause, cause);
    assert.equal(new CoreInitError('network', 'x').reason, 'network');
    assert.equal(new InternalError('x', { cause }).cause, cause);
  });

  test('OrderValidationError has the Id of the order, or null if it has no readable one', () => {
    const of = (input, options) => thrown(() => esm.prepareRequest(input, options));
    assert.equal(of(order({ Items: [] })).orderId, ID);
    assert.equal(of(cart()).orderId, null);
    assert.equal(of(order({ Id: 'x' })).orderId, null);
    assert.equal(of(order({ Id: `{${ID.toUpperCase()}}`, Items: [] })).orderId, ID);
    assert.ok(of(cart()) instanceof OrderValidationError);
  });
});

describe('readOrder', () => {
  test('takes names in any case and nulls, and preserves unknown members', () => {
    const { order: read, issues } = readOrder(
      `{"id":"{${ID.toUpperCase()}}","COMPANYID":1000,"items":[{"quantity":5.0,"sellAtPricePerUnit":19.990,"Extra":1}],` +
        '"notes":null,"orderSource":{"id":null,"name":"Web"},"receiptNumber":"R-1","dateCreatedUtc":"2026-11-20T10:00:00Z","More":{"a":1.50}}',
    );
    assert.equal(read.Id, ID);
    assert.equal(read.CompanyId, 1000);
    assert.deepEqual(
      [read.Items[0].Quantity, read.Items[0].SellAtPricePerUnit, read.Items[0].Extra],
      ['5.0', '19.990', 1],
    );
    assert.equal(read.Notes ?? null, null);
    assert.equal(read.OrderSource.Name, 'Web');
    assert.equal(read.ReceiptNumber, 'R-1');
    assert.deepEqual(read.More, { a: 1.5 });
    assert.deepEqual(issues, []);
  });

  for (const body of [
    '',
    ' ',
    'x',
    '<html>',
    '[]',
    '7',
    'null',
    '"x"',
    '{',
    '\ufeff{}',
    '{"Id":',
    '\ud800',
    undefined,
    null,
    7,
    {},
    Symbol('x'),
  ])
    test(`never throws: ${String(body)}`, () => {
      const { order: read, issues } = readOrder(body);
      if (read === null) assert.deepEqual(inShort(issues, 'warning').length, 1);
      else assert.deepEqual(read, {});
    });

  test('reads a date without an offset as UTC, with a warning, and 0 to 16 fraction digits', () => {
    assert.deepEqual(inShort(readOrder('{"DateCreatedUtc":"2026-11-20T10:00:00"}').issues), [
      'date_without_offset /DateCreatedUtc',
    ]);
    for (const digits of ['', '.1', '.1234567', '.1234567890123456'])
      for (const offset of ['Z', '+00:00', '-07:30'])
        assert.deepEqual(readOrder(`{"DateCreatedUtc":"2026-11-20T10:00:00${digits}${offset}"}`).issues, []);
  });
});

describe('readError', () => {
  for (const [what, body, detail] of [
    ['problem+json', '{"type":"about:blank","title":"Bad","status":400,"detail":"No items."}', 'No items.'],
    ['problem+json without detail', '{"title":"Bad request"}', 'Bad request'],
    ['Message', '{"Message":"Invalid."}', 'Invalid.'],
    ['message', '{"message":"Invalid."}', 'Invalid.'],
    ['error_description', '{"error":"invalid_token","error_description":"Expired."}', 'Expired.'],
    ['error', '{"error":"invalid_token"}', 'invalid_token'],
    ['text', 'Service unavailable', 'Service unavailable'],
    ['HTML', '<html><head><title>502 Bad Gateway</title></head><body>x</body></html>', '502 Bad Gateway'],
    ['nothing', '', null],
    ['an empty object', '{}', null],
  ])
    test(`reads ${what}`, () => assert.equal(readError(body).detail, detail));

  test('errors of problem+json and ModelState are issues with pointers', () => {
    const problem = readError(
      `{"detail":"x","errors":[{"pointer":"/Items/0/Quantity","code":"quantity_not_positive","detail":"small"}]}`,
    );
    assert.equal(problem.issues[0].pointer, '/Items/0/Quantity');
    assert.equal(problem.issues[0].code, 'quantity_not_positive');
    const state = readError('{"Message":"x","ModelState":{"order.Items[3].Quantity":["small","odd"]}}');
    assert.deepEqual(inShort(state.issues), [
      'rejected_by_service /Items/3/Quantity',
      'rejected_by_service /Items/3/Quantity',
    ]);
    assert.deepEqual(state.issues[0].path, ['Items', 3, 'Quantity']);
  });

  for (const body of [
    undefined,
    null,
    7,
    {},
    '{',
    '[]',
    '\ud800',
    '{"Message":7,"ModelState":7,"errors":7}',
    '{"errors":[7,null,{}]}',
    '{"errors":[{"code":"invented","pointer":7}]}',
  ])
    test(`never throws, and returns only known codes: ${JSON.stringify(body)}`, () => {
      const { detail, issues } = readError(body);
      assert.ok(detail === null || typeof detail === 'string');
      for (const { code, pointer } of issues) {
        assert.notEqual(code, 'invented');
        assert.equal(typeof pointer, 'string');
      }
    });
});

describe('exports', () => {
  test('every entry and format has all functions and classes of the contract, and none that was removed', async () => {
    const { slim } = await installed();
    const names = [
      ...['newOrderId', 'deriveOrderId', 'parseGuid', 'requestPath', 'buildOrder', 'validateOrder', 'previewOrder'],
      ...['prepareRequest', 'evaluateOrder', 'createEvaluator', 'readOrder', 'readError', 'init', 'isReady'],
      ...['OrderValidationError', 'OptionError', 'CoreInitError', 'InternalError'],
      ...['isOrderValidationError', 'isOptionError', 'isCoreInitError', 'isInternalError'],
    ];
    for (const entry of [esm, cjs, slim]) {
      for (const name of names) assert.equal(typeof entry[name], 'function', name);
      for (const gone of ['prepareOrder', 'createDraft', 'ready']) assert.equal(gone in entry, false, gone);
    }
  });
});
