/**
 * Runs parts of tests/parts.mjs, two at a time: `node tests/runner/main.mjs test`, `all`, `check` or `nightly`.
 * ONLY names parts or paths: `ONLY=client`, `ONLY=tests/client/batch.test.mjs`, `ONLY=www/client`. LANES=1 runs one
 * part after the other. Continues after a failure, and fails at the end. Records the time of each part and test in
 * target/test-times.json; LIMITS=strict fails if a part takes longer than its limit in tests/limits.json.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, target } from '../../scripts/places.mjs';
import { fail } from '../../scripts/run.mjs';
import { NEEDS, PARTS } from '../parts.mjs';
import { runStep } from './steps.mjs';
import { select, takeNext } from './select.mjs';
import { isOverLimit, summary } from './summary.mjs';

const [group = 'test'] = process.argv.slice(2);
const limits = JSON.parse(readFileSync(join(root, 'tests/limits.json'), 'utf8'));
const selected = select(PARTS, group, process.env.ONLY);
if (selected.length === 0)
  fail(`No part has the name or the path ${process.env.ONLY}. Parts: ${PARTS.map(({ name }) => name).join(', ')}`);

/** Most parts wait for a while, for a timer or a socket: a second part uses that time. A third would only compete with them. */
const lanes = Number(process.env.LANES ?? (group === 'nightly' ? 1 : 2));
const start = process.hrtime.bigint();
const prepared = new Map();
const results = [];
const waiting = inOrder(selected);
const running = new Set();
await Promise.all(Array.from({ length: lanes }, runNext));
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'test-times.json'), `${JSON.stringify(results, null, 1)}\n`);
console.log(summary(results, secondsSince(start)));
const isLate = process.env.LIMITS === 'strict' && results.some(isOverLimit);
process.exitCode = isLate || results.some(({ failed }) => failed) ? 1 : 0;

/** Checks first, since they are quick to fail; then the longest parts, so that no long one is left for the end. */
function inOrder(parts) {
  const rank = ({ name, group }) => (group === 'check' ? Number.POSITIVE_INFINITY : limits[name]);
  return process.env.ONLY ? parts : parts.toSorted((a, b) => rank(b) - rank(a) || 0);
}

async function runNext() {
  for (let part = takeNext(waiting, running); part; part = takeNext(waiting, running)) {
    running.add(part);
    for (const need of part.needs ?? []) await prepare(need);
    results.push(await run(part, limits[part.name]));
    running.delete(part);
  }
}

/**
 * Does what several parts need once: builds the package, for instance. Nothing can run without it, so a failure ends
 * the run.
 */
function prepare(need) {
  const started = prepared.get(need) ?? prepareOnce(need);
  prepared.set(need, started);
  return started;
}

async function prepareOnce(need) {
  const { needs = [], steps } = NEEDS[need];
  for (const other of needs) await prepare(other);
  const result = await run({ name: need, steps });
  results.push(result);
  if (result.failed) fail(`\n${need} failed`);
}

async function run({ name, steps }, limit) {
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
  result.seconds = secondsSince(start);
  const count = result.tests.length > 0 ? `${result.tests.length} tests` : '';
  const columns = `${name.padEnd(24)}${count.padStart(12)}${result.seconds.toFixed(1).padStart(8)} s`;
  console.log(`${columns}${result.failed ? '   FAILED' : ''}`);
  if (result.printed.trim()) console.log(result.printed.trimEnd());
  return result;
}

/** @param {bigint} start */
function secondsSince(start) {
  return Number(process.hrtime.bigint() - start) / 1e9;
}
