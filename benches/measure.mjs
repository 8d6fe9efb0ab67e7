/**
 * Compares the times of functions. They take turns, so that other programs disturb all of them alike, and the result is the
 * median ratio within a turn, which ignores disturbed turns.
 */

/** Short, so that many samples are undisturbed. */
const SAMPLE_MS = 4;
const TURNS = 41;
/** The time for the samples of one function: engines optimise late, and WebAssembly in threads that may be delayed. */
const LONGEST_MS = 1_200;
const WARM_MS = 250;

/**
 * Returns the median milliseconds of a call of each function, and the median ratio of the function `own` to each other one.
 *
 * @param {Record<string, () => unknown>} functions
 */
export function compare(functions, own = 'own') {
  const runs = Object.entries(functions).map(([name, work]) => ({
    name,
    work,
    ...sampleOf(work),
    times: /** @type {number[]} */ ([]),
  }));
  const slowest = Math.max(...runs.map(({ ms }) => ms));
  const turns = Math.min(TURNS, Math.max(9, Math.round(LONGEST_MS / slowest)));
  for (let turn = 0; turn < turns; turn++) {
    for (const run of runs) run.times.push(timeOf(run.work, run.calls) / run.calls);
  }
  const ownTimes = runs.filter(({ name }) => name === own).flatMap(({ times }) => times);
  const others = runs.filter(({ name }) => name !== own);
  return {
    ms: Object.fromEntries(runs.map(({ name, times }) => [name, median(times)])),
    ratio: Object.fromEntries(
      others.map(({ name, times }) => [name, median(times.map((time, turn) => ownTimes[turn] / time))]),
    ),
  };
}

/** Warms up a function; returns how many calls fill a sample, and how long a sample takes. */
function sampleOf(work) {
  let calls = 0;
  let ms = 0;
  for (const start = performance.now(); ms < WARM_MS; calls++) {
    work();
    ms = performance.now() - start;
  }
  const fit = Math.max(1, Math.round(SAMPLE_MS / (timeOf(work, calls) / calls)));
  return { calls: fit, ms: timeOf(work, fit) };
}

function timeOf(work, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) work();
  return performance.now() - start;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
