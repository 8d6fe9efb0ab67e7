/** The pages for contributors fit the repository: their diffs apply to it, and the files and names in them exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { applied, diffsOf, pages } from './contributing.mjs';

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
const ADDING_A_RULE = 'docs/contributing/adding-a-rule.md';
/** Without the changelog, and without generated files. */
const MOST_FILES_OF_A_RULE = 4;

describe('diffs', () => {
  for (const page of pages().filter((page) => diffsOf(read(page)).length > 0))
    test(`the diffs of ${page} apply to the files that they name, one after the other`, () => {
      for (const [file, text] of applied(read(page))) assert.notEqual(text, read(file), file);
    });

  test('the decision of the example of a rule has the number after the last one', () => {
    const numbers = (text) => [...text.matchAll(/<a id="d(\d+)">/g)].map(([, number]) => Number(number));
    const file = 'docs/reference/decisions.md';
    const changed = numbers(applied(read(ADDING_A_RULE)).get(file) ?? '');
    assert.deepEqual(changed, [...numbers(read(file)), Math.max(...numbers(read(file))) + 1]);
  });

  const page = (diff, caption = '`a.rs`:') => `${caption}\n\n\`\`\`diff\n${diff}\n\`\`\`\n`;
  const change = (...pages) => applied(pages.join('\n'), () => 'one\n\ntwo\nthree\ntwo\n').get('a.rs');

  test('the example of a rule changes at most four files by hand', () => {
    const files = [...applied(read(ADDING_A_RULE)).keys()];
    assert.ok(files.length <= MOST_FILES_OF_A_RULE, files.join(', '));
  });

  test('each diff of a page is applied to what those before it made of the file', () => {
    assert.equal(change(page(' one\n+zero\n'), page('-zero\n+0\n@@\n-three\n+3')), 'one\n0\n\ntwo\n3\ntwo\n');
  });

  for (const [what, diff, message] of [
    ['a line that is not in the file', '-four\n+4', /line 3: the diff does not apply to a\.rs: .*not in it:\nfour/],
    ['lines in another order than in the file', ' three\n one', /not in it/],
    ['lines that are in the file several times', ' two\n+2', /in it 2 times/],
    ['a hunk above the one before it', ' three\n+3\n@@\n-one', /before those of the hunk above/],
    ['nothing but new lines', '+zero', /only lines that are added/],
    ['a line without its first column', 'one\n+zero', /begins neither/],
  ])
    test(`a diff with ${what} does not apply`, () => {
      assert.throws(() => change(page(diff)), { message });
    });

  test('a diff without a line that names its file is an error', () => {
    assert.throws(() => change(page(' one', 'In `a.rs`:')), /line 3: the line before the diff names no file/);
  });
});

describe('names', () => {
  for (const page of pages()) {
    const prose = withoutFences(read(page));

    test(`every path in ${page} exists`, () => {
      const dead = prose.split('\n').flatMap((line) => deadPathsIn(line));
      assert.deepEqual(dead, []);
    });

    test(`every name that ${page} says is in a file is in it`, () => {
      assert.deepEqual(absentNamesIn(prose), []);
    });
  }

  test('each of the frequent questions of layout.md is answered by a file', () => {
    const [, table = ''] = /## Frequent questions\n\n([\s\S]*?)\n\n/.exec(read('docs/contributing/layout.md')) ?? [];
    const rows = table.split('\n').slice(2);
    assert.equal(rows.length, 20);
    for (const row of rows) assert.ok(pathsIn(row).filter(isOfRoot).length > 0, row);
  });

  test('a path that does not exist is found, and so is a name that is not in its file', () => {
    assert.deepEqual(deadPathsIn('`src/nowhere.rs`, `src/lib.rs` and `make test`'), ['src/nowhere.rs']);
    assert.deepEqual(deadPathsIn('| `node scripts/nowhere.mjs` | `target/built/` |'), ['scripts/nowhere.mjs']);
    assert.deepEqual(deadPathsIn('| `scripts/check/` | `sizes.mjs`, `nowhere.mjs` |'), ['nowhere.mjs']);
    const prose =
      'See `Parser::member` in `src/parse/record.rs`, `Parser::guest`\nin `src/parse/record.rs`, or `judges`:\n\n`src/check/rules.rs`:';
    assert.deepEqual(absentNamesIn(prose), ['guest in src/parse/record.rs', 'judges in src/check/rules.rs']);
  });
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

/**
 * Returns the names that are not in the file in which a page says they are: "`name` in `file`", or a name before a diff
 * of the file.
 */
function absentNamesIn(prose) {
  const pairs = [...prose.matchAll(/`([A-Za-z_:]+)`(?::|\s+(?:in|of))\s+`([^`\s]+\.\w+)`/g)];
  return pairs
    .filter(([, , file = '']) => existsSync(join(root, file)))
    .flatMap(([, names = '', file = '']) => names.split('::').map((name) => ({ name, file })))
    .filter(({ name, file }) => !new RegExp(`\\b${name}\\b`).test(read(file)))
    .map(({ name, file }) => `${name} in ${file}`);
}
