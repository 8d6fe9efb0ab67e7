// Two orders from the cart to the request: `node examples/demo.mjs`, after a build. Nothing is sent.

import { readFileSync } from 'node:fs';

import { prepareRequest, previewOrder, validateOrder } from '../pkg/dist/esm/index.js';
import { receipt } from './receipt.mjs';

const STEPS_SHOWN = 8;
const bold = process.stdout.isTTY && !process.env.NO_COLOR ? (text) => `\u001b[1m${text}\u001b[22m` : (text) => text;

for (const file of ['grams-v2.json', 'member-v3.json']) {
  const { about, version, order, preview: options } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const preview = previewOrder(order, { ...options, version, explain: true });
  print(bold(`${about} (${file})`), '='.repeat(about.length + file.length + 3));
  part('Cart', cart(order));
  part('Verdict', verdict(validateOrder(order, { version }), preview.issues));
  part('Receipt', receipt(preview));
  part('Penny risk', pennyRisk(preview));
  part('Why', why(preview.steps));
  part('Request', request(prepareRequest(order, { version })));
  print('');
}

function cart({ FirstName, LastName, CustomerId, Items, IsDelivery }) {
  const customer = `${FirstName} ${LastName}, ${CustomerId ? `customer ${CustomerId}` : 'not a known customer'}`;
  const items = Items.map((item) => `${item.Quantity} × ${item.Name} at ${item.SellAtPricePerUnit}`);
  return [`${customer}, ${IsDelivery ? 'delivery' : 'pick-up'}`, ...items].join('\n');
}

/** What validation says, and what the preview has to add. */
function verdict({ ok, issues }, previewIssues) {
  const said = new Set(issues.map(line));
  const added = previewIssues.map(line).filter((text) => !said.has(text));
  return [ok ? 'The order can be sent.' : 'The order cannot be sent.', ...said, ...added].join('\n');
}

function line({ severity, code, pointer, message }) {
  return `${severity} ${code} at ${pointer === '' ? 'the order' : pointer}: ${message}`;
}

function pennyRisk({ total, pennyRisk: risk }) {
  if (risk === null) return 'The total is not known here, so neither is how far rounding can move it.';
  if (risk.min === risk.max) return `Every way of rounding gives ${total}.`;
  return `The total is ${total}; a point of sale that rounds in another way arrives at ${risk.min} to ${risk.max}.`;
}

function why(steps) {
  const shown = steps.slice(0, STEPS_SHOWN).map(({ of, expression, exact, result, rule }) =>
    `${of}: ${[...new Set([expression, exact, result])].join(' → ')} (${rule})`);
  const rest = steps.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more steps`] : [])].join('\n');
}

function request({ method, path, headers, body }) {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} {base_url}/${path}`, ...head, 'Authorization: Bearer <ACCESS_TOKEN>', '', body].join('\n');
}

function part(title, text) {
  print('', bold(title), ...text.split('\n').map((each) => `  ${each}`.trimEnd()));
}

function print(...lines) {
  console.log(lines.join('\n'));
}
