/** The links of the built site: those within it exist; those to other sites are well-formed, and not fetched. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../../scripts/places.mjs';
import { dist, documentOf, htmlFiles } from '../site.mjs';

/** The playground is a page of its own, with its own tests. rustdoc's pages link to each other: rustdoc checks that. */
const own = htmlFiles().filter((file) => !file.startsWith('playground/') && !file.startsWith('rust/'));
const documents = new Map(own.map((file) => [file, documentOf(file)]));
const links = [...documents].flatMap(([file, document]) =>
  document.querySelectorAll('a[href], link[href], script[src], img[src]').map((element) => ({
    file,
    href: (element.getAttribute('href') ?? element.getAttribute('src') ?? '').replaceAll('&amp;', '&'),
  })),
);
const isExternal = (href) => /^[a-z][a-z0-9+.-]*:/i.test(href);

test('there are pages of every part, and links between them', () => {
  for (const part of ['guides/', 'concepts/', 'reference/api/', 'reference/issue-codes/', 'contributing/'])
    assert.ok(
      own.some((file) => file.startsWith(part)),
      part,
    );
  assert.ok(links.filter(({ href }) => !isExternal(href)).length > 1000);
});

test('every link within the site leads to a file that exists', () => {
  const dead = links
    .filter(({ file, href }) => !isExternal(href) && targetOf(file, href) === undefined)
    .map(({ file, href }) => `${file}: ${href}`);
  assert.deepEqual([...new Set(dead)], []);
});

test('every link to a heading or a row leads to one that exists', () => {
  const dead = links
    .filter(({ href }) => !isExternal(href) && href.includes('#'))
    .filter(({ file, href }) => {
      const [, fragment = ''] = href.split('#');
      const target = targetOf(file, href);
      if (fragment === '' || fragment.startsWith('order=') || target === undefined) return false;
      return !idsOf(target).has(decodeURIComponent(fragment));
    })
    .map(({ file, href }) => `${file}: ${href}`);
  assert.deepEqual([...new Set(dead)], []);
});

test('every docUrl of an error leads to a page that exists, and to a heading of it', () => {
  const files = ['pkg-template/src/errors.ts', 'www/client/errors.ts', 'outbox/errors.ts'];
  const source = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const pages = [...source.matchAll(/pageUrl\('([^']+)'(?:, '#([^']+)')?\)/g)];
  assert.equal(pages.length, 6);
  for (const [, path, anchor] of pages) {
    assert.ok(existsSync(join(dist, `${path}.html`)), path);
    if (anchor) assert.ok(idsOf(`${path}.html`).has(anchor), anchor);
  }
});

test('every page but the first has its menu', () => {
  const without = own.filter(
    (file) => !['index.html', '404.html'].includes(file) && !documents.get(file)?.querySelector('.VPSidebar a'),
  );
  assert.deepEqual(without, []);
});

test('the diagrams are parts of their pages, which have their colours, and not images', () => {
  const figures = [...documents.values()].flatMap((document) => document.querySelectorAll('.diagram-frame'));
  assert.ok(figures.length >= 4, `${figures.length} diagrams`);
  for (const figure of figures) assert.ok(figure.getAttribute('aria-label') && figure.querySelector('svg.diagram'));
  const images = [...documents.values()].flatMap((document) => document.querySelectorAll('img[src$=".svg"]'));
  assert.deepEqual(images.map(String), []);
});

/** Returns the path of the file that a link opens, undefined if there is none. */
function targetOf(from, href) {
  const [path = ''] = href.split(/[#?]/);
  if (path === '') return from;
  const absolute = path.startsWith('/') ? path.slice(1) : join(dirname(from), path);
  const candidates = [absolute, `${absolute}.html`, join(absolute, 'index.html')].map((name) =>
    name.replaceAll('\\', '/'),
  );
  return candidates.find((name) => existsSync(join(dist, name)) && statSync(join(dist, name)).isFile());
}

const ids = new Map();

function idsOf(file) {
  if (!ids.has(file)) {
    const document = documents.get(file) ?? documentOf(file);
    ids.set(file, new Set(document.querySelectorAll('[id]').map((element) => element.getAttribute('id'))));
  }
  return ids.get(file);
}
