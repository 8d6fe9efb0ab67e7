/** The end of a run: the time of each part beside its limit, the slowest tests, what was skipped, and what failed. */

const SLOWEST = 10;
/** Lines of what a failure said: the whole is printed where its part ended, and may be far above. */
const LINES_OF_FAILURE = 8;

/**
 * @typedef {{ file?: string, name: string, ms: number, passed: boolean, skipped?: string, error?: string }} Test
 * @typedef {{ name: string, seconds: number, limit?: number, failed: boolean, notRun?: string, printed: string, tests: Test[] }} Result
 */

/**
 * @param {Result[]} results
 * @param {number} wall the seconds of the whole run
 */
export function summary(results, wall) {
  const tests = results.flatMap((result) => result.tests);
  const slowest = [...tests].sort((a, b) => b.ms - a.ms);
  const skipped = tests.filter((test) => test.skipped !== undefined);
  const late = results.filter(isOverLimit);
  const failed = results.filter((result) => result.failed);
  return [
    '',
    ...slowest.slice(0, SLOWEST).map((test) => `${seconds(test.ms / 1000)}  ${titleOf(test)}`),
    ...skipped.map((test) => `skipped: ${titleOf(test)}: ${test.skipped}`),
    ...results.filter(({ notRun }) => notRun).map(({ name, notRun }) => `not run: ${name}: ${notRun}`),
    ...late.map(
      ({ name, seconds, limit }) =>
        `${name} took ${seconds.toFixed(1)} s: its limit in tests/limits.json is ${limit} s`,
    ),
    ...failed.flatMap(failures),
    '',
    `${tests.length} tests, ${skipped.length} skipped, ${wall.toFixed(0)} s`,
    failed.length > 0 ? `FAILED: ${failed.map(({ name }) => name).join(', ')}` : 'ok',
  ].join('\n');
}

/**
 * Returns each failed test of a part with its message, or the end of what a part without such a test printed.
 *
 * @param {Result} result
 */
function failures({ name, tests, printed }) {
  const failed = tests.filter((test) => !test.passed);
  if (failed.length === 0)
    return [`\n✖ ${name}`, ...printed.trimEnd().split('\n').slice(-LINES_OF_FAILURE).map(indented)];
  return failed.flatMap((test) => [
    `\n✖ ${titleOf(test)}`,
    ...(test.error ?? '').trimEnd().split('\n').slice(0, LINES_OF_FAILURE).map(indented),
  ]);
}

/** @param {Result} result */
export const isOverLimit = ({ seconds, limit }) => limit !== undefined && seconds > limit;

const indented = (line) => `  ${line}`;
const seconds = (value) => `${value.toFixed(2).padStart(8)} s`;
/** @param {Test} test */
const titleOf = ({ file, name }) => [file, name].filter(Boolean).join('  ');
