// `make demo`: two orders from the cart to the created order. They are sent only to the reference service, which is started
// here, on this machine. Both have an Id in their file, so sending them again returns the same orders. The service then
// serves the demo page until it is stopped, beside the page of an outbox.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { createClient } from '../pkg/dist/esm/client/index.js';
import { evaluateOrder, newOrderId } from '../pkg/dist/esm/index.js';
import { createOutbox } from '../pkg/dist/esm/outbox/index.js';
import { outboxPage } from '../pkg/dist/esm/outbox/page/index.js';
import { sqliteStore } from '../pkg/dist/esm/outbox/sqlite/index.js';
import { listen } from '../scripts/ports.mjs';
import { startDemoService } from '../scripts/service.mjs';
import { serverOf } from './handler-server.mjs';
import { receipt } from './receipt.mjs';

const STEPS_SHOWN = 8;
const bold = process.stdout.isTTY && !process.env.NO_COLOR ? (text) => `\u001b[1m${text}\u001b[22m` : (text) => text;

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const service = await startDemoService({
  keep: at('target/demo-orders.ndjson'),
  page: at('www/demo/dist'),
});
const client = createClient({ baseUrl: service.baseUrl, token: service.token });

for (const file of ['grams-v2.json', 'member-v3.json']) {
  const { about, version, order, preview: options } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const evaluation = evaluateOrder(order, { ...options, version, explain: true });
  const preview = evaluation.preview();
  print(bold(`${about} (${file})`), '='.repeat(about.length + file.length + 3));
  part('Cart', cart(order));
  part('Verdict', verdict(evaluation));
  part('Receipt', receipt(preview));
  part('Rounding range', roundingRange(preview));
  part('Steps', stepsOf(preview.steps));
  const prepared = evaluation.request();
  part('Request', request(prepared));
  part('Created', created(await client.createOrder(prepared)));
  print('');
}

const { outbox, office, address } = await openOffice();
part('Point-of-sale view', service.views.join('\n'));
part('Demo page', service.page);
part(
  'Page for operators',
  `${address}\nof an outbox with a created and a refused order, and one for an unknown location`,
);
if (process.stdout.isTTY) {
  print('', 'Open these pages; Ctrl-C stops the service.');
  await once(process, 'SIGINT');
}
office.close();
await outbox.stop();
await service.stop();

/** Serves the page of an outbox whose orders end in different ways. */
async function openOffice() {
  const outbox = createOutbox({ client, store: sqliteStore(':memory:') }).start();
  const { order } = JSON.parse(readFileSync(new URL('member-v3.json', import.meta.url), 'utf8'));
  // Prices of the second location include tax: it refuses such orders. There is no third one.
  for (const EntityId of [2302, 2303, 9999])
    await outbox.add({ ...order, CompanyId: 1501, EntityId, Id: newOrderId() });
  // The page is for whoever sits at this machine.
  const office = serverOf(outboxPage({ outbox, authorize: () => true }));
  return { outbox, office, address: `http://127.0.0.1:${await listen(office)}/` };
}

function cart({ FirstName, LastName, CustomerId, Items, IsDelivery }) {
  const customer = `${FirstName} ${LastName}, ${CustomerId ? `customer ${CustomerId}` : 'not a known customer'}`;
  const items = Items.map((item) => `${item.Quantity} × ${item.Name} at ${item.SellAtPricePerUnit}`);
  return [`${customer}, ${IsDelivery ? 'delivery' : 'pick-up'}`, ...items].join('\n');
}

function verdict({ ok, issues }) {
  return [ok ? 'The order can be sent.' : 'The order cannot be sent.', ...issues.map(line)].join('\n');
}

function line({ severity, code, pointer, message }) {
  return `${severity} ${code} at ${pointer === '' ? 'the order' : pointer}: ${message}`;
}

function roundingRange({ total, roundingRange: range }) {
  if (range === null) return 'The total is unknown here, so its rounding range is unknown too.';
  if (range.min === range.max) return `Every rounding mode gives ${total}.`;
  return `Depending on rounding, the total is ${range.min} to ${range.max}.`;
}

function stepsOf(steps) {
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

/** Shows the response: the order with the read-only members that the service has filled. */
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
