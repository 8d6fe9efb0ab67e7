/** Asserts that the simulation finds planted bugs. With PRINT=1, prints how many runs it took. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate, WrongHistory } from './runs.mjs';
import { system } from './sources.mjs';

/**
 * @param {Record<string, import('./planted.mjs').Planted>} planted
 * @param {number} most runs
 */
export function findsAll(planted, most) {
  for (const [name, { worlds, plants, seed }] of Object.entries(planted)) {
    test(name, async () => {
      const options = { seed, runs: most, worlds, isShrunk: false };
      const { figures, wrong } = await simulate(await system(plants), options);
      assert.ok(wrong, `not in ${figures.runs} runs`);
      // A bug that breaks the simulation itself is not found by it.
      assert.ok(wrong.error instanceof WrongHistory, wrong.error);
      if (!process.env.PRINT) return;
      const [problem] = wrong.error.message.split('\n');
      console.log(`${String(figures.runs).padStart(5)} runs: ${name}\n             ${problem.slice(0, 150)}`);
    });
  }
}
