/** Tests what a bundle contains that uses one function of an entry: the core if the function calls it, and else not. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { build } from 'esbuild';
import { bundled } from '../../scripts/check/sizes.mjs';
import { installed, installedFile, projects } from './installed.mjs';
import { minimalOrder } from './orders.mjs';

const { esm } = await installed();
const folder = installedFile('dist/esm');
const CLIENT = { baseUrl: 'https://intake.example.com', token: () => 'a-token' };

/** Bundles an expression that uses one export of an entry; returns its value and the bytes of the bundle. */
async function alone(entry, name, expression) {
  const { bytes } = await bundled(
    `import { ${name} as used } from './${entry}index.js'; export default ${expression};`,
    folder,
  );
  const { default: value } = await import(`data:text/javascript;base64,${Buffer.from(bytes).toString('base64')}`);
  return { value, size: bytes.length };
}

/** The arguments of each function; those that are not listed take an order. */
const ARGUMENTS = {
  compareAmounts: "('1', '2')",
  createEvaluator: `()(${JSON.stringify(minimalOrder())})`,
  deriveOrderId: "('7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50', 'cart 1')",
  init: '()',
  parseGuid: "('x')",
  readError: "('{}')",
  readOrder: "('{}')",
  requestPath: "('v3', '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50')",
  salesOrderSchema: "('v3')['~standard'].validate({})",
  sumAmounts: "(['1', '2'])",
};
const WITHOUT_CORE = ['isReady', 'newOrderId'];
const functions = Object.keys(esm).filter((name) => /^[a-z]/.test(name) && !WITHOUT_CORE.includes(name));

for (const name of functions) {
  test(`${name} alone in a bundle has the core, and calls it`, async () => {
    const call = ARGUMENTS[name] ?? `(${JSON.stringify(minimalOrder())})`;
    const { value } = await alone('', name, `() => used${call}`);
    await value();
  });
}

test('the client, the outbox and the reference service alone in a bundle have the core', async () => {
  const order = JSON.stringify({ ...minimalOrder(), Items: [] });
  const client = await alone('client/', 'createClient', `(options) => used(options).createOrder(${order})`);
  await assert.rejects(client.value(CLIENT), { name: 'OrderValidationError' });
  const service = await alone('testing/', 'createTestService', '() => used()');
  assert.equal(typeof service.value().fetch, 'function');
  const outbox = await alone('outbox/', 'createOutbox', `(options) => used(options).add(${order})`);
  const { createClient } = await import(`${folder}/client/index.js`);
  const store = Object.fromEntries(
    ['add', 'change', 'changeAll', 'get', 'list', 'take', 'settle', 'count', 'sweep', 'close', 'history'].map(
      (name) => [name, () => assert.fail(name)],
    ),
  );
  await assert.rejects(outbox.value({ client: createClient(CLIENT), store }), { name: 'OrderValidationError' });
});

test('a page with the small core, and the client of slim, sends nothing before init has got the functions about responses', async () => {
  const { bytes } = await bundled(
    `export { evaluateOrder, init } from './index.js'; export { createClient } from './slim/client/index.js';`,
    folder,
  );
  const page = await import(`data:text/javascript;base64,${Buffer.from(bytes).toString('base64')}`);
  const order = minimalOrder();
  assert.ok(page.evaluateOrder(order).ok);
  let requests = 0;
  const fetch = async (_, { body }) => {
    requests++;
    return new Response(body, { status: 201, headers: { 'Content-Type': 'application/json' } });
  };
  const client = page.createClient({ ...CLIENT, fetch });
  await assert.rejects(client.createOrder(order), { name: 'CoreInitError' });
  assert.equal(requests, 0);
  await page.init(readFileSync(installedFile('core.wasm')));
  assert.equal((await client.createOrder(order)).status, 201);
});

test('a bundle has the functions of the core about responses only if it reads responses', async () => {
  const { size } = await alone('', 'createEvaluator', 'used');
  for (const name of ['readError', 'readOrder']) assert.ok((await alone('', name, 'used')).size > size + 100_000, name);
});

for (const name of [...WITHOUT_CORE, 'OptionError', 'OrderValidationError']) {
  test(`${name} alone in a bundle does not have the core`, async () => {
    const { size } = await alone('', name, 'used');
    assert.ok(size < 10_000, `${size} bytes`);
  });
}

test('a CommonJS program in a bundle for pages has the ECMAScript modules, and the core once', async () => {
  const program = `console.log(require('sales-order-intake'), require('sales-order-intake/client'));`;
  const { metafile, warnings } = await build({
    stdin: { contents: program, resolveDir: projects().cjsProject },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
  });
  assert.deepEqual(warnings, []);
  const modules = Object.keys(metafile.inputs).filter((path) => path.includes('/dist/'));
  assert.deepEqual(
    modules.filter((path) => path.includes('/dist/cjs/')),
    [],
  );
  assert.equal(modules.filter((path) => path.endsWith('core-source.js')).length, 1);
});
