/**
 * The package as it is published, in every runtime and bundler of matrix.mjs; a run of all that passes writes the table of
 * docs/reference/runtimes.md. `EVERYWHERE=quick` takes the environments that need little time.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkConnections } from '../client/connection-cases.mjs';
import { nodeOf } from '../../scripts/node.mjs';
import { expected } from './expected.mjs';
import { matrix } from './matrix.mjs';
import { installTools, pinnedVersion, program, projectOf } from './projects.mjs';
import { tableOf, writeTable, writtenTable, writtenVersions } from './table.mjs';

const quick = process.env.EVERYWHERE === 'quick';
const passed = new Set();

before(() => installTools({ quick }));

for (const environment of quick ? matrix.filter((each) => each.quick) : matrix) {
  const { where, how, run, expect = expected } = environment;
  test(`${where}: ${how}`, { timeout: 300_000 }, async () => {
    assert.deepEqual(await run(projectOf(environment)), expect);
    passed.add(environment);
  });
}

const RUNTIMES = [
  ...[20, 22, 24, 26].map((major) => ({ where: `Node ${major}`, command: () => [nodeOf(major)], expects: {} })),
  {
    where: 'Deno',
    command: () => [program('deno'), 'run', '--allow-net', '--allow-env'],
    expects: { codes: false },
  },
  { where: 'Bun', command: () => [program('bun'), 'run'], expects: { isBun: true } },
];
for (const { where, command, expects } of RUNTIMES) {
  test(`${where}: a connection that fails before the request is sent is not-created, one that fails later unknown`, async () => {
    const folder = projectOf({ where: `${where} connections` });
    await checkConnections([...command(), 'connections.mjs'], folder, expects);
  });
}

test('the table of runtimes has every environment, with the versions of the lock files', { skip: !quick }, () => {
  // Browsers are those of the machine, so their versions are those of the run that wrote it.
  const pinned = versionsOf(matrix.filter(({ tool }) => tool));
  assert.equal(writtenTable(), tableOf(matrix, { ...writtenVersions(), ...pinned }));
});

after(() => {
  if (matrix.every((each) => passed.has(each))) writeTable(tableOf(matrix, versionsOf(matrix)));
});

function versionsOf(environments) {
  return Object.fromEntries(
    environments.map(({ where, tool, version }) => [where, version?.() ?? pinnedVersion(tool)]),
  );
}
