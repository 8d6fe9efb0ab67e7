/** Tests what the entries export, and that importing them does nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed, runProgram } from './installed.mjs';

const { esm, cjs, slim } = await installed();

/** Globals that throw when they are read. Without Response, because Node loads a library when it is read. */
const SABOTAGE = `
  for (const name of ['WebAssembly', 'fetch', 'crypto', 'process', 'TextEncoder', 'TextDecoder', 'URL', 'AbortController', 'setTimeout']) {
    Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error(name + ' was touched') } });
  }
`;
const IMPORTS = {
  esm: (entry) => `${SABOTAGE} await import('${entry}'); console.log('imported')`,
  cjs: (entry) => `${SABOTAGE} require('${entry}'); console.log('imported')`,
};

for (const [format, program] of Object.entries(IMPORTS)) {
  for (const entry of [
    'sales-order-intake',
    'sales-order-intake/slim',
    'sales-order-intake/client',
    'sales-order-intake/slim/client',
  ]) {
    test(`importing ${entry} (${format}) touches nothing of the platform`, () => {
      const { stdout, stderr } = runProgram(program(entry), { format });
      assert.equal(stdout, 'imported\n', stderr);
    });
  }

  test(`the sabotage works: the first call (${format}) does touch WebAssembly`, () => {
    const call = format === 'esm' ? "(await import('sales-order-intake'))" : "require('sales-order-intake')";
    const { stderr } = runProgram(`${SABOTAGE} ${call}.parseGuid('x')`, { format });
    assert.match(stderr, /WebAssembly was touched/);
  });
}

test('importing works in a browser-like environment without process', () => {
  const { stdout, stderr } = runProgram(`
    const { log } = console;
    delete globalThis.process; delete globalThis.Buffer; delete globalThis.require;
    const { parseGuid } = await import('sales-order-intake');
    log(parseGuid('2A8F5D33EEC948648B495636577B40D5'));
  `);
  assert.equal(stdout, '2a8f5d33-eec9-4864-8b49-5636577b40d5\n', stderr);
});

test('both formats, and slim, export the same names, and nothing internal', () => {
  const names = `
    CoreInitError InternalError OptionError OrderValidationError buildOrder createEvaluator deriveOrderId evaluateOrder
    init isReady newOrderId parseGuid prepareRequest previewOrder readError readOrder requestPath salesOrderSchema
    validateOrder`;
  for (const entry of [esm, cjs, slim]) assert.deepEqual(Object.keys(entry).sort(), names.trim().split(/\s+/));
});
