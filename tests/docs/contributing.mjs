/**
 * The diffs of the pages for contributors. The line before the fence names the file: `src/check.rs`:
 *
 * A diff has one or several hunks, with `@@` between them. The lines of a hunk that are not added are in the file, one after
 * the other, and only once. Each diff of a page is applied to what those before it made of the file.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';

export const FOLDER = 'docs/contributing';
const DIFF = /`([^`\n]+)`:\n\n( *)```diff.*\n([\s\S]*?)^\2```$/gm;

/** Returns the paths of the pages. */
export function pages() {
  const names = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${FOLDER}/${name}`);
}

/** Returns the files that the diffs of a page change, with their new text. Throws if a diff does not apply. @param {string} page its text */
export function applied(page) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const [, file = '', indent, indented = ''] of page.matchAll(DIFF)) {
    let text = files.get(file) ?? readFileSync(join(root, file), 'utf8');
    for (const hunk of indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '').split(/^@@.*\n/m)) {
      const without = (sign) => hunk.replaceAll(new RegExp(`^\\${sign}.*\\n`, 'gm'), '').replaceAll(/^[ +-]/gm, '');
      const [before, after, ...others] = text.split(without('+'));
      if (after === undefined || others.length > 0)
        throw new Error(`${file} does not have this once:\n${without('+')}`);
      text = before + without('-') + after;
    }
    files.set(file, text);
  }
  return files;
}
