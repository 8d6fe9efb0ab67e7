// Two orders from the cart to the created order: `make demo`. They are sent to the reference service, started here on this
// machine, and nowhere else. Both have ids of their own, so that sending them again gives back the same orders. The service
// goes on with the demo page until it is stopped.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { createClient } from '../pkg/dist/esm/client/index.js';
import { prepareRequest, previewOrder, validateOrder } from '../pkg/dist/esm/index.js';
import { startService } from '../scripts/service.mjs';
import { receipt } from './receipt.mjs';

const STEPS_SHOWN = 8;
const bold = process.stdout.isTTY && !process.env.NO_COLOR ? (text) => `\u001b[1m${text}\u001b[22m` : (text) => text;

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const flags = [
  '--listen',
  '127.0.0.1:0',
  '--database',
  `sqlite:${at('target/demo-orders.sqlite')}`,
  '--page',
  at('www/demo/dist'),
  '--log',
  'warn',
];
const service = await startService(at('target/debug/sales-order-intake-server'), ['serve', '--demo', ...flags]);
const client = createClient({ baseUrl: service.baseUrl, token: service.token });

for (const file of ['grams-v2.json', 'member-v3.json']) {
  const { about, version, order, preview: options } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const preview = previewOrder(order, { ...options, version, explain: true });
  print(bold(`${about} (${file})`), '='.repeat(about.length + file.length + 3));
  part('Cart', cart(order));
  part('Verdict', verdict(validateOrder(order, { version }), preview.issues));
  part('Receipt', receipt(preview));
  part('rounding range', roundingRange(preview));
  part('Why', why(preview.steps));
  const prepared = prepareRequest(order, { version });
  part('Request', request(prepared));
  part('Created', created(await client.createOrder(prepared)));
  print('');
}

part('What a cashier sees', service.views.join('\n'));
part('The same by hand', service.page);
if (process.stdout.isTTY) {
  print('', 'Open this page; Ctrl-C ends the service.');
  await once(process, 'SIGINT');
}
await service.stop();

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

function roundingRange({ total, roundingRange: range }) {
  if (range === null) return 'The total is not known here, so neither is how far rounding can move it.';
  if (range.min === range.max) return `Every way of rounding gives ${total}.`;
  return `Depending on rounding, the total is ${range.min} to ${range.max}.`;
}

function why(steps) {
  const shown = steps
    .slice(0, STEPS_SHOWN)
    .map(
      ({ of, expression, exact, result, rule }) =>
        `${of}: ${[...new Set([expression, exact, result])].join(' → ')} (${rule})`,
    );
  const rest = steps.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more steps`] : [])].join('\n');
}

function request({ method, path, headers, body }) {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} {base_url}/${path}`, ...head, 'Authorization: Bearer <ACCESS_TOKEN>', '', body].join('\n');
}

/** What the service gives back: the order, with its own members filled. */
function created({ status, attempts, order }) {
  const { DateCreatedUtc, OrderSource, ReceiptNumber } = order;
  return [
    `${status} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    `Receipt ${ReceiptNumber}, created ${DateCreatedUtc} by ${OrderSource.Name}`,
    '',
    JSON.stringify(order),
  ].join('\n');
}

function part(title, text) {
  print('', bold(title), ...text.split('\n').map((each) => `  ${each}`.trimEnd()));
}

function print(...lines) {
  console.log(lines.join('\n'));
}
