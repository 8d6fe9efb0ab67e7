/** Tests the text that docs/generate/marked.mjs writes between the marks of a page. `make check` runs it on all pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withMarked } from '../../docs/generate/marked.mjs';

const SOURCE = `one
  // #region two
  two {
    // #region three
    three

    3
    // #endregion three
  }
  // #endregion two
four
`;
const BEGIN = (source) => `<!-- code ${source}: written by make generate -->\n`;
const END = '<!-- /code -->\n';
const written = (page) => withMarked('page.md', page, () => SOURCE);

test('a region of a file is quoted without its indentation and the marks of regions in it', () => {
  const code = 'two {\n  three\n\n  3\n}';
  assert.equal(
    written(`before\n\n${BEGIN('a.ts#two')}${END}\nafter\n`),
    `before\n\n${BEGIN('a.ts#two')}\n\`\`\`ts\n${code}\n\`\`\`\n\n${END}\nafter\n`,
  );
});

test('without a region, the whole file is quoted', () => {
  assert.match(written(`${BEGIN('a.rb{ruby}')}${END}`), /```ruby\none\n {2}two \{\n[^#]*\nfour\n```/);
});

test('a quote that is out of date is replaced, and one that is not stays as it is', () => {
  const current = written(`${BEGIN('a.vue#three{ts}')}${END}`);
  assert.match(current, /```ts\nthree\n\n3\n```/);
  assert.equal(written(current.replace('three\n\n', 'third\n')), current);
  assert.equal(written(current), current);
});

for (const [what, page, message] of [
  ['a region that the file does not have', BEGIN('a.ts#five') + END, /a\.ts has no region five/],
  ['a mark without a file', BEGIN('#two') + END, /no file: #two/],
  ['a mark that is not closed', BEGIN('a.ts#two') + BEGIN('a.ts#three') + END, /page\.md: 2 marks begin, 1 end/],
  [
    'a mark of something unknown',
    '<!-- prices: written by make generate -->\n<!-- /prices -->\n',
    /nothing writes .*prices/,
  ],
  ['code that only the site includes', '<<< @/../a.ts#two\n', /a code host does not show/],
])
  test(`${what} is an error`, () => {
    assert.throws(() => written(page), { message });
  });
