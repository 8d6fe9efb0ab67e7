/** Tests what the entries export, and that importing them does nothing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { installedFile, runProgram } from './installed.mjs';

/** Globals that throw when they are read. Without Response, because Node loads a library when it is read. */
const SABOTAGE = `
  for (const name of ['WebAssembly', 'fetch', 'crypto', 'process', 'TextEncoder', 'TextDecoder', 'URL', 'AbortController', 'setTimeout']) {
    Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error(name + ' was touched') } });
  }
`;

for (const entry of ['', '/slim', '/client', '/slim/client'])
  test(`importing sales-order-intake${entry} touches nothing of the platform`, () => {
    const { stdout, stderr } = runProgram(
      `${SABOTAGE} await import('sales-order-intake${entry}'); console.log('imported')`,
    );
    assert.equal(stdout, 'imported\n', stderr);
  });

test('the sabotage works: the first call does touch WebAssembly', () => {
  const { stderr } = runProgram(`${SABOTAGE} (await import('sales-order-intake')).parseGuid('x')`);
  assert.match(stderr, /WebAssembly was touched/);
});

test('importing works in a browser-like environment without process', () => {
  const { stdout, stderr } = runProgram(`
    const { log } = console;
    delete globalThis.process; delete globalThis.Buffer; delete globalThis.require;
    const { parseGuid } = await import('sales-order-intake');
    log(parseGuid('2A8F5D33EEC948648B495636577B40D5'));
  `);
  assert.equal(stdout, '2a8f5d33-eec9-4864-8b49-5636577b40d5\n', stderr);
});

const CORE = `
  CoreInitError InternalError OptionError OrderValidationError buildOrder compareAmounts createEvaluator deriveOrderId docUrl
  evaluateOrder init isReady newOrderId parseGuid prepareRequest previewOrder readDecimal readError readOrder requestPath
  salesOrderSchema sumAmounts validateOrder`;
const CLIENT = `
  AbortedError AuthenticationError ConflictError ConnectionError NotFoundError OrderIntakeError PermissionError
  RateLimitError RejectedError ServerError TimeoutError UnexpectedResponseError createClient`;
/** The names that each entry exports at run time. A new one is a promise: it stays until the next major version. */
const EXPORTS = {
  '.': CORE,
  './client': CLIENT,
  './slim': CORE,
  './slim/client': CLIENT,
  './testing': 'createTestService',
  './outbox': 'OutboxError createOutbox entryReasons pauseCauses',
  './outbox/page': 'outboxPage',
  './outbox/sqlite': 'restoreFile sqliteStore',
  './outbox/postgres': 'postgresSchema postgresStore',
  './opentelemetry': 'SalesOrderInstrumentation',
};

test('these are all entries that are modules', () => {
  const { exports } = JSON.parse(readFileSync(installedFile('package.json'), 'utf8'));
  const modules = Object.keys(exports).filter((entry) => exports[entry].require);
  assert.deepEqual(modules.sort(), Object.keys(EXPORTS).sort());
});

test('each entry exports its names, and nothing internal', () => {
  const { stdout, stderr } = runProgram(
    `const exported = {};
     for (const entry of ${JSON.stringify(Object.keys(EXPORTS))})
       exported[entry] = Object.keys(await import('sales-order-intake' + entry.slice(1)));
     console.log(JSON.stringify(exported));`,
  );
  assert.equal(stderr, '');
  for (const [entry, names] of Object.entries(JSON.parse(stdout)))
    assert.deepEqual(names.sort(), EXPORTS[entry].match(/\w+/g) ?? [], entry);
});
