/** The generated parts of the documentation are up to date, and references to decisions can be followed. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { diagrams } from '../../../docs/generate/diagrams.mjs';
import { root } from '../../../scripts/places.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

test('each picture is what its source gives: else run `make test ONLY=pictures`', async () => {
  const pictures = await diagrams();
  const files = readdirSync(join(root, 'docs/diagrams')).filter((name) => name.endsWith('.svg'));
  assert.deepEqual(files.sort(), Object.keys(pictures).sort());
  for (const [name, svg] of Object.entries(pictures)) {
    assert.ok(read(`docs/diagrams/${name}`) === svg, `docs/diagrams/${name} is not rendered from its source`);
    assert.match(svg, /<title>.+<\/title>\n<desc>.+<\/desc>/);
    assert.ok(svg.length < 20_000 && !svg.includes('@font-face'), `${name} is small`);
  }
});

const decisions = read('docs/reference/decisions.md');
const anchors = new Set([...decisions.matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => id));

for (const folder of ['pkg-template', 'www', 'outbox', 'testing', 'cli', 'src', 'docs', 'examples']) {
  test(`each decision and section that ${folder} refers to is on the page of decisions`, () => {
    const files = filesIn(folder).filter((file) => file !== EXAMPLE_OF_A_RULE);
    const references = files.flatMap((file) =>
      [...read(file).matchAll(REFERENCE)]
        .filter(({ 0: text, index, input }) => !isOfRfc(input, index, text))
        .map(([text, section, rule = '', decision]) => ({
          text: `${file}: ${text}`,
          id: decision ? `d${decision}` : `s${section?.replaceAll('.', '-')}${rule}`,
        })),
    );
    assert.deepEqual(
      references.filter(({ id }) => !anchors.has(id)).map(({ text }) => text),
      [],
    );
    if (folder !== 'examples') assert.ok(references.length > 0);
  });
}

/** This page invents the next decision. */
const EXAMPLE_OF_A_RULE = 'docs/contributing/adding-a-rule.md';
/** The page numbers sections and decisions, but not the rules within a section. */
const REFERENCE = /§(\d+(?:\.\d+)*)( rules? \d+)?|(?<=[(\s,–])D(\d+)(?=[),.:;\s–])/g;

/** "RFC 9110, §12.5.1" is a section of that RFC. */
function isOfRfc(text, index, reference) {
  // The number may be in the next line of a comment.
  return reference.startsWith('§') && /RFC[\s/*!]+\d+,? $/.test(text.slice(Math.max(0, index - 40), index));
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|tsx|rs|md|mjs|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .filter(
      (path) =>
        !/node_modules|\/dist\/|\/public\/|\/reference\/(?:api|issue-codes|http)|\.vitepress\/|package-lock/.test(path),
    );
}
