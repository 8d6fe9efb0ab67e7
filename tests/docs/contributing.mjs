/**
 * The diffs of the pages for contributors. The line before the fence names the file:
 *
 *     `src/check.rs`:
 *
 * A diff has one or several hunks, with `@@` between them. The lines of a hunk that are not added are lines of the file, one
 * after the other, and they are there only once. The diffs of a page are one change: each is applied to what those before it
 * made of the file.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';

export const FOLDER = 'docs/contributing';
const DIFF = /^( *)```diff.*\n([\s\S]*?)^\1```$/gm;
const CAPTION = /(?:^|\n) *`([^`\n]+)`:\n\n$/;

/** Returns the paths of the pages. */
export function pages() {
  return readdirSync(join(root, FOLDER))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${FOLDER}/${name}`);
}

/**
 * @typedef {object} Diff
 * @property {number} line where its fence begins, from 1
 * @property {string | undefined} file the file that the line before it names
 * @property {string} code
 */

/** @param {string} page @returns {Diff[]} the diffs of a page, in order */
export function diffsOf(page) {
  return [...page.matchAll(DIFF)].map(({ index, 1: indent, 2: indented = '' }) => {
    const before = page.slice(0, index);
    return {
      line: before.split('\n').length,
      file: CAPTION.exec(before)?.[1],
      code: indented.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    };
  });
}

/**
 * Returns the files that the diffs of a page change, with their new text. Throws if a diff names no file or does not apply.
 *
 * @param {string} page its text
 * @param {(file: string) => string} read
 */
export function applied(page, read = (file) => readFileSync(join(root, file), 'utf8')) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const { file, line, code } of diffsOf(page)) {
    if (file === undefined) throw new Error(`line ${line}: the line before the diff names no file`);
    const text = files.get(file) ?? read(file);
    try {
      files.set(file, patched(text, code));
    } catch (error) {
      throw new Error(`line ${line}: the diff does not apply to ${file}: ${/** @type {Error} */ (error).message}`);
    }
  }
  return files;
}

/** Returns the text of a file with the hunks of a diff. */
function patched(text, code) {
  let lines = text.split('\n');
  let from = 0;
  for (const hunk of code.replace(/\n$/, '').split(/^@@.*\n/m)) {
    const changes = hunk.replace(/\n$/, '').split('\n').map(changeOf);
    const old = changes.filter(({ kind }) => kind !== '+').map(({ line }) => line);
    const found = placesOf(lines, old);
    if (found.length === 0) throw new Error(`these lines are not in it:\n${old.join('\n')}`);
    if (found.length > 1) throw new Error(`these lines are in it ${found.length} times:\n${old.join('\n')}`);
    const [start = 0] = found;
    if (start < from) throw new Error(`these lines are before those of the hunk above:\n${old.join('\n')}`);
    const added = changes.filter(({ kind }) => kind !== '-').map(({ line }) => line);
    lines = [...lines.slice(0, start), ...added, ...lines.slice(start + old.length)];
    from = start + added.length;
  }
  return lines.join('\n');
}

/** An editor may remove the space of an empty line. */
function changeOf(line) {
  const kind = line.slice(0, 1) || ' ';
  if (!' +-'.includes(kind)) throw new Error(`a line begins neither with a space nor with + or -: ${line}`);
  return { kind, line: line.slice(1) };
}

/** Returns the indices at which lines follow one another. */
function placesOf(lines, wanted) {
  if (wanted.length === 0) throw new Error('a hunk has only lines that are added');
  return [...lines.keys()].filter((start) => wanted.every((line, index) => lines[start + index] === line));
}
