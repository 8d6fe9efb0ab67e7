/**
 * The package from its tarball, in every runtime and bundler that the documentation promises; a run of all that passes
 * writes the table of docs/reference/runtimes.md. `EVERYWHERE=quick` takes the cases that need little time.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bundlers } from '../bundlers/cases.mjs';
import { runtimes } from '../runtimes/cases.mjs';
import { expected } from './expected.mjs';
import { pinnedVersion, projectOf } from './project.mjs';
import { tableOf, writeTable, writtenTable, writtenVersions } from './table.mjs';

/**
 * @typedef {object} Case
 * @property {string} where
 * @property {string} how
 * @property {string} project
 * @property {string} [tool]
 * @property {boolean | string} [quick]
 * @property {object} [expect]
 * @property {() => string} [version]
 * @property {(folder: string) => Promise<unknown>} run
 */

/** @type {Case[]} */
const every = [...runtimes, ...bundlers];
const quick = process.env.EVERYWHERE === 'quick';
const all = every.filter((each) => each.quick !== 'only');
const cases = quick ? every.filter((each) => each.quick) : all;
const passed = new Set();

for (const each of cases) {
  const { where, how, project, run, expect = expected } = each;
  test(`${where}: ${how}`, { timeout: 300_000 }, async () => {
    assert.deepEqual(await run(await projectOf(project)), expect);
    passed.add(each);
  });
}

if (quick) {
  test('the table of runtimes has every case, with the versions of the lockfiles', () => {
    // Browsers are those of the machine, so their versions are those of the run that wrote it.
    assert.equal(writtenTable(), tableOf(all, { ...writtenVersions(), ...versionsOf(all.filter(({ tool }) => tool)) }));
  });
}

after(() => {
  if (all.every((each) => passed.has(each))) writeTable(tableOf(all, versionsOf(all)));
});

function versionsOf(cases) {
  return Object.fromEntries(
    cases.map(({ where, project, tool, version }) => [where, version?.() ?? pinnedVersion(project, tool)]),
  );
}
