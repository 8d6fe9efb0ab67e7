/** Selects parts: by the command that runs, by a name or path, and the next one to run. */
import { dirname } from 'node:path';
import { filesOf } from './steps.mjs';

/** The groups that each command runs. `make test-all` runs `make test` first. */
const GROUPS = { check: ['check'], test: ['check', 'test'], all: ['all'], nightly: ['nightly'] };

/**
 * Returns the parts of a group, or those that `only` names in any group: names of parts, files of tests, and paths of
 * sources, separated by commas or spaces.
 */
export function select(parts, group, only = '') {
  const wanted = only
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((path) => path.replace(/^\.\/|\/$/g, ''));
  if (wanted.length === 0) return parts.filter((part) => GROUPS[group].includes(part.group));
  return wanted.flatMap((name) => {
    const named = parts.filter((part) => part.name === name);
    if (named.length > 0) return named;
    // Parts of test-all run some files again, in another Node.
    const [file] = parts.flatMap((part) => ofFile(part, name));
    return file ? [file] : about(parts, name);
  });
}

/** The part with nothing but this file of tests, or nothing. */
function ofFile(part, path) {
  const steps = part.steps
    .filter((step) => (step.folder || step.files) && filesOf(step).includes(path))
    .map((step) => ({ ...step, files: [path] }));
  return steps.length > 0 ? [{ ...part, steps }] : [];
}

/**
 * The parts that name the path, or else the nearest folder above it; for a folder that none names, those of what is in
 * it.
 */
function about(parts, path) {
  const folders = ({ of = [], steps }) => [...of, ...steps.flatMap(({ folder }) => folder ?? [])];
  for (let above = path; above !== dirname(above); above = dirname(above)) {
    const found = parts.filter((part) => folders(part).includes(above));
    if (found.length > 0) return found;
  }
  return parts.filter((part) => folders(part).some((folder) => folder.startsWith(`${path}/`)));
}

/**
 * Takes the next of the parts that wait, or `undefined` if each would only wait for one that runs: cargo compiles for one at a
 * time.
 *
 * @template {Pick<import('../parts.mjs').Part, 'needs' | 'steps'>} P
 * @param {P[]} waiting
 * @param {Set<P>} running
 */
export function takeNext(waiting, running) {
  const isCompiling = [...running].some(compiles);
  const next = waiting.findIndex((part) => !(isCompiling && compiles(part)));
  return next < 0 ? undefined : waiting.splice(next, 1)[0];
}

/** @param {Pick<import('../parts.mjs').Part, 'needs' | 'steps'>} part */
function compiles({ needs, steps }) {
  return needs?.includes('server') || steps.some(({ cargo, command }) => cargo || command?.[0] === 'cargo');
}
