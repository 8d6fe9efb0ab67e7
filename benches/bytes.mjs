/** Prints what the bytes of P3 are, in Markdown: `node benches/bytes.mjs` after `make build`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { builtModules } from '../scripts/build/core.mjs';
import { compileCore } from '../scripts/build/compile-core.mjs';
import { finishCore } from '../scripts/build/finish-core.mjs';
import { coreText, functionsOf, sectionsOf } from '../scripts/build/core-text.mjs';
import { pkg, target } from '../scripts/places.mjs';
import { fail } from '../scripts/run.mjs';
import { bundled, evaluating } from '../scripts/check/sizes.mjs';
import { DATA, namesOf, withoutRanges } from './wasm-names.mjs';

/** How many functions are listed. */
const LARGEST = 20;

/** The part that a function belongs to: the first pattern that its name fits. */
const OWNERS = [
  { pattern: /sales_order_intake::internals::preview/, owner: 'preview' },
  { pattern: /sales_order_intake(?:_wasm::orders|_wasm)?::(\w+)/ },
  { pattern: /sha1|uuid/, owner: 'guid' },
  { pattern: /talc/, owner: 'memory' },
  { pattern: /rust_decimal/, owner: 'decimal' },
  { pattern: /\b(core|alloc|std)(\[\w+\])?::|^<|^mem/, owner: 'standard library' },
  { pattern: /^/, owner: 'exports' },
];

const dist = join(pkg, 'dist/esm');
const slim = join(dist, 'slim');
const ALL = `export * from './index.js'`;
const ALL_AND_CLIENT = `${ALL}; export * from './client/index.js'`;

const built = builtModules();
const compiled = await compileCore(join(target, 'bytes'));
const orders = await partOf('orders');
const fates = await partOf('fates');

const evaluates = await evaluating(dist);
const shipped = {
  'page that evaluates': (await bundled(evaluates, dist)).bytes,
  '– the core in it, packed as text': orders.text,
  '– its JavaScript': (await bundled(evaluates, slim)).bytes,
  'the core of the fates of orders, packed as text': fates.text,
  'default entry, which has both': (await bundled(ALL, dist)).bytes,
  'slim with the client': (await bundled(ALL_AND_CLIENT, slim)).bytes,
  'core.wasm': built['core.wasm'],
};

console.log(`Parts share what a compressor learns from them. So for a part, "brotli" is how much smaller the whole would be without
it, and these figures do not add up.

${table(['Shipped', 'bytes', 'brotli'], rowsOfShipped())}

## The core of a page that evaluates

By module of \`src/\` and \`wasm/src/\`, with the crates that only this module uses:

${table(['Module', 'functions', 'bytes', 'brotli'], rowsOfOwners(orders))}

Its largest functions, with what was inlined into them:

${table(['Function', 'bytes', 'brotli'], rowsOfLargest(orders))}

## The core of the fates of orders

${table(['Module', 'functions', 'bytes', 'brotli'], rowsOfOwners(fates))}

## The JavaScript of slim with the client

${table(['Module', 'bytes', 'brotli'], bySize(await rowsOfScript()))}
`);

/** Returns a part of the core with the names of its functions, and as text. */
async function partOf(name) {
  const named = await finishCore(compiled[name], { keepsNames: true });
  const sections = [...sectionsOf(named)];
  const names = sections.filter(({ id }) => id === 0);
  const bytes = built[`${name}.wasm`];
  if (!withoutRanges(named, names).equals(bytes)) fail('pkg/ is older than its sources: run `make build` first');
  const nameOf = namesOf(named);
  const functions = [...functionsOf(named)].map((range, index) => ({ ...range, name: nameOf[index] ?? '' }));
  return {
    named,
    names,
    functions,
    data: sections.filter(({ id }) => id === DATA),
    text: Buffer.from(coreText(bytes)),
  };
}

function rowsOfShipped() {
  return Object.entries(shipped).map(([part, bytes]) => [part, bytes.length, brotliOf(bytes)]);
}

function rowsOfOwners(part) {
  const owners = [...new Set(part.functions.map(({ name }) => ownerOf(name)))];
  const rows = owners.map((owner) => {
    const own = part.functions.filter(({ name }) => ownerOf(name) === owner);
    return [owner, own.length, ...sharesOf(part, own)];
  });
  return bySize([...rows, ['names, messages and other data', '', ...sharesOf(part, part.data)]]);
}

function ownerOf(name) {
  const { pattern, owner } = OWNERS.find((one) => one.pattern.test(name)) ?? fail('unreachable');
  return owner ?? name.match(pattern)?.[1];
}

function rowsOfLargest(part) {
  const largest = part.functions.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, LARGEST);
  return bySize(largest.map((one) => [`\`${shortName(one.name)}\``, ...sharesOf(part, [one])]));
}

/** The bytes of ranges of a part, and how much smaller it would be without them, packed and compressed. */
function sharesOf({ named, names, text }, ranges) {
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  return [bytes, brotliOf(text) - brotliOf(coreText(withoutRanges(named, [...names, ...ranges])))];
}

/** The bundle without a module, whose exports are global names instead. All others stay, also those that only it imports. */
async function rowsOfScript() {
  const { modules } = await bundled(ALL_AND_CLIENT, slim);
  const paths = modules.filter(({ bytes }) => bytes > 0).map(({ path }) => path);
  const contents = [ALL_AND_CLIENT, ...paths.map((path, index) => `export * as m${index} from './${path}'`)].join('; ');
  const all = brotliOf((await bundled(contents, slim)).bytes);
  const rows = modules
    .filter(({ bytes }) => bytes > 0)
    .map(async ({ path, bytes }) => {
      const rest = await bundled(contents, slim, [emptied(join(slim, path))]);
      return [path.replace(/\.js$/, ''), bytes, all - brotliOf(rest.bytes)];
    });
  return Promise.all(rows);
}

/** Without the names of crates and the hash. */
function shortName(name) {
  return name
    .replace(/::h[0-9a-f]{16}$/, '')
    .replaceAll(/sales_order_intake(_wasm)?::/g, '')
    .replaceAll(/\[[0-9a-f]{16}\]/g, '')
    .replaceAll('core::', '')
    .replaceAll('alloc::', '');
}

function bySize(rows) {
  return rows.toSorted((a, b) => b.at(-1) - a.at(-1));
}

function table(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const format = (cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell);
  return [
    line(heads),
    line(heads.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map((row) => line(row.map(format))),
  ].join('\n');
}

function brotliOf(bytes) {
  return brotliCompressSync(bytes).length;
}

/** Replaces the exports of a module by global names. */
function emptied(path) {
  return {
    name: 'emptied',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, (module) => {
        if (module.path !== path) return undefined;
        const [, list = ''] = readFileSync(path, 'utf8').match(/^export \{([^}]*)\}/m) ?? [];
        const names = list
          .split(',')
          .map((name) => name.trim().split(' as ').at(-1))
          .filter(Boolean);
        return { contents: names.map((name) => `export let ${name} = globalThis.${name};`).join('') };
      });
    },
  };
}
