/**
 * Measures forms of the core as text: `node benches/core-forms.mjs` after `make build` prints a table. Each form is measured in a page
 * that evaluates, minified.
 */
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { builtModules } from '../scripts/build/core.mjs';
import { bundled, evaluating } from '../scripts/check/sizes.mjs';
import { pkg } from '../scripts/places.mjs';

const dist = join(pkg, 'dist/esm');
const evaluates = await evaluating(dist);
const core = builtModules()['orders.wasm'];
const streams = (await bundled(evaluates, dist)).bytes;
const script = (await bundled(evaluates, join(dist, 'slim'))).bytes;

/** Two digits for each byte: those of the upper half, those of the lower half. */
const digits = (upper, lower) => Array.from(core, (byte) => upper[byte >> 4] + lower[byte & 15]).join('');
const DIGITS = '0123456789abcdef';
const LETTERS = 'ABCDEFGHIJKLMNOP';
/** One character for the bytes below 88, two for the others. */
const characters = () => {
  const all = Array.from({ length: 92 }, (_, index) => String.fromCharCode(35 + index)).filter(
    (character) => !'<\\'.includes(character),
  );
  const pairs = all.slice(88).flatMap((prefix) => all.map((character) => prefix + character));
  return Array.from(core, (byte) => (byte < 88 ? all[byte] : pairs[byte - 88])).join('');
};

const forms = {
  base64: core.toString('base64'),
  'percent-encoded': Array.from(core, percentEncoded).join(''),
  hexadecimal: core.toString('hex'),
  'hexadecimal, other digits for the lower half': digits(DIGITS, LETTERS),
  'hexadecimal, the lower half first, with other digits': Array.from(
    core,
    (byte) => LETTERS[byte & 15] + DIGITS[byte >> 4],
  ).join(''),
  'one character for a byte below 88, two for the others': characters(),
  'the bytes, which are no text': core.toString('latin1'),
};
const rows = Object.entries(forms).map(([form, text]) => rowOf(form, [script, Buffer.from(text, 'latin1')]));
console.log(
  ['| Form | bytes | brotli | gzip |', '| --- | ---: | ---: | ---: |', ...rows, rowOf('streams', [streams])].join('\n'),
);

function rowOf(form, parts) {
  const bytes = Buffer.concat(parts);
  const sizes = [bytes, brotliCompressSync(bytes), gzipSync(bytes, { level: 9 })];
  return `| ${[form, ...sizes.map(({ length }) => length.toLocaleString('en'))].join(' | ')} |`;
}

function percentEncoded(byte) {
  const character = String.fromCharCode(byte);
  return /[ -~]/.test(character) && !/["%\\]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
}
