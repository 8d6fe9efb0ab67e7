/** Asserts that a seed decides everything in a world: a history that is wrong can be repeated. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { system } from './sources.mjs';
import { WORLDS } from './worlds/index.mjs';

/** @param {string} name of the world */
export function repeats(name) {
  describe(`the world ${name}`, () => {
    test('has the same history again for the same plan, and another for another seed', async () => {
      const { plan, simulate } = WORLDS[name];
      const loaded = await system();
      const [first] = fc.sample(plan, { numRuns: 1, seed: 1 });
      const once = await simulate(first, loaded);
      const again = await simulate(structuredClone(first), loaded);
      const other = await simulate({ ...first, seed: first.seed + 1 }, loaded);
      assert.deepEqual(again.history, once.history);
      assert.notDeepEqual(other.history, once.history);
    });
  });
}
