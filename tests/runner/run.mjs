/**
 * Runs the parts of tests/parts.json: `node tests/runner/run.mjs check`, `test`, `all` or `nightly`. ONLY names parts of any
 * command, files or folders of tests: `ONLY=client`, `ONLY=tests/client/retry.test.mjs`. LOAD=2 runs two busy loops for each core
 * beside them: a test that depends on the speed of the machine fails.
 *
 * Continues after a failure. At the end it prints the slowest tests, what was skipped, and what the failed parts printed.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../scripts/places.mjs';
import { fail, output } from '../../scripts/run.mjs';
import { filesOfStep, NEEDS, PARTS, VARIABLES, withFiles } from './parts.mjs';

/** @typedef {import('./parts.mjs').Part} Part */
/** @typedef {{ title: string, ms: number, skipped?: string, failure?: string }} Test */

const SLOWEST = 10;
/** A step that takes longer hangs. A first build takes minutes. */
const MINUTES = { nightly: 300 };
const OTHERS = 45;

const inParts = new Set(PARTS.flatMap(({ steps }) => steps.flatMap(filesOfStep)));
const files = output('git', ['ls-files', '*.test.mjs'], { cwd: root })?.split('\n') ?? [];
const leftOut = files.filter((file) => file && !inParts.has(file) && existsSync(join(root, file)));
if (leftOut.length > 0) fail(`No part of tests/parts.json has ${leftOut.join(', ')}`);

const [group = 'test'] = process.argv.slice(2);
/** Most parts wait for a while, for a timer, a socket or a disk: a second part uses that time. */
const LANES = 2;
const waiting = process.env.ONLY
  ? process.env.ONLY.split(/[\s,]+/)
      .filter(Boolean)
      .flatMap(named)
  : PARTS.filter((part) => part.group === group || (group === 'test' && part.group === 'check'));
for (let loops = Number(process.env.LOAD ?? 0) * availableParallelism(); loops > 0; loops--) {
  const loop = spawn(process.execPath, ['--eval', 'while (true);'], { stdio: 'ignore' });
  loop.unref();
  process.on('exit', () => loop.kill('SIGKILL'));
}
const started = performance.now();
const prepared = {};
const running = new Set();
/** Ends the programs that run, with those that they have started. @type {Set<() => void>} */
const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
process.on('exit', () => {
  for (const end of children) end();
});
/** @type {{ name: string, failed: boolean, printed: string, tests: Test[] }[]} */
const results = [];
await Promise.all(Array.from({ length: LANES }, runNext));
summarize();

/** Returns the part with a name, or those with this file of tests or with tests in this folder, each file once and nothing else. */
function named(name) {
  const part = PARTS.find((part) => part.name === name);
  if (part) return part;
  const path = name.replace(/^\.\/|\/$/g, '');
  const found = new Set();
  const isIn = (file) => (file === path || file.startsWith(`${path}/`)) && !found.has(file) && found.add(file);
  const parts = PARTS.map((part) => {
    const some = part.steps.map((step) => ({ step, files: filesOfStep(step).filter(isIn) }));
    return {
      ...part,
      steps: some.filter(({ files }) => files.length > 0).map(({ step, files }) => withFiles(step, files)),
    };
  }).filter(({ steps }) => steps.length > 0);
  if (parts.length === 0) fail(`No part and no test is ${name}. Parts: ${PARTS.map(({ name }) => name).join(', ')}`);
  return parts;
}

/** Runs the next part that waits. Cargo compiles for one at a time: beside a part that compiles, the next is one that does not. */
async function runNext() {
  for (;;) {
    const compiles = ({ needs, steps }) => needs.includes('server') || steps.some((step) => /cargo |CLIPPY/.test(step));
    const isCompiling = [...running].some(compiles);
    const at = waiting.findIndex((part) => !(isCompiling && compiles(part)));
    if (at < 0) return;
    const [part] = waiting.splice(at, 1);
    running.add(part);
    for (const need of part.needs)
      await (prepared[need] ??= run({ name: need, group: 'needs', needs: [], steps: NEEDS[need] ?? [] }));
    await run(part);
    running.delete(part);
  }
}

/** Runs the steps of a part. Nothing can run without what several parts need, so that its failure ends the run. @param {Part} part */
async function run({ name, group, steps }) {
  const start = performance.now();
  /** @type {typeof results[number]} */
  const result = { name, failed: false, printed: '', tests: [] };
  for (const step of steps) {
    const { status, printed, tests } = await runStep(step, MINUTES[group] ?? OTHERS);
    result.failed ||= status !== 0;
    result.tests.push(...tests);
    result.printed += printed;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const count = result.tests.length > 0 ? `${result.tests.length} tests` : '';
  console.log(`${name.padEnd(24)}${count.padStart(12)}${seconds.padStart(8)} s${result.failed ? '   FAILED' : ''}`);
  if (process.env.ONLY && !result.failed) process.stdout.write(result.printed);
  results.push(result);
  if (result.failed && name in NEEDS) process.exit(summarize());
}

/** @param {string} command @param {number} limit in minutes */
async function runStep(command, limit) {
  const programs = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH];
  const env = { ...process.env, ...VARIABLES, PATH: programs.join(delimiter) };
  const child = spawn(command, { shell: true, detached: true, cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  children.add(end);
  const chunks = [];
  const hang = setTimeout(() => {
    chunks.push(Buffer.from(`\nNo end after ${limit} minutes: ${command}\n`));
    end();
  }, 60_000 * limit);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(hang);
  children.delete(end);
  const lines = Buffer.concat(chunks)
    .toString()
    .split(/(?<=\n)/);
  const isOfTest = (line) => line.startsWith('{"title":');
  return {
    status,
    tests: lines.filter(isOfTest).map((line) => /** @type {Test} */ (JSON.parse(line))),
    printed: lines.filter((line) => !isOfTest(line) && !/^test .* \.\.\. ok/.test(line)).join(''),
  };
}

function summarize() {
  const tests = results.flatMap((result) => result.tests);
  const failed = results.filter((result) => result.failed);
  const skipped = tests.filter((test) => test.skipped !== undefined);
  const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  // A program that can do without something names it, and succeeds.
  const notRun = results.flatMap(({ printed }) => printed.match(/^(missing: .+|.+ did not run: .+)$/gm) ?? []);
  console.log(
    [
      ...failed.flatMap(({ name, tests, printed }) => [
        `\n✖ ${name}\n${printed.trimEnd()}`,
        ...tests.filter((test) => test.failure).map((test) => `\n✖ ${test.title}\n${test.failure}`),
      ]),
      '',
      ...slowest.map(({ ms, title }) => `${(ms / 1000).toFixed(2).padStart(8)} s  ${title}`),
      ...skipped.map((test) => `skipped: ${test.title}: ${test.skipped}`),
      ...notRun,
      `\n${tests.length} tests, ${skipped.length} skipped, ${((performance.now() - started) / 1000).toFixed(0)} s`,
      failed.length > 0 ? `FAILED: ${failed.map(({ name }) => name).join(', ')}` : 'ok',
    ].join('\n'),
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
  return process.exitCode;
}
