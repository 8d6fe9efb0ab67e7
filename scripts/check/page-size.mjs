/** Prints how much a browser loads for the demo page, compressed as the service sends it; fails above the budget. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../places.mjs';
import { fail } from '../run.mjs';

const WHOLE = 120_000;
/** The budget for scripts, styles and HTML, without the core. */
const OWN = 43_300;

const dist = join(root, 'www/demo/dist');
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.br'));
const bytesOf = (names) => names.reduce((sum, name) => sum + readFileSync(join(dist, name)).length, 0);
const core = bytesOf(files.filter((name) => name.endsWith('.wasm.br')));
const own = bytesOf(files) - core;

for (const [what, bytes, budget] of [
  ['core', core],
  ['page without the core', own, OWN],
  ['page', own + core, WHOLE],
]) {
  console.log(
    `${what.padEnd(24)}${bytes.toLocaleString('en').padStart(9)} bytes brotli${budget ? ` of ${budget.toLocaleString('en')}` : ''}`,
  );
}
if (own > OWN || own + core > WHOLE) fail('The demo page is larger than its budget.');
