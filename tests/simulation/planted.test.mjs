/** The simulation finds every planted bug. Prints how many runs it took: with PRINT=1, for all. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PLANTED } from './planted.mjs';
import { simulate } from './runs.mjs';
import { system } from './sources.mjs';

/** Ten times as many as any of them took with this seed. */
const MOST_RUNS = 2000;
const SEED = Number(process.env.SEED ?? 1);

describe('the simulation finds that', () => {
  for (const [name, { worlds, plants }] of Object.entries(PLANTED)) {
    test(name, async () => {
      const options = { seed: SEED, runs: MOST_RUNS, worlds, isShrunk: false };
      const { figures, wrong } = await simulate(await system(plants), options);
      assert.ok(wrong, `not in ${figures.runs} runs`);
      if (process.env.PRINT) {
        const [problem] = wrong.error.message.split('\n');
        console.log(`${String(figures.runs).padStart(5)} runs: ${name}\n             ${problem.slice(0, 150)}`);
      }
    });
  }
});
