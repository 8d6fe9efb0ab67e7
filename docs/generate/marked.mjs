/**
 * Writes what the pages take from the sources between marks, so that a code host shows it too: the code that they quote, and
 * the table of responses, and the figures of the benchmark. `--write` writes; otherwise it fails if a page is out of date.
 *
 *     <!-- code examples/shop/server/sales.ts#settled: written by make generate -->
 *     <!-- /code -->
 *
 * quotes the lines between `#region settled` and `#endregion settled`; without a region, the whole file. A language in
 * braces, as in `Cart.vue#cart{ts}`, is that of the quoted code; otherwise it is the extension of the file.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/places.mjs';
import { fail } from '../../scripts/run.mjs';
import { firstPaintText, performanceText } from './performance.mjs';
import { responseTable } from '../../tests/responses/table.mjs';

const FOLDERS = ['docs', 'docs/concepts', 'docs/contributing', 'docs/guides', 'docs/reference'];
const BEGIN = /^<!-- .*: written by make generate -->$/gm;
const MARKED = /^(<!-- (\w+)(?: (\S+))?: written by make generate -->\n)[\s\S]*?^(<!-- \/\2 -->)$/gm;
const SOURCE = /^(?<path>[^#{]+\.(?<extension>\w+))(?:#(?<region>[\w-]+))?(?:\{(?<language>\w+)\})?$/;

/** @type {Record<string, (source: string, read: (path: string) => string) => string>} */
const WRITERS = {
  code: quoted,
  responses: responseTable,
  performance: (_, read) => performanceText(read),
  firstPaint: (_, read) => firstPaintText(read),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stale = pages().filter((page) => {
    const text = read(page);
    const written = withMarked(page, text);
    if (written !== text && process.argv.includes('--write')) writeFileSync(join(root, page), written);
    return written !== text && !process.argv.includes('--write');
  });
  if (stale.length > 0) fail(`out of date: ${stale.join(', ')}. Run \`make generate\``);
}

/** @param {string} path */
function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

function pages() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
}

/**
 * Returns the text of a page with what belongs between its marks. Throws if a mark is not closed, or what it names does not
 * exist.
 *
 * @param {string} page its path, for errors
 * @param {string} text
 */
export function withMarked(page, text, readFile = read) {
  if (/^<<< /m.test(text)) throw new Error(`${page}: a code host does not show code that "<<<" includes: use marks`);
  let found = 0;
  const written = text.replaceAll(MARKED, (_, begin, name, source, end) => {
    found++;
    const write = WRITERS[name];
    if (!write) throw new Error(`${page}: nothing writes ${begin}`);
    return `${begin}\n${write(source, readFile).trimEnd()}\n\n${end}`;
  });
  const marks = text.match(BEGIN)?.length ?? 0;
  if (found !== marks) throw new Error(`${page}: ${marks} marks begin, ${found} end`);
  return written;
}

/** Returns a file or a region of it as a fence, without its indentation. */
function quoted(source, readFile) {
  const { path = '', extension, region, language = extension } = SOURCE.exec(source)?.groups ?? {};
  if (!path) throw new Error(`no file: ${source}`);
  const text = region ? regionOf(path, region, readFile(path)) : readFile(path);
  const lines = text.trimEnd().split('\n');
  const indents = lines.filter(Boolean).map((line) => line.search(/\S/));
  const code = lines.map((line) => line.slice(Math.min(...indents))).filter((line) => !/#(?:end)?region /.test(line));
  return `\`\`\`${language}\n${code.join('\n')}\n\`\`\``;
}

function regionOf(path, region, text) {
  const [, part, ...others] = text.split(new RegExp(`^.*#(?:end)?region ${region}\\b.*\n`, 'm'));
  if (part === undefined || others.length !== 1) throw new Error(`${path} has no region ${region}, or several`);
  return part;
}
