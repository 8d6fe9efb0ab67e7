/** Runs one step of a part: tests of Node, tests of Rust, or any other command. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeOf, nodeWithSqlite } from '../../scripts/node.mjs';
import { root } from '../../scripts/places.mjs';
import { programOf } from '../../scripts/run.mjs';

/**
 * A step is one of these:
 * - `command`: a program with its arguments; `node` is the Node that runs this script.
 * - `cargo`: arguments of `cargo test`, `filter` those of the tests.
 * - `folder`: the folder of tests of Node (`*.test.mjs`); or `files`.
 *
 * @typedef {object} Step
 * @property {string[]} [command]
 * @property {string[]} [cargo]
 * @property {string[]} [filter]
 * @property {string} [folder]
 * @property {string[]} [files]
 * @property {number} [node] the major version that runs the tests; by default one with node:sqlite
 * @property {string[]} [flags] of Node
 * @property {number} [atOnce] how many files run at the same time
 * @property {boolean} [postgres] runs on a private PostgreSQL
 * @property {boolean} [mayBeMissing] has nothing to run if its folder is missing
 * @property {boolean} [isHint] is no failure, whatever its result
 * @property {boolean} [shows] what it prints is shown, although it has succeeded
 * @property {Record<string, string | undefined>} [env]
 */

/** Returns the number of seconds after which a step counts as hung. SECONDS is how long it is to take at least. */
export const patienceFor = (limit, { env } = /** @type {Step} */ ({})) =>
  Math.max(300, 5 * limit) + Number(env?.SECONDS ?? 0);

/**
 * Runs a step, and returns its tests, and what it printed unless it passed.
 *
 * @param {Step} step
 * @param {number} [limit] seconds; a preparation has none, and compiles for minutes
 * @param {number} [patience] seconds
 */
export async function runStep(step, limit = 240, patience = patienceFor(limit, step)) {
  const isOfNode = !step.command && !step.cargo;
  if (isOfNode && filesOf(step).length === 0) {
    const failed = !step.mayBeMissing;
    return { failed, printed: failed ? `${step.folder} has no tests\n` : '', tests: [] };
  }
  const [program, ...args] = commandOf(step);
  if (program === 'cargo' && !hasRust()) return { failed: false, printed: '', tests: [], notRun: 'Rust is missing' };
  const records = mkdtempSync(join(tmpdir(), 'tests-'));
  const file = join(records, 'tests.jsonl');
  const { status, printed } = await execute(program, args, { ...process.env, ...step.env, TESTS: file }, patience);
  const ran = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  rmSync(records, { recursive: true });
  const failed = (status !== 0 && !step.isHint) || (isOfNode && ran.length === 0);
  // A program that can do without something says so and succeeds: the summary repeats it.
  const notRun = printed.match(/^.+ did not run: .+$/m)?.[0];
  const tests = [...ran, ...testsOfRust(printed)];
  if (status === 0 && !failed) return { failed, printed: step.shows ? printed : '', tests, notRun };
  return { failed, printed: step.cargo ? withoutPassed(printed) : printed, tests, notRun };
}

/** Without Rust, a change of TypeScript can be tested, on a core that was built elsewhere. */
const hasRust = () => programOf('CARGO', 'cargo') !== undefined;

/**
 * Returns the files of a step with tests of Node.
 *
 * @param {Step} step
 */
export function filesOf({ folder, files }) {
  if (files) return files;
  if (!folder || !existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.test.mjs'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function commandOf(step) {
  const command = step.command ? withNode(step.command) : step.cargo ? cargoTest(step) : nodeTest(step);
  return step.postgres ? [process.execPath, 'scripts/with-postgres.mjs', ...command] : command;
}

const withNode = ([program, ...args]) => [program === 'node' ? process.execPath : program, ...args];

function nodeTest(step) {
  const node = step.node ? nodeOf(step.node) : nodeWithSqlite();
  const reporter = ['--test-reporter=./tests/runner/reporter.mjs', '--test-reporter-destination=stdout'];
  // Another part runs beside this one.
  const atOnce = `--test-concurrency=${step.atOnce ?? availableParallelism()}`;
  return [node, ...(step.flags ?? []), '--test', atOnce, ...reporter, ...filesOf(step)];
}

/**
 * The times of tests are an unstable option of Rust's test harness, which this variable turns on: for it alone, not for
 * rustc.
 */
function cargoTest({ cargo, filter = [] }) {
  const runner = 'target."cfg(all())".runner=["env","RUSTC_BOOTSTRAP=1"]';
  return [
    'cargo',
    'test',
    '--locked',
    '--config',
    runner,
    ...cargo,
    '--',
    '-Zunstable-options',
    '--report-time',
    ...filter,
  ];
}

const RUST_TEST = /^test (\S+(?: - .*)?) \.\.\. (ok|FAILED|ignored)(?:.*<([\d.]+)s>)?/gm;

function testsOfRust(printed) {
  return [...printed.matchAll(RUST_TEST)].map(([, name, result, seconds]) => ({
    name,
    ms: Number(seconds ?? 0) * 1000,
    passed: result !== 'FAILED',
    skipped: result === 'ignored' ? 'ignored' : undefined,
  }));
}

const withoutPassed = (printed) => printed.replace(/^test .* \.\.\. ok.*\n/gm, '');

/** Groups of processes that run: an interrupted run ends them. */
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    running.forEach(endGroup);
    process.kill(process.pid, signal);
  });
}

/** @returns {Promise<{ status: number | null, printed: string }>} */
function execute(program, args, env, patience) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    let ending = '';
    const hang = setTimeout(() => {
      ending = `\nNo end after ${patience} s: ${[program, ...args].join(' ')}\n`;
      endGroup(child.pid);
    }, patience * 1000);
    running.add(child.pid);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    const end = (status, more = '') => {
      clearTimeout(hang);
      running.delete(child.pid);
      resolve({ status, printed: Buffer.concat(chunks).toString() + ending + more });
    };
    child.on('error', (error) => end(1, `${program} could not be run: ${error.message}\n`));
    child.on('close', (status) => end(ending ? 1 : status));
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
