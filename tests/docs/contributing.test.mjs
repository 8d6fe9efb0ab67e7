/** The pages for contributors fit the repository: their diffs apply to it, and the files in them exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { applied, pages } from './contributing.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
/** The paths that git ignores, without the slash of the root. */
const IGNORED = read('.gitignore')
  .split('\n')
  .filter(Boolean)
  .map((line) => line.replace(/^\//, ''));
/** The folders of the root that are not generated. */
const FOLDERS = new Set(
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !IGNORED.includes(`${entry.name}/`))
    .map(({ name }) => name),
);
const PATH_END = /\/$|\.(?:rs|ts|tsx|mjs|json|md|txt|toml|lock)$/;
/** For instance "`MAX_BYTES` in `src/parse.rs`". */
const NAME_IN_FILE = /`(\w+(?:::\w+)*)` in `([\w./-]+\.\w+)`/g;
const ADDING_A_RULE = 'docs/contributing/adding-a-rule.md';
/** Without the changelog, and without generated files. */
const MOST_FILES_OF_A_RULE = 4;

test('the diffs of the example of a rule apply to the files that they name, at most four', () => {
  const files = applied(read(ADDING_A_RULE));
  for (const [file, text] of files) assert.notEqual(text, read(file), file);
  assert.ok(files.size > 0 && files.size <= MOST_FILES_OF_A_RULE, [...files.keys()].join());
});

test('the decision of the example of a rule has the number after the last one', () => {
  const numbers = (text) => [...text.matchAll(/<a id="d(\d+)">/g)].map(([, number]) => Number(number));
  const file = 'docs/reference/decisions.md';
  const changed = numbers(applied(read(ADDING_A_RULE)).get(file) ?? '');
  assert.deepEqual(changed, [...numbers(read(file)), Math.max(...numbers(read(file))) + 1]);
});

for (const page of pages())
  test(`every path in ${page} exists`, () => {
    const prose = withoutFences(read(page));
    assert.deepEqual(
      prose.split('\n').flatMap((line) => deadPathsIn(line)),
      [],
    );
  });

test('what these pages call a name in a file is in that file', () => {
  const named = pages().flatMap((page) => [...withoutFences(read(page)).matchAll(NAME_IN_FILE)]);
  assert.ok(named.length >= 4);
  for (const [what, name = '', path] of named)
    for (const part of name.split('::')) assert.match(read(path), new RegExp(`\\b${part}\\b`), what);
});

test('each of the frequent questions of layout.md is answered by a file', () => {
  const [, table = ''] = /## Frequent questions\n\n([\s\S]*?)\n\n/.exec(read('docs/contributing/layout.md')) ?? [];
  const rows = table.split('\n').slice(2);
  assert.equal(rows.length, 20);
  for (const row of rows) assert.ok(pathsIn(row).filter(isOfRoot).length > 0, row);
});

function withoutFences(page) {
  return page.replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2 *$/gm, '');
}

/**
 * Returns what is in backticks and looks like a path: it ends with a slash or an extension, or begins in a folder of
 * the root.
 */
function pathsIn(line) {
  const words = [...line.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) =>
    code.startsWith('node ') ? code.split(' ') : [code],
  );
  return words.filter((word) => /^[\w.*-][\w.*/-]*$/.test(word) && (isOfRoot(word) || PATH_END.test(word)));
}

function isOfRoot(path) {
  return existsSync(join(root, path)) || (path.includes('/') && FOLDERS.has(path.split('/')[0] ?? ''));
}

/**
 * Returns the paths that lead nowhere. In a row of a table, a path may be one in a folder of the row; prose names some
 * in any folder.
 */
function deadPathsIn(line) {
  const paths = pathsIn(line);
  const folders = ['', ...(line.startsWith('|') ? paths.filter(isOfRoot) : [])];
  const checked = line.startsWith('|') ? paths.filter((path) => !isGenerated(path)) : paths.filter(isOfRoot);
  return checked.filter((path) => !folders.some((folder) => isThere(join(root, folder, path))));
}

function isThere(path) {
  return path.includes('*') ? existsSync(dirname(path.slice(0, path.indexOf('*') + 1))) : existsSync(path);
}

/** Git ignores what is generated. */
function isGenerated(path) {
  return IGNORED.some((ignored) => ignored === path || ignored.endsWith(`/${path}`) || path.startsWith(ignored));
}
