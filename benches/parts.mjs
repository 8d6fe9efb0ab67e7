/**
 * Where the time of P1 goes, by parts: `node benches/parts.mjs` after `make build`. All times are taken in turns, in one
 * run. For the bytes of P3 see bytes.mjs.
 */
import { join } from 'node:path';
import { pkg } from '../scripts/places.mjs';
import { compare } from './measure.mjs';
import { orderOf, orderWithFiveIssues } from './orders.mjs';
import { prepare as own } from './own.mjs';
import { prepare as B } from './peers/ajv.mjs';
import { prepare as A } from './peers/zod.mjs';

const dist = join(pkg, 'dist/esm');
const [{ evaluateOrder }, { encodeOrder }, { call }, { writeBody }] = await Promise.all(
  ['index.js', 'encode.js', 'loader.js', 'plain/writer.js'].map((file) => import(join(dist, file))),
);

/** An option without effect that the fast lane does not know. */
const BESIDE_LANE = { allowEmptyTaxes: false };

for (const lines of [1, 10, 100]) printTimes(lines);
printTimesOfIssues();

/** Calls less and less of the package; the time of a part is the difference. */
function printTimes(lines) {
  const order = orderOf(lines);
  // Printed and parsed, so that it is one flat string.
  const text = JSON.parse(JSON.stringify(encodeOrder(order)));
  const answer = call('evaluateOrder', text, '');
  const head = answer.slice(0, answer.indexOf('\n'));
  const { ms } = compare({
    A: () => A(order),
    B: () => B(order),
    'own: the fast lane': () => own(order),
    '     of it, the body': () => writeBody(order),
    'own: the general path': () => evaluateOrder(order, BESIDE_LANE).request(),
    'JSON.stringify alone': () => JSON.stringify(order),
    '     of it, order to text': () => encodeOrder(order),
    '     of it, text to the core and back, with its work': () => call('evaluateOrder', text, ''),
    '          of these, without totals': () => call('prepareRequest', text, ''),
    '     of it, answer to objects': () => JSON.parse(head),
  });
  console.log(`\n${lines} ${lines === 1 ? 'line' : 'lines'}: µs, and ÷ A`);
  printParts(ms);
}

/** Mistakes that are easy to see stay in the fast lane. */
function printTimesOfIssues() {
  const order = orderWithFiveIssues();
  // Printed and parsed, so that it is one flat string.
  const text = JSON.parse(JSON.stringify(encodeOrder(order)));
  const head = call('evaluateOrder', text, '');
  const { ms } = compare({
    A: () => A(order),
    'own: the fast lane': () => own(order),
    '     of it, the body': () => writeBody(order),
    'own: the general path': () => evaluateOrder(order, BESIDE_LANE),
    '     of it, order to text': () => encodeOrder(order),
    '     of it, text to the core and back, with its work': () => call('evaluateOrder', text, ''),
    '     of it, answer to objects': () => JSON.parse(head),
  });
  console.log('\n10 lines with 5 issues: µs, and ÷ A');
  printParts(ms);
}

function printParts(ms) {
  for (const [part, time] of Object.entries(ms)) {
    console.log(`${part.padEnd(48)}${(time * 1000).toFixed(1).padStart(8)}${(time / ms.A).toFixed(2).padStart(8)}`);
  }
}
