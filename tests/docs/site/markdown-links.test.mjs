/**
 * The links of Markdown files outside the site, and of those in the package: each leads to a file, and to a heading in
 * it.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { pkg, root } from '../../../scripts/places.mjs';

const markdownIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, folder, name));

/** The README of the package is in `pkg`: its links lead to files of the package. */
const files = ['', 'benches', 'examples/shop', 'src'].flatMap(markdownIn);

for (const [where, documents] of Object.entries({ 'the repository': files, 'the package': markdownIn('pkg') })) {
  test(`every relative link in Markdown of ${where} leads to a file and a heading that exist`, () => {
    const links = documents.flatMap((file) => linksIn(file).map((href) => ({ file, href })));
    assert.ok(links.length > 3, `${links.length} links`);
    const dead = links.filter(({ file, href }) => !leadsSomewhere(file, href));
    assert.deepEqual(
      dead.map(({ file, href }) => `${file.slice(root.length + 1)}: ${href}`),
      [],
    );
  });
}

function linksIn(file) {
  const prose = withoutCode(readFileSync(file, 'utf8'));
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:href|src)="([^"]+)"/g)].map(
    ([, link, html]) => link ?? html ?? '',
  );
  return links.filter((href) => !/^[a-z][a-z0-9+.-]*:/i.test(href));
}

function leadsSomewhere(from, href) {
  const [path = '', heading] = href.split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  // The reader of the package has only the files in it.
  if (from.startsWith(pkg) && !target.startsWith(pkg)) return false;
  return existsSync(target) && (heading === undefined || anchorsOf(target).has(heading));
}

/** Returns the names by which a code host links to headings, and the ids of HTML. */
function anchorsOf(file) {
  const text = readFileSync(file, 'utf8');
  const headings = [...text.replaceAll(FENCE, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...headings, ...ids]);
}

const FENCE = /^( *)(`{3,})[\s\S]*?^\1\2 *$/gm;

function withoutCode(markdown) {
  return markdown.replaceAll(FENCE, '').replaceAll(/`[^`\n]*`/g, '');
}
