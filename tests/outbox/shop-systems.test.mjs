/** Tests the webhooks of the guide "From a shop system", with the payloads that Shopify and WooCommerce send. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/places.mjs';
import { installedFile } from '../node/installed.mjs';
import { INTEGRATOR, TAX } from '../node/orders.mjs';
import { clientOf, collected, core, createOutbox, folderOf, sqliteStore } from './harness.mjs';

const SECRET = 'secret-of-the-tests';
const NAMESPACE = 'b9f3a1de-52c4-4b0e-8f55-7d1c60a2e913';
const ARTICLES = new Map(
  ['TEA-1', 'BLEND-2', 'shipping', 'tip', 'fee'].map((sku) => [sku, core.deriveOrderId(NAMESPACE, sku)]),
);

const money = (amount) => ({ shop_money: { amount, currency_code: 'USD' } });

/**
 * By the system: its function, the header of the signature, the member with the number of an order, an order with several items,
 * a discount, shipping, tax and a tip or fee, its total, and changes to it.
 */
const SYSTEMS = {
  shopify: {
    ...{ name: 'shopifyWebhook', header: 'X-Shopify-Hmac-Sha256', number: 'name', total: '53.75' },
    order: {
      ...{ id: 6200407294252, admin_graphql_api_id: 'gid://shopify/Order/6200407294252', name: '#1001' },
      ...{ order_number: 1001, test: false, cancelled_at: null, note: null, customer: null, taxes_included: false },
      ...{ total_line_items_price: '52.48', total_discounts: '12.00', total_tax: '2.37', total_price: '53.75' },
      ...{ total_tip_received: '4.00', original_total_duties_set: null },
      line_items: [
        { sku: 'TEA-1', name: 'Green tea - loose', title: 'Green tea', quantity: 2, price: '19.99' },
        { sku: 'BLEND-2', name: 'Blend', title: 'Blend', quantity: 1, price: '12.50' },
      ],
      shipping_lines: [{ title: 'Post', price: '6.90', discounted_price: '4.90' }],
    },
    taxIncluded: { taxes_included: true },
    notSent: [{ test: true }, { cancelled_at: '2026-11-28T10:00:00Z' }],
    changed: { total_tip_received: '0.00', original_total_duties_set: money('4.00') },
    changedIssues: ['/Items/3/CatalogItemId missing'],
  },
  woocommerce: {
    ...{ name: 'wooCommerceWebhook', header: 'X-WC-Webhook-Signature', number: 'number', total: '28.30' },
    order: {
      ...{ id: 727, number: '7015', status: 'processing', prices_include_tax: false, customer_note: '' },
      ...{ discount_total: '2.90', shipping_total: '4.90', total_tax: '1.30', total: '28.30' },
      billing: { first_name: 'Ann', last_name: 'Example' },
      line_items: [
        { sku: 'TEA-1', name: 'Green tea', quantity: 3, subtotal: '10.00', total: '9.00', price: 3 },
        { sku: 'BLEND-2', name: 'Blend', quantity: 7, subtotal: '13.00', total: '11.10', price: 1.585714 },
      ],
      shipping_lines: [
        { method_title: 'Flat rate', total: '4.90' },
        { method_title: 'Local pickup', total: '0.00' },
      ],
      fee_lines: [{ name: 'Gift wrap', total: '2.00' }],
    },
    taxIncluded: { prices_include_tax: true },
    notSent: [{ status: 'pending' }, { status: 'cancelled' }],
    changed: { fee_lines: [{ name: 'Rebate', total: '-2.00' }] },
    changedIssues: ['/Items/3/SellAtPricePerUnit price_negative'],
  },
};

for (const [system, { name, header, number, order, total, ...changes }] of Object.entries(SYSTEMS)) {
  /** Creates the handler, and functions that post to it and that read its outbox. */
  async function setUp(t) {
    const folder = folderOf(t);
    const file = join(folder, 'orders.sqlite');
    cpSync(join(root, 'examples/shop-systems', `${system}.mjs`), join(folder, 'webhook.mjs'));
    symlinkSync(join(installedFile(''), '..'), join(folder, 'node_modules'), 'junction');
    const outbox = createOutbox({ client: clientOf('http://127.0.0.1:2'), store: sqliteStore(file) });
    t.after(() => outbox.stop());
    const added = [];
    const spy = { add: (...args) => added.push(args[0]) && outbox.add(.../** @type {[any, any]} */ (args)) };
    const location = { CompanyId: 1000, EntityId: 2000, IntegratorId: INTEGRATOR };
    const settings = { outbox: spy, secret: SECRET, namespace: NAMESPACE, location, articles: ARTICLES, taxId: TAX };
    const { [name]: webhook } = await import(pathToFileURL(join(folder, 'webhook.mjs')).href);
    const handler = webhook(settings);
    const post = async (content, { secret = SECRET, headers = {} } = {}) => {
      const body = typeof content === 'string' ? content : JSON.stringify(content);
      const signature = createHmac('sha256', secret).update(body).digest('base64');
      const request = { method: 'POST', body, headers: { [header]: signature, ...headers } };
      return (await handler(new Request('https://shop.example/webhook', request))).status;
    };
    const entries = () => collected(outbox.list());
    return { outbox, settings, added, post, entries, folder, file };
  }

  test(`${system}: a signed order waits with the shop's number, its total and all its parts, once`, async (t) => {
    const { added, post, entries } = await setUp(t);
    assert.deepEqual([await post(order), await post(order)], [200, 200]);
    const [entry, ...others] = await entries();
    assert.deepEqual([entry.state, entry.reference, others], ['waiting', order[number], []]);
    const preview = core.previewOrder(added[0], { discountValueTypes: { amount: 1, percent: 2 } });
    assert.equal(preview.total, total);
    assert.equal(added[0].Items.length, 4);
    assert.deepEqual(
      preview.issues.filter(({ severity }) => severity === 'error'),
      [],
    );
  });

  test(`${system}: a wrong signature is a 401, a body that is no order a 400, a ping a 200; nothing is stored`, async (t) => {
    const { post, entries } = await setUp(t);
    const wrong = [{ secret: 'other' }, { headers: { [header]: '' } }, { headers: { [header]: 'AAAA' } }];
    for (const options of wrong) assert.equal(await post(order, options), 401);
    for (const body of ['{"line_items": [', 'null', '{"id": 1}', '[]', '']) assert.equal(await post(body), 400, body);
    const ping = await post('webhook_id=7', { headers: { [header]: '' } });
    assert.equal(ping, system === 'woocommerce' ? 200 : 401);
    for (const change of changes.notSent) assert.equal(await post({ ...order, ...change }), 200);
    assert.deepEqual(await entries(), []);
  });

  test(`${system}: an order that is invalid, or whose prices include tax, is kept and shown, also if it is repeated`, async (t) => {
    const { outbox, post, entries } = await setUp(t);
    const unknown = { ...order, line_items: [{ ...order.line_items[0], sku: 'constructor' }] };
    const orders = [{ ...order, ...changes.taxIncluded }, unknown, { ...order, ...changes.changed }];
    for (const [index, content] of [...orders, ...orders].entries())
      assert.equal(await post({ ...content, [number]: `#${index % 3}` }), 200);
    const issuesOf = async ({ orderId }) =>
      (await outbox.get(orderId)).issues
        .filter(({ severity }) => severity === 'error')
        .map(({ pointer, code }) => `${pointer} ${code}`);
    const found = await entries();
    assert.deepEqual(found.map(({ state, reference }) => `${reference} ${state}`).sort(), [
      '#0 invalid',
      '#1 invalid',
      '#2 invalid',
    ]);
    found.sort((a, b) => a.reference.localeCompare(b.reference));
    assert.deepEqual(await Promise.all(found.map(issuesOf)), [
      ['/EntityId location_tax_inclusive'],
      ['/Items/0/CatalogItemId missing'],
      changes.changedIssues,
    ]);
  });

  if (system === 'woocommerce')
    test('woocommerce: an order that is changed after it was accepted stays as it is, and its Id is reported', async (t) => {
      const { added, post, entries } = await setUp(t);
      const { mock } = t.mock.method(console, 'warn', () => {});
      assert.deepEqual([await post(order), await post({ ...order, customer_note: 'ring twice' })], [200, 200]);
      assert.equal((await entries()).length, 1);
      const [first] = added;
      assert.deepEqual(
        mock.calls.map(({ arguments: [line] }) => line),
        [`Order ${first.Id} was changed after it was accepted: correct it by hand`],
      );
    });

  test(`${system}: a store that fails makes the handler reject`, async (t) => {
    const { outbox, post } = await setUp(t);
    await outbox.stop();
    await assert.rejects(post(order), { name: 'OutboxError' });
  });

  test(`${system}: the mapping of the export gives an order the same Id, so that "missing" finds what was not received`, async (t) => {
    const { outbox, post, folder, file } = await setUp(t);
    await post(order);
    await outbox.stop();
    const main = installedFile('dist/cli/main.js');
    const cli = (...args) =>
      spawnSync(process.execPath, ['--no-warnings', main, ...args], { cwd: folder, encoding: 'utf8' });
    const mapping = { ...JSON.parse(cli('mapping', system).stdout), namespace: NAMESPACE };
    writeFileSync(join(folder, 'mapping.json'), JSON.stringify(mapping));
    writeFileSync(join(folder, 'export.csv'), `${mapping.key}\n${order[number]}\n9999\n`);
    const { status, stdout } = cli('outbox', file, 'missing', 'export.csv', '--map', 'mapping.json');
    assert.match(stdout, /9999: never added/);
    assert.match(stdout, new RegExp(`${order[number]}: waiting`));
    assert.equal(status, 1);
  });
}
