/** Tests when the core gets a fresh instance: after a trap, and after a large order. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { integerAt, sectionsOf } from '../../scripts/build/core-text.mjs';
import { fresh, installedFile } from './installed.mjs';
import { minimalOrder } from './orders.mjs';
import { counted, whileReplaced } from './stubs.mjs';

const MIB = 1024 * 1024;

/** Returns the core with a memory that can grow by at most 16 pages (1 MiB). */
function cramped(bytes) {
  const MEMORY_SECTION = 5;
  const { start, body, end } =
    [...sectionsOf(bytes)].find(({ id }) => id === MEMORY_SECTION) ?? assert.fail('no memory section');
  // One memory, flags "no maximum", minimum → one memory, flags "maximum", minimum, maximum.
  assert.deepEqual([...bytes.subarray(body, body + 2)], [1, 0]);
  const minimum = integerAt(bytes, body + 2).value;
  const limits = [minimum, minimum + 16].flatMap((pages) => [(pages & 0x7f) | 0x80, pages >> 7]);
  const section = [MEMORY_SECTION, 2 + limits.length, 1, 1, ...limits];
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(section), bytes.subarray(end)]);
}

test('a trap is an InternalError, and the next call runs on a fresh instance', async () => {
  const core = fresh('sales-order-intake/slim');
  await core.init(cramped(readFileSync(installedFile('core.wasm'))));
  const Instance = counted(WebAssembly.Instance);
  await whileReplaced(WebAssembly, 'Instance', Instance.stub, () => {
    assert.ok(core.validateOrder(minimalOrder()).ok);
    assert.equal(Instance.uses(), 0);
    for (const instances of [1, 2]) {
      assert.throws(
        () => core.validateOrder(minimalOrder({ Notes: 'x'.repeat(4 * MIB) })),
        (/** @type {any} */ error) =>
          error instanceof core.InternalError && error.cause instanceof WebAssembly.RuntimeError,
      );
      assert.ok(core.validateOrder(minimalOrder()).ok);
      assert.ok(core.validateOrder(minimalOrder()).ok);
      assert.equal(Instance.uses(), instances);
    }
  });
});

test('a function that the core does not have is an InternalError', async () => {
  const core = fresh();
  const other = new Proxy(WebAssembly.Instance, {
    construct(Target, args) {
      const { exports } = Reflect.construct(Target, args);
      return { exports: { ...exports, validateOrder: undefined } };
    },
  });
  await whileReplaced(WebAssembly, 'Instance', other, () => {
    assert.throws(() => core.validateOrder(minimalOrder()), core.InternalError);
    assert.equal(core.parseGuid('x'), null);
  });
});

test('a call near the end of the stack fails cleanly, and later calls are correct', () => {
  const core = fresh();
  const { Id } = minimalOrder();
  core.parseGuid('x');
  const failures = [];
  function dive() {
    try {
      return dive();
    } catch {
      // The stack is exhausted here; each frame on the way back has a little more of it.
      try {
        return core.parseGuid(Id);
      } catch (error) {
        failures.push(error);
        throw error;
      }
    }
  }
  assert.equal(dive(), Id);
  // Where the stack ends decides which: engines want more of it for a new error than for the core.
  assert.ok(failures.length > 0);
  for (const error of failures)
    assert.ok(error instanceof core.InternalError || error instanceof RangeError, String(error));
  assert.ok(core.validateOrder(minimalOrder()).ok);
});

test('an instance that grew beyond 64 MiB is replaced, a smaller one is reused', async () => {
  const core = fresh();
  core.parseGuid('x');
  const Instance = counted(WebAssembly.Instance);
  await whileReplaced(WebAssembly, 'Instance', Instance.stub, () => {
    core.validateOrder(minimalOrder({ Notes: 'x'.repeat(4 * MIB) }));
    core.parseGuid('x');
    assert.equal(Instance.uses(), 0);
    // Rejected before it is copied.
    core.validateOrder('x'.repeat(65 * MIB));
    core.readOrder('x'.repeat(65 * MIB));
    core.parseGuid('x');
    assert.equal(Instance.uses(), 0);
    core.validateOrder(minimalOrder({ Notes: 'é'.repeat(15 * MIB) }));
    core.parseGuid('x');
    assert.equal(Instance.uses(), 1);
  });
});

test('inputs of any length and with any characters arrive, also after the memory has grown', () => {
  const core = fresh();
  // Around the size of the input area, with one, two and three bytes for each character.
  for (const character of ['x', 'é', '🍵', '茶']) {
    for (const length of [10, 21_000, 32_700, 65_400, 70_000, 200_000, 10]) {
      const Notes = character.repeat(length / character.length);
      const { order } = core.readOrder(JSON.stringify({ Notes, LastName: 'Okafor' }));
      assert.equal(order.Notes, Notes, `${length} of ${character}`);
      assert.equal(order.LastName, 'Okafor');
    }
  }
});

test('each call has its own options, also after refused ones and on a fresh instance', async () => {
  const core = fresh();
  let isBroken = false;
  const breaking = new Proxy(WebAssembly.Instance, {
    construct(Target, args) {
      const { exports } = Reflect.construct(Target, args);
      const previewOrder = (...inputs) => {
        if (isBroken) throw new WebAssembly.RuntimeError('unreachable');
        return exports.previewOrder(...inputs);
      };
      return { exports: { ...exports, previewOrder } };
    },
  });
  await whileReplaced(WebAssembly, 'Instance', breaking, () => {
    const scaleOf = (scale) => core.previewOrder(minimalOrder(), { scale }).scale;
    assert.equal(core.previewOrder(minimalOrder()).scale, 2);
    assert.equal(scaleOf(3), 3);
    assert.equal(scaleOf(3), 3);
    // Not the options of an order.
    core.readDecimal('1,5', { decimal: ',' });
    assert.equal(scaleOf(3), 3);
    for (let i = 0; i < 2; i++) assert.throws(() => scaleOf(9), { name: 'OptionError', option: '/scale' });
    assert.equal(scaleOf(3), 3);
    assert.equal(scaleOf(4), 4);
    isBroken = true;
    assert.throws(() => scaleOf(4), core.InternalError);
    isBroken = false;
    assert.equal(scaleOf(4), 4);
    assert.equal(core.previewOrder(minimalOrder()).scale, 2);
  });
});

test('options that a program changes in place are read again', () => {
  const core = fresh();
  const options = { taxRates: [{ id: 'gst', rate: '0.05' }] };
  const tax = () => core.previewOrder(minimalOrder(), options).tax.total;
  const before = tax();
  assert.equal(tax(), before);
  options.taxRates[0].rate = '0.10';
  assert.notEqual(tax(), before);
  options.taxRates.push({ id: 'pst', rate: '0.07' });
  assert.equal(core.previewOrder(minimalOrder(), options).tax.entries.length, 2);
  assert.throws(
    () => core.previewOrder(minimalOrder(), { ...options, taxRates: [{ id: 'gst', rate: 'free' }] }),
    core.OptionError,
  );
  assert.equal(core.previewOrder(minimalOrder(), options).tax.entries.length, 2);
});
