/**
 * The Markdown of the site, for programs: each page, `llms.txt` with links to them, and `llms-full.txt` with those
 * for users.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../../scripts/places.mjs';
import { numbers, replays } from '../../testing/replays.mjs';
import { dist, documentOf, htmlFiles } from '../site.mjs';

const pages = htmlFiles()
  .filter((file) => !/^(?:playground|rust)\/|^404\.html$/.test(file))
  .map((file) => file.replace(/html$/, 'md'));
const read = (file) => readFileSync(join(dist, file), 'utf8');
const CODE = /^( *)(`{3,})[\s\S]*?^\1\2 *$|`[^`\n]+`/gm;

test('each page exists as Markdown at its address with .md, and the page says so', () => {
  assert.ok(pages.length > 200);
  for (const page of pages) {
    const heading = documentOf(page.replace(/md$/, 'html')).querySelector('h1')?.text ?? '';
    const [, title = ''] = /^# (.+)\n/.exec(read(page)) ?? [];
    const words = (text) => text.replaceAll(/[^a-z]/gi, '');
    assert.equal(words(title), words(heading), page);
    assert.ok(read(page.replace(/md$/, 'html')).includes(`type="text/markdown" href="/${page}"`), page);
  }
});

test('llms.txt links to each page once, and llms-full.txt contains each page for users once', () => {
  const links = [...read('llms.txt').matchAll(/^- \[.+?\]\(\/([^)]+)\)/gm)].map(([, path]) => path);
  assert.deepEqual(links.sort(), pages.filter((page) => page !== 'index.md').sort());
  const full = read('llms-full.txt');
  const found = [...full.matchAll(/^---\nurl: \/(.+)\n---\n\n# /gm)].map(([, page]) => page);
  assert.deepEqual(found.sort(), pages.filter((page) => !page.startsWith('contributing/')).sort());
  for (const page of found.filter((page) => !page.startsWith('reference/api/')))
    assert.ok(full.includes(`url: /${page}\n---\n\n${read(page)}`), page);
});

test('llms-full.txt has each member of an error once, and links to no page about a type', () => {
  const times = (text) => read('llms-full.txt').split(text).length - 1;
  assert.equal(times('> `readonly` **isSuspect**: `boolean`'), 1);
  assert.equal(times('> **get** **name**(): `"ConflictError"`'), 1, 'a member that the class has itself');
  assert.equal(times('](/reference/api/client/'), 0);
});

test('no Markdown has a dead link, or what only the build of the site understands', () => {
  for (const file of [...pages, 'llms.txt', 'llms-full.txt']) {
    const prose = read(file).replaceAll(CODE, '');
    assert.doesNotMatch(prose, /@include|v-if|\{target=|!\[/, file);
    // An example of how to write examples has four backticks.
    assert.doesNotMatch(read(file).replaceAll(/^(`{4,})[\s\S]*?^\1$/gm, ''), /^ *```\w+ playground/m, file);
    for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:|^#/.test(href)) continue;
      const path = join(dist, href.replace(/#.*/, ''));
      assert.ok(href.startsWith('/') && existsSync(path) && statSync(path).isFile(), `${file}: ${href}`);
    }
  }
});

for (const [given, origin, base] of [
  [undefined, '', '/'],
  ['/folder', '', '/folder/'],
  ['https://docs.example.com/folder/', 'https://docs.example.com', '/folder/'],
])
  test(`with DOCS_URL=${given ?? ''} links begin with ${origin}${base}`, () => {
    const { DOCS_URL, ...env } = process.env;
    const program = "import('./docs/site-address.mjs').then((site) => console.log(site.origin + site.base))";
    const options = { cwd: root, env: given === undefined ? env : { ...env, DOCS_URL: given } };
    assert.equal(execFileSync(process.execPath, ['-e', program], options).toString(), `${origin}${base}\n`);
  });

test('same-order.json has the orders and numbers that the tests compare, and "Lost the response?" links to it', () => {
  const { orders, numbers: groups } = JSON.parse(read('same-order.json'));
  assert.deepEqual(groups, numbers);
  assert.deepEqual(
    orders.map(({ title }) => title),
    replays.map(({ title }) => title),
  );
  for (const { title, order, equal, different } of orders)
    assert.equal(new Set([order, ...equal, ...different]).size, 1 + equal.length + different.length, title);
  assert.match(read('concepts/lost-response.md'), /\]\(\/same-order\.json\)/);
});
