/** Tests how the writes of a store are put together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Batches, platform } from './harness.mjs';

const MIB = 2 ** 20;

/** Writes items with these lengths, all at once. Returns the batches, and which items were rejected. */
async function written(lengths, { fails = (_batch) => false } = {}) {
  const batches = [];
  const all = new Batches({
    platform,
    lengthOf: ({ length }) => length,
    async write(items) {
      batches.push(items.map(({ id }) => id));
      if (fails(batches.at(-1))) throw new Error('failed');
      return items.map(({ id }) => id);
    },
  });
  const ids = lengths.map((_, n) => String(n).padStart(4, '0'));
  const pending = new Set(ids);
  const outputs = async () => {
    const round = [...pending];
    const results = await Promise.allSettled(round.map((id) => all.run({ id, length: lengths[Number(id)] })));
    for (const [n, { status }] of results.entries()) if (status === 'fulfilled') pending.delete(round[n]);
  };
  await outputs();
  return { batches, pending, again: outputs };
}

test('a batch has at most 200 items, and 4 MiB unless one item has more', async () => {
  const small = await written(Array.from({ length: 450 }, () => 10));
  assert.deepEqual(
    small.batches.map(({ length }) => length),
    [200, 200, 50],
  );
  const large = await written([1, 3, 1, 1, 9, 1, 1].map((mib) => mib * MIB));
  assert.deepEqual(large.batches, [['0000', '0001'], ['0002', '0003'], ['0004'], ['0005', '0006']]);
});

test('after a failure batches are half as long, until each item that can be written is', async () => {
  const { batches, pending, again } = await written(
    Array.from({ length: 64 }, () => 10),
    { fails: (batch) => batch.includes('0013') },
  );
  for (let round = 0; pending.size > 1; round++) {
    assert.ok(round < 12, `${pending.size} items are still not written`);
    await again();
  }
  assert.deepEqual([...pending], ['0013']);
  assert.ok(batches.length < 60, `${batches.length} batches`);
});

test('while a database is silent, an item waits for the batch before its own, and not for all of them', async () => {
  let now = 0;
  let writes = 0;
  const clock = { soon: (callback) => queueMicrotask(callback), now: () => now, after: () => () => {} };
  const all = new Batches({
    platform: clock,
    limitMs: 1000,
    async write() {
      // Each is requested while a batch of one waits for the database.
      if (++writes === 1) items.push(all.run(2), all.run(3), all.run(4));
      now += 1000;
      throw new Error('silent');
    },
  });
  const items = [all.run(1)];
  await Promise.allSettled(items);
  const results = await Promise.allSettled(items);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'rejected'],
  );
  assert.equal(now, 1000);
});

test('what is requested while a batch is written is the next one; an item that may wait does, unless it is hurried', async () => {
  /** @type {number[][]} */
  const batches = [];
  const writing = Promise.withResolvers();
  /** @type {[number, () => void][]} */
  const timers = [];
  const clock = {
    soon: (callback) => queueMicrotask(callback),
    now: () => 0,
    after(ms, callback) {
      timers.push([ms, callback]);
      return () => {};
    },
  };
  const all = new Batches({
    platform: clock,
    async write(items) {
      batches.push(items);
      if (batches.length === 1) await writing.promise;
      return items;
    },
  });
  const first = all.run(1);
  await Promise.resolve();
  const others = [all.run(2), all.run(3, 10)];
  writing.resolve(undefined);
  assert.deepEqual(await Promise.all([first, ...others]), [1, 2, 3]);
  const patient = all.run(4, 10);
  assert.deepEqual(
    timers.map(([ms]) => ms),
    [10],
  );
  timers[0]?.[1]();
  await patient;
  all.hurry();
  const drained = all.run(5, 10);
  await all.drain();
  assert.deepEqual(batches, [[1], [2, 3], [4], [5]]);
  await drained;
});
