/**
 * The Markdown of the site, for programs: each page, `llms.txt` with links to them, and `llms-full.txt` with those
 * for users.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../../scripts/places.mjs';
import { numbers, replays } from '../../testing/replays.mjs';
import { dist, documentOf, htmlFiles } from '../site.mjs';

/** The address of each page as Markdown. */
const pages = htmlFiles()
  .filter((file) => !/^(?:playground|rust)\/|^404\.html$/.test(file))
  .map((file) => [file, file.replace(/(?<!^)(\/index)?\.html$/, '.md')]);
const read = (file) => readFileSync(join(dist, file), 'utf8');

test('each page exists as Markdown, and says where', () => {
  assert.ok(pages.length > 200);
  for (const [html = '', markdown = ''] of pages) {
    const heading = documentOf(html).querySelector('h1')?.text ?? '';
    const [, title = ''] = /^# (.+)\n/m.exec(read(markdown)) ?? [];
    const words = (text) => text.replaceAll(/[^a-z]/gi, '');
    assert.equal(words(title), words(heading), markdown);
    assert.ok(read(html).includes(`href="/${markdown}" rel="alternate" type="text/markdown"`), html);
  }
});

test('llms.txt links to each page once, and llms-full.txt contains each page for users', () => {
  const addresses = pages.map(([, markdown]) => markdown);
  const links = [...read('llms.txt').matchAll(/^- \[.+?\]\(\/([^)]+)\)/gm)].map(([, path]) => path);
  assert.deepEqual(links.sort(), addresses.toSorted());
  const found = new Set(Array.from(read('llms-full.txt').matchAll(/^url: \/(.+)$/gm), ([, page]) => page));
  assert.deepEqual([...found].sort(), addresses.filter((page) => !page?.startsWith('contributing/')).sort());
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
