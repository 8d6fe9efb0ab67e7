/** Tests that the memory does not grow with the number of calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from '../installed.mjs';
import { minimalOrder } from '../orders.mjs';

const MIB = 1024 * 1024;

test('100,000 calls do not increase the memory', { timeout: 300_000 }, () => {
  const { stdout, stderr, status } = runProgram(
    `
    const instances = [];
    WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
      construct(target, args) {
        const instance = new target(...args);
        // Not the module that unpacks the core.
        if (instance.exports.validateOrder) instances.push(instance);
        return instance;
      },
    });
    const core = await import('sales-order-intake');
    const order = ${JSON.stringify(minimalOrder({ Notes: 'Grüße 🍵' }))};
    const body = JSON.stringify(order);
    const calls = [
      () => core.validateOrder(order).order,
      () => core.validateOrder('{"Items": [1, {"Quantity": "x"}]}'),
      () => core.buildOrder(order, { version: 'v2' }).order,
      () => core.previewOrder(order, { explain: true, taxRates: [{ id: 'gst', rate: '0.05' }] }),
      () => core.prepareRequest(order),
      () => core.readOrder(body),
      () => core.newOrderId(),
      () => core.deriveOrderId(order.Id, 'cart 🍵'),
      () => core.parseGuid('no'),
      () => core.requestPath('v2', order.Id),
    ];
    const used = () => {
      gc();
      return { wasm: instances.reduce((sum, { exports }) => sum + exports.memory.buffer.byteLength, 0), heap: process.memoryUsage().heapUsed };
    };
    for (let i = 0; i < 5_000; i++) calls[i % calls.length]();
    const before = used();
    for (let i = 0; i < 100_000; i++) calls[i % calls.length]();
    const after = used();
    console.log(JSON.stringify({ before, after, instances: instances.length }));
    `,
    { flags: ['--expose-gc'] },
  );
  assert.equal(status, 0, stderr);
  const { before, after, instances } = JSON.parse(stdout);
  assert.equal(instances, 1);
  assert.equal(after.wasm, before.wasm);
  assert.ok(after.heap - before.heap < MIB, `the heap grew by ${after.heap - before.heap} bytes`);
});
