/**
 * Runs tests of Node: `node tests/runner/tests.mjs client outbox/gates.test.mjs`, files and folders of tests/, by a Node with
 * SQLite. ON_NODE=20 takes another one. Flags are those of Node. The files of a folder run at the same time, those of its folder
 * `alone` one by one.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { nodeOf, nodeWithSqlite } from '../../scripts/node.mjs';
import { root } from '../../scripts/places.mjs';
import { fail } from '../../scripts/run.mjs';
import { filesOf } from './parts.mjs';

const args = process.argv.slice(2);
const flags = args.filter((arg) => arg.startsWith('-'));
const files = args.filter((arg) => !arg.startsWith('-')).flatMap(filesOf);
if (files.length === 0) fail(`there are no tests in ${args.join(' ')}`);
const { ON_NODE } = process.env;
const node = ON_NODE ? nodeOf(Number(ON_NODE)) : nodeWithSqlite();
const isAlone = (file) => file.includes('/alone/');

// Another part runs beside this one.
test(
  files.filter((file) => !isAlone(file)),
  availableParallelism(),
);
test(files.filter(isAlone), 1);

function test(some, atOnce) {
  if (some.length === 0) return;
  const options = [`--test-concurrency=${atOnce}`, '--test-reporter=./tests/runner/reporter.mjs'];
  const { status } = spawnSync(node, [...flags, '--test', ...options, ...some], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
