/** Prints how much a browser loads for the demo page, compressed as the service sends it; fails if the first load is above the budget. */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../places.mjs';
import { fail } from '../run.mjs';

const WHOLE = 120_000;
/** The budget for scripts, styles and HTML, without the core. */
const OWN = 43_300;

const dist = join(root, 'www/demo/dist');
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.br'));
const bytesOf = (names) => names.reduce((sum, name) => sum + readFileSync(join(dist, name)).length, 0);
// The other parts are loaded when they are used: those for files, and the panel of the request.
const html = readFileSync(join(dist, 'index.html'), 'utf8');
const isFirst = (name) => name === 'index.html.br' || html.includes(basename(name, '.br'));
const core = bytesOf(files.filter((name) => name.endsWith('.wasm.br')));
const own = bytesOf(files.filter(isFirst)) - core;
const later = bytesOf(files) - core - own;

for (const [what, bytes, budget] of [
  ['core', core],
  ['page without the core', own, OWN],
  ['page', own + core, WHOLE],
  ['loaded later', later],
]) {
  console.log(
    `${what.padEnd(24)}${bytes.toLocaleString('en').padStart(9)} bytes brotli${budget ? ` of ${budget.toLocaleString('en')}` : ''}`,
  );
}
if (own > OWN || own + core > WHOLE) fail('The demo page is larger than its budget.');
