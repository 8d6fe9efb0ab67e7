/**
 * Where the time of P1 goes, by parts: `node benches/parts.mjs` after `make build`. All times are taken in turns, in one
 * run. For the bytes of P3 see bytes.mjs.
 */
import { join } from 'node:path';
import { pkg } from '../scripts/places.mjs';
import { compare } from './measure.mjs';
import { discountedOrderOf, OPTIONS, ownOrderOf } from './mix.mjs';
import { orderOf, orderWithFiveIssues } from './orders.mjs';
import { prepare as own } from './own-mix.mjs';
import { prepare as B } from './peers/mix/ajv.mjs';
import { prepare as A } from './peers/mix/zod.mjs';

const { call, encodeOptions, orderJson } = await import(join(pkg, 'dist/esm/internals.js'));

const KINDS = {
  'plain, taxes supplied': orderOf,
  'two discounts, taxes supplied': discountedOrderOf,
  'escapes, unknown members, taxes estimated': ownOrderOf,
};

for (const lines of [1, 10, 100]) {
  for (const [kind, make] of Object.entries(KINDS)) printTimes(`${counted(lines)}, ${kind}`, make(lines));
}
printTimes('10 lines, plain, 5 issues', orderWithFiveIssues());

/**
 * Does one part alone at a time. The result is what remains: the objects that the caller gets, and reading the totals
 * of them.
 */
function printTimes(title, order) {
  const options = encodeOptions(OPTIONS);
  const text = orderJson(order);
  const { ms } = compare({
    A: () => A(order),
    B: () => B(order),
    own: () => own(order),
    write: () => orderJson(order),
    core: () => call('evaluateOrder', text, options),
    pass: () => call('parseGuid', text),
  });
  const parts = {
    A: ms.A,
    B: ms.B,
    'this package': ms.own,
    '  order and options to JSON': ms.write,
    '  core': ms.core,
    '    of it, to pass the JSON to it': ms.pass,
    '  result': ms.own - ms.write - ms.core,
  };
  console.log(`\n${title}: µs, and ÷ A`);
  for (const [part, time] of Object.entries(parts)) {
    console.log(`${part.padEnd(36)}${(time * 1000).toFixed(1).padStart(8)}${(time / ms.A).toFixed(2).padStart(8)}`);
  }
}

function counted(lines) {
  return lines === 1 ? '1 line' : `${lines} lines`;
}
