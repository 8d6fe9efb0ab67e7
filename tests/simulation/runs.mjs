/** Simulates run after run from one seed, until a history is wrong or the time is over. */
import fc from 'fast-check';
import { check } from './checker.mjs';
import { USUAL, WORLDS } from './worlds/index.mjs';

/** How long to look for a shorter history than the first one that is wrong. */
const SHRINKING_MS = 60_000;

/** A run whose history is wrong. */
export class WrongHistory extends Error {
  constructor(run, problems) {
    super(problems.map(({ orderId, problem }) => (orderId ? `${orderId} ${problem}` : problem)).join('\n'));
    this.run = run;
    this.problems = problems;
  }
}

/**
 * @param {any} system what sources.mjs returns
 * @param {{ seed: number, path?: string, ms?: number, runs?: number, worlds?: string[], isShrunk?: boolean }} options
 * @returns what the runs consisted of; and, if a history is wrong, the shortest that was found, and the path to it
 */
export async function simulate(system, options) {
  const { seed, path, ms = Number.POSITIVE_INFINITY, runs = 1_000_000_000, worlds = USUAL } = options;
  const figures = { runs: 0, orders: 0, outages: 0, kills: 0, requests: 0, hours: 0 };
  /** @type {import('fast-check').Arbitrary<any>} */
  const plans = fc.oneof(
    ...worlds.map((name) => ({
      weight: WORLDS[name].weight || 1,
      arbitrary: WORLDS[name].plan.map((plan) => ({ world: name, ...plan })),
    })),
  );
  let last = Promise.resolve();
  const one = async (plan) => {
    const run = await WORLDS[plan.world].simulate(plan, system);
    figures.runs++;
    for (const [name, number] of Object.entries(run.figures)) figures[name] += number;
    const problems = check(run);
    if (problems.length > 0) throw new WrongHistory(run, problems);
  };
  const property = fc.asyncProperty(plans, (plan) => {
    last = one(plan);
    return last;
  });
  const settings = { seed, numRuns: runs, markInterruptAsFailure: false };
  const limit = ms === Number.POSITIVE_INFINITY ? {} : { interruptAfterTimeLimit: ms };
  const first = await fc.check(property, { ...settings, ...limit, ...(path ? { path } : {}), endOnFailure: true });
  // The time was over before the first run had ended, on a busy machine: it counts too, or nothing would be tested.
  if (figures.runs === 0) await last;
  const ran = { ...figures };
  // Without a path, the time was over.
  if (!first.failed || !first.counterexamplePath) return { figures: ran, wrong: null };
  const { counterexamplePath, errorInstance } = await shortest(property, first, settings, options);
  return { figures: ran, wrong: { path: counterexamplePath, error: errorInstance } };
}

async function shortest(property, first, settings, { isShrunk = true }) {
  if (!isShrunk) return first;
  const limit = { interruptAfterTimeLimit: SHRINKING_MS };
  const shrunk = await fc.check(property, { ...settings, ...limit, path: first.counterexamplePath });
  return shrunk.failed && shrunk.errorInstance ? shrunk : first;
}
