/** The program that runs the tests: what it selects, what counts as a failure, and what it records. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { NEEDS, PARTS } from '../parts.mjs';
import { select, takeNext } from '../runner/select.mjs';
import { filesOf, patienceFor, runStep } from '../runner/steps.mjs';
import { summary } from '../runner/summary.mjs';

const folder = mkdtempSync(join(tmpdir(), 'runner-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a file of tests with this content. */
function runFile(content) {
  const file = join(folder, 'a.test.mjs');
  writeFileSync(file, `import { describe, test } from 'node:test';\n${content}`);
  // Node's test runner does not run inside a test otherwise.
  return runStep({ files: [file], env: { NODE_TEST_CONTEXT: undefined } });
}

const names = (parts) => parts.map(({ name }) => name);

test('make test runs what make check runs, and make test-all nothing of it a second time', () => {
  const [check, tests, all] = ['check', 'test', 'all'].map((group) => names(select(PARTS, group)));
  assert.ok(check.length > 0 && tests.length > check.length && all.length > 0);
  for (const name of check) assert.ok(tests.includes(name), name);
  for (const name of all) assert.ok(!tests.includes(name), name);
});

test('no two parts have the same name', () => {
  assert.equal(new Set(names(PARTS)).size, PARTS.length);
});

test('every file, folder and script that a part names exists, and every part has a limit', () => {
  const limits = JSON.parse(readFileSync(join(root, 'tests/limits.json'), 'utf8'));
  assert.deepEqual(Object.keys(limits).sort(), names(PARTS).sort());
  for (const { name, steps } of [...PARTS, ...Object.entries(NEEDS).map(([name, need]) => ({ name, ...need }))]) {
    for (const step of steps) {
      const [program, script] = step.command ?? [];
      const paths = step.command ? [program === 'node' ? script : 'Makefile'] : step.cargo ? [] : filesOf(step);
      assert.ok(step.cargo || step.mayBeMissing || paths.length > 0, `${name}: ${step.folder}`);
      for (const path of paths) assert.ok(existsSync(join(root, path)), `${name}: ${path}`);
    }
  }
});

test('a name selects a part of any command, whichever runs', () => {
  assert.deepEqual(names(select(PARTS, 'test', 'client, service')), ['client', 'service']);
});

test('while a part compiles with cargo, the next is one that does not, and none if all that wait do', () => {
  /** @typedef {Pick<import('../parts.mjs').Part, 'needs' | 'steps'>} Part */
  const compiling = /** @type {Part} */ ({ steps: [{ cargo: ['--lib'] }] });
  const withServer = /** @type {Part} */ ({ needs: ['server'], steps: [] });
  const other = /** @type {Part} */ ({ steps: [{ folder: 'tests/client' }] });
  const waiting = [withServer, other];
  assert.equal(takeNext(waiting, new Set([compiling])), other);
  assert.equal(takeNext(waiting, new Set([compiling])), undefined);
  assert.equal(takeNext(waiting, new Set([other])), withServer);
  assert.deepEqual(waiting, []);
});

test('a file of tests is run alone', () => {
  const [part, ...others] = select(PARTS, 'test', './tests/client/retry.test.mjs');
  assert.deepEqual(others, []);
  assert.deepEqual(
    part.steps.map(({ files }) => files),
    [['tests/client/retry.test.mjs']],
  );
});

test('a folder of sources selects the parts that are about it', () => {
  assert.ok(names(select(PARTS, 'test', 'www/client/')).includes('client'));
  assert.deepEqual(names(select(PARTS, 'test', 'src/code.rs')), ['clippy', 'rust']);
  assert.ok(names(select(PARTS, 'test', 'service/src/http.rs')).includes('service'));
});

test('a name that no part has selects nothing', () => {
  assert.deepEqual(select(PARTS, 'test', 'klient'), []);
  assert.deepEqual(select(PARTS, 'test', '/klient/a'), []);
});

test('a failure is printed with its title, and with what its file wrote', async () => {
  const { failed, printed, tests } = await runFile(`
    console.log('a line of the file');
    describe('an order', () => {
      test('is sent', () => {});
      test('is sent once', () => { throw new Error('it was sent twice'); });
    });`);
  assert.equal(failed, true);
  assert.match(printed, /an order › is sent once\n.*it was sent twice/);
  assert.match(printed, /a line of the file/);
  assert.deepEqual(
    tests.map(({ name, passed, error }) => [name, passed, error]),
    [
      ['an order › is sent', true, undefined],
      ['an order › is sent once', false, 'it was sent twice'],
    ],
  );
});

test('a file that passes prints nothing', async () => {
  const { failed, printed } = await runFile(`console.log('noise'); test('passes', () => {});`);
  assert.deepEqual([failed, printed], [false, '']);
});

test('a file that cannot be loaded is a failure', async () => {
  const { failed, printed } = await runFile('this is not JavaScript');
  assert.equal(failed, true);
  assert.match(printed, /SyntaxError/);
});

test('a step without tests is a failure', async () => {
  assert.equal((await runFile('')).tests.length, 1, 'Node reports a file without tests as one test');
  assert.equal((await runStep({ folder: 'tests/no-such-subject' })).failed, true);
  assert.equal((await runStep({ folder: 'tests/no-such-subject', mayBeMissing: true })).failed, false);
});

test('a hint shows what is printed and does not fail', async () => {
  const step = { command: ['node', '--eval', 'console.log("a word"); process.exitCode = 1'] };
  assert.equal((await runStep(step)).failed, true);
  const { failed, printed } = await runStep({ ...step, isHint: true });
  assert.deepEqual([failed, printed], [false, 'a word\n']);
});

test('a step that hangs is ended, with its child processes', async () => {
  const hangs = `require('node:child_process').spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' })`;
  const { failed, printed } = await runStep({ command: ['node', '--eval', hangs] }, 60, 1);
  assert.equal(failed, true);
  assert.match(printed, /No end after 1 s/);
});

test('a step that is to take longer is ended later', () => {
  const waits = (seconds) => patienceFor(95, { env: { SECONDS: seconds } }) - Number(seconds);
  assert.ok(waits('600') >= 300);
  assert.equal(waits('600'), waits('20'));
});

test('the end of a run lists slow and skipped tests, parts over their limit, and what failed, with its message', () => {
  const slow = { file: 'tests/a.test.mjs', name: 'is slow', ms: 1234, passed: true };
  const skipped = { name: 'needs fish', ms: 0, passed: true, skipped: 'fish is missing' };
  const lost = { name: 'is lost', ms: 1, passed: false, error: 'not within 5 s: created\n+ expected' };
  const parts = [
    { name: 'cli', seconds: 70.04, limit: 60, failed: false, printed: '', tests: [skipped, slow] },
    { name: 'rust', seconds: 0, failed: false, notRun: 'Rust is missing', printed: '', tests: [] },
    { name: 'client', seconds: 5, limit: 30, failed: true, printed: 'all that it printed', tests: [lost] },
    { name: 'clippy', seconds: 5, limit: 30, failed: true, printed: 'Checking\nerror: unused\n', tests: [] },
  ];
  const text = summary(parts, 42);
  assert.match(text, /1\.23 s {2}tests\/a\.test\.mjs {2}is slow/);
  assert.match(text, /skipped: needs fish: fish is missing/);
  assert.match(text, /not run: rust: Rust is missing/);
  assert.match(text, /cli took 70\.0 s: its limit in tests\/limits\.json is 60 s/);
  assert.match(
    text,
    /✖ is lost\n {2}not within 5 s: created\n {2}\+ expected\n\n✖ clippy\n {2}Checking\n {2}error: unused\n/,
  );
  assert.match(text, /3 tests, 1 skipped, 42 s\nFAILED: client, clippy$/);
});
