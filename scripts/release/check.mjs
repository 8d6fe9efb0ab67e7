/**
 * Checks, before anything is published, that a tag can be released: `node scripts/release/check.mjs v0.4.0`. In a workflow,
 * GITHUB_REPOSITORY is the repository that Cargo.toml must name, or npm would refuse the provenance.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fieldOfCrate } from '../build/core.mjs';
import { root } from '../places.mjs';
import { fail } from '../run.mjs';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tag] = process.argv.slice(2);
  const problems = problemsOf(root, tag, process.env.GITHUB_REPOSITORY);
  if (problems.length > 0) fail(`${tag} can't be released:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  console.log(`${tag}: the tag, Cargo.toml and CHANGELOG.md agree`);
}

/** Returns what is wrong with a release of `tag` from these sources, in sentences. */
export function problemsOf(folder, tag, repository) {
  const read = (path) => readFileSync(join(folder, path), 'utf8');
  const version = fieldOfCrate('version', folder);
  const [heading = ''] = read('CHANGELOG.md').match(/^## .*$/m) ?? [];
  const problems = [];
  if (tag !== `v${version}`) problems.push(`the tag is ${tag}, and the version in Cargo.toml is ${version}`);
  if (!/^## \S+ \(\d{4}-\d\d-\d\d\)$/.test(heading) || heading.split(' ')[1] !== version)
    problems.push(`the first heading of CHANGELOG.md is "${heading}", not "## ${version} (YYYY-MM-DD)"`);
  if (repository === undefined) return problems;
  const expected = `https://github.com/${repository}`;
  const named = fieldOfCrate('repository', folder);
  if (named !== expected) problems.push(`the repository in Cargo.toml is ${named ?? 'missing'}, not ${expected}`);
  return problems;
}
