// Compares previews with the oracle, digit by digit, on random orders. To repeat a run, or for more orders:
//
//     ORACLE_SEED=12345 ORACLE_ORDERS=1000000 node --test tests/oracle/oracle.test.mjs

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { installed } from '../node/installed.mjs';
import { expectedPreview } from './oracle.mjs';
import { generator, randomCase } from './random-orders.mjs';

const SEED = Number(process.env.ORACLE_SEED ?? 20_261_120);
const ORDERS = Number(process.env.ORACLE_ORDERS ?? 10_000);

const { esm } = await installed();

test(`previews agree with the oracle on ${ORDERS} random orders, seed ${SEED}`, () => {
  const random = generator(SEED);
  const seen = { total: 0, supplied: 0, estimated: 0, 'point-of-sale': 0, discounted: 0, overflowed: 0, ranged: 0 };
  for (let index = 0; index < ORDERS; index += 1) {
    const { order, options } = randomCase(random);
    const { issues, ...preview } = esm.previewOrder(order, options);
    const what = () => `order ${index} of seed ${SEED}: ${JSON.stringify({ order, options })}`;
    compare(preview, expectedPreview(order, options), what);
    // An evaluation leaves lines out that its totals do not need.
    const evaluation = esm.evaluateOrder(order, options);
    compare({ ...preview, ...evaluation.totals, issues: evaluation.issues }, { ...preview, issues }, what);
    count(seen, preview, issues);
  }
  for (const [kind, times] of Object.entries(seen)) {
    assert.ok(times >= 50, `only ${times} orders are of the kind "${kind}": too few to prove anything`);
  }
});

function compare(actual, expected, what) {
  try {
    assert.deepEqual(actual, expected);
  } catch (difference) {
    difference.message = `${what()}\n${difference.message}`;
    throw difference;
  }
}

function count(seen, preview, issues) {
  seen[preview.tax.source] += 1;
  if (preview.total !== null) seen.total += 1;
  if (preview.discount.entries.length > 0 && preview.discount.total !== null) seen.discounted += 1;
  if (issues.some(({ code }) => code === 'amount_out_of_range')) seen.overflowed += 1;
  if (preview.roundingRange !== null && preview.roundingRange.min !== preview.roundingRange.max) seen.ranged += 1;
}
