/** Reads tests/parts.json: the parts of the tests by the command that runs them, with what they need and their commands. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';

/** @typedef {{ name: string, group: string, needs: string[], steps: string[] }} Part */

/** The command of tests of Node with its flags, and what they test. */
const TESTS = /(\$TESTS(?: -\S+)*) (.*)$/;

const { variables, needs, ...groups } = JSON.parse(readFileSync(join(root, 'tests/parts.json'), 'utf8'));

/** What commands name by `$NAME`. @type {Record<string, string>} */
export const VARIABLES = variables;
/** The preparations of parts, each done once. @type {Record<string, string[]>} */
export const NEEDS = needs;
/** @type {Part[]} */
export const PARTS = Object.entries(groups).flatMap(([group, parts]) =>
  Object.entries(parts).map(([name, part]) => ({ name, group, ...part })),
);

/** Returns a file of tests, or those of a folder and of its folder `alone`, as paths of the repository. @param {string} path in tests/ */
export function filesOf(path) {
  if (path.endsWith('.mjs')) return [`tests/${path}`];
  const folders = [`tests/${path}`, `tests/${path}/alone`].filter((folder) => existsSync(join(root, folder)));
  return folders.flatMap((folder) => {
    const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.mjs'));
    return names.sort().map((name) => `${folder}/${name}`);
  });
}

/** Returns the files of tests that a step runs. @param {string} step */
export function filesOfStep(step) {
  const [, , paths = ''] = step.match(TESTS) ?? [];
  return paths.split(' ').filter(Boolean).flatMap(filesOf);
}

/** Returns the step with these files instead of its own. @param {string} step @param {string[]} files */
export function withFiles(step, files) {
  return step.replace(TESTS, `$1 ${files.map((file) => file.slice('tests/'.length)).join(' ')}`);
}
