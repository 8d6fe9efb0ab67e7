/**
 * Runs parts of tests/parts.mjs, one after the other: `node tests/runner/main.mjs test`, `all`, `check` or `nightly`.
 * ONLY names parts or paths: `ONLY=client`, `ONLY=tests/client/batch.test.mjs`, `ONLY=www/client`. Continues after a failure,
 * and fails at the end. Records the time of each part and test in target/test-times.json; LIMITS=strict fails if a part takes
 * longer than its limit in tests/limits.json.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, target } from '../../scripts/places.mjs';
import { fail } from '../../scripts/run.mjs';
import { NEEDS, PARTS } from '../parts.mjs';
import { runStep } from './steps.mjs';
import { select } from './select.mjs';
import { isOverLimit, summary } from './summary.mjs';

const [group = 'test'] = process.argv.slice(2);
const limits = JSON.parse(readFileSync(join(root, 'tests/limits.json'), 'utf8'));
const selected = select(PARTS, group, process.env.ONLY);
if (selected.length === 0)
  fail(`No part has the name or the path ${process.env.ONLY}. Parts: ${PARTS.map(({ name }) => name).join(', ')}`);

const prepared = new Set();
const results = [];
for (const part of selected) {
  for (const need of part.needs ?? []) await prepare(need);
  results.push(await run(part, limits[part.name]));
}
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'test-times.json'), `${JSON.stringify(results, null, 1)}\n`);
console.log(summary(results));
const isLate = process.env.LIMITS === 'strict' && results.some(isOverLimit);
process.exitCode = isLate || results.some(({ failed }) => failed) ? 1 : 0;

/** Does what several parts need once: builds the package, for instance. Nothing can run without it, so a failure ends the run. */
async function prepare(need) {
  if (prepared.has(need)) return;
  prepared.add(need);
  const { needs = [], steps } = NEEDS[need];
  for (const other of needs) await prepare(other);
  const result = await run({ name: need, steps });
  results.push(result);
  if (result.failed) fail(`\n${need} failed`);
}

async function run({ name, steps }, limit) {
  process.stdout.write(name.padEnd(24));
  const start = process.hrtime.bigint();
  /** @type {import('./summary.mjs').Result} */
  const result = { name, seconds: 0, limit, failed: false, printed: '', tests: [] };
  for (const step of steps) {
    const { failed, printed, tests, notRun } = await runStep(step, limit);
    result.failed ||= failed;
    result.tests.push(...tests);
    result.notRun ??= notRun;
    result.printed += printed;
  }
  result.seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const count = result.tests.length > 0 ? `${result.tests.length} tests` : '';
  console.log(`${count.padStart(12)}${result.seconds.toFixed(1).padStart(8)} s${result.failed ? '   FAILED' : ''}`);
  if (result.printed.trim()) console.log(result.printed.trimEnd());
  return result;
}
