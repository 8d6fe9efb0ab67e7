/**
 * The examples of issue codes, which the documentation and `sales-order-intake explain` show: each order has its issue, and
 * what is called corrected does not.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { issuesOf } from '../../docs/generate/issue-codes.mjs';

const examples = JSON.parse(readFileSync(new URL('../../examples/issue-examples.json', import.meta.url), 'utf8'));
const table = readFileSync(new URL('../../src/issue-codes.md', import.meta.url), 'utf8');
const codes = [...table.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code);
/** These say that the point of sale decides; an order is as it should be with them. */
const HARMLESS = ['tax_unknown', 'customer_pricing_possible'];

test('a code has one example or none, in the order of the codes', () => {
  assert.ok(examples.length > 0);
  const withExample = new Set(examples.map(({ code }) => code));
  assert.deepEqual(
    examples.map(({ code }) => code),
    codes.filter((code) => withExample.has(code)),
  );
});

for (const example of examples) {
  const { code, order, fixed, trigger = 'order' } = example;

  test(`the example of ${code} has the issue, and is without any once corrected`, async () => {
    const before = codesOf(await issuesOf(trigger, order, rules(example, example.options), fixed));
    assert.ok(before.includes(code), `${code} is not among: ${before.join(', ')}`);
    const asOrder = trigger === 'response' ? trigger : 'order';
    const after = codesOf(await issuesOf(asOrder, fixed, rules(example, example.fixedOptions)));
    assert.deepEqual(
      after.filter((other) => other === code || !HARMLESS.includes(other)),
      [],
    );
  });
}

function rules({ version }, options) {
  return { ...(version && { version: `v${version}` }), ...options };
}

function codesOf(issues) {
  return issues.map(({ code }) => code);
}
