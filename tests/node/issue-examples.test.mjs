/**
 * The examples of issue codes, which the documentation and `sales-order-intake explain` show: each order has its issue, and
 * what is called corrected does not.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { fresh, installed } from './installed.mjs';
import { whileReplaced } from './stubs.mjs';

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
    const { esm } = await installed();
    const before = codesOf(await issuesOf(esm, trigger, order, rules(example, example.options), fixed));
    assert.ok(before.includes(code), `${code} is not among: ${before.join(', ')}`);
    const asOrder = trigger === 'response' ? trigger : 'order';
    const after = codesOf(await issuesOf(esm, asOrder, fixed, rules(example, example.fixedOptions)));
    assert.deepEqual(
      after.filter((other) => other === code || !HARMLESS.includes(other)),
      [],
    );
  });
}

function rules({ version }, options) {
  return { ...(version && { version: `v${version}` }), ...options };
}

/** The call of each trigger; cli/output/issue-code-table.ts describes them. */
async function issuesOf(esm, trigger, order, options, sent = undefined) {
  switch (trigger) {
    case 'order': {
      const json = typeof order === 'string' ? order : JSON.stringify(order);
      // Only validateOrder reports members that a request leaves out.
      return [...esm.evaluateOrder(json, options).issues, ...esm.validateOrder(json, options).issues];
    }
    case 'javascript':
      return esm.evaluateOrder(runInNewContext(`(${order})`), options).issues;
    case 'response':
      return esm.readOrder(typeof order === 'string' ? order : JSON.stringify(order)).issues;
    case 'created-response':
      return (await createdBy(sent, JSON.stringify(order))).issues;
    case 'error-response':
      return esm.readError(order).issues;
    case 'no-random-source':
      return withoutRandomSource(order, options);
    default:
      throw new Error(`unknown trigger: ${trigger}`);
  }
}

/** Sends an order to a service that responds with this body. */
async function createdBy(order, body) {
  const { client } = await installed();
  const fetch = async () => new Response(body, { status: 201, headers: { 'Content-Type': 'application/json' } });
  return client.createClient({ baseUrl: 'https://intake.example.com', token: 'a-token', fetch }).createOrder(order);
}

async function withoutRandomSource(order, options) {
  const core = fresh();
  let issues = [];
  await whileReplaced(globalThis, 'crypto', undefined, () => {
    issues = core.buildOrder(order, options).issues;
  });
  return issues;
}

function codesOf(issues) {
  return issues.map(({ code }) => code);
}
