/** The response of the shop's check-out, from its backend alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { startShop } from '../../examples/shop.mjs';
import { answer, startFaultServer } from '../client/fault-server.mjs';

const { articles } = JSON.parse(readFileSync(join(root, 'examples/shop/catalogue.json'), 'utf8'));
/** Of the caddy, with the taxes of the catalogue. */
const TOTAL = '16.30';
const caddy = articles.find(({ name }) => name === 'Tea Caddy');

async function openShop(t) {
  const folder = mkdtempSync(join(tmpdir(), 'sales-order-shop-'));
  const till = await startFaultServer();
  const shop = await startShop({
    INTAKE_URL: till.baseUrl,
    INTAKE_TOKEN: 'token-of-the-tests',
    DATABASE_FILE: join(folder, 'shop.sqlite'),
    PORT: '0',
  });
  t.after(async () => {
    await shop.stop('SIGKILL');
    await till.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = async (path, init) => {
    const response = await fetch(`${shop.url}api/sales${path}`, init);
    return { status: response.status, sale: await response.json().catch(() => null) };
  };
  const post = (cartId, changes = {}, body = '') => {
    const sale = {
      cartId,
      lines: [{ articleId: caddy.id, quantity: '1' }],
      total: TOTAL,
      customer: { FirstName: 'Ada', LastName: 'Brewer', CustomerId: null },
      ...changes,
    };
    const headers = { 'Content-Type': 'application/json' };
    return ask('', { method: 'POST', headers, body: body || JSON.stringify(sale) });
  };
  return { till, post, get: (cartId) => ask(`/${cartId}`) };
}

test('the check-out responds with the receipt if the till is quick', async (t) => {
  const { post, get, till } = await openShop(t);
  // A busy machine may take longer than the check-out waits: then another cart.
  let cartId = '';
  let response;
  do {
    cartId = randomUUID();
    response = await post(cartId);
  } while (response.status === 202 && till.orders.size < 60);
  const { status, sale } = response;
  assert.deepEqual([status, sale.state, sale.isDelayed], [200, 'created', false]);
  assert.ok(sale.receipt);
  assert.deepEqual((await get(cartId)).sale, sale);
  // Posting it again changes nothing.
  assert.deepEqual(await post(cartId), { status: 200, sale });
  assert.equal(till.requests.filter(({ body }) => body.includes(sale.orderId)).length, 1);
});

test('a total in another notation is the same amount, a changed one is reported, and what is no decimal is a bad request', async (t) => {
  const { post, get } = await openShop(t);
  for (const total of ['63,54', '', 'free', '1'.repeat(40), null, undefined, 63.54, {}, []]) {
    const cartId = randomUUID();
    const { status } = await post(cartId, { total });
    assert.equal(status, 400, String(total));
    assert.equal((await get(cartId)).sale, null);
  }
  const { status, sale } = await post(randomUUID(), { total: '1.00' });
  assert.deepEqual([status, sale], [409, { code: 'price_changed', from: '1.00', to: TOTAL }]);
  for (const total of [`${TOTAL}00`, '16.3', ` ${TOTAL} `])
    assert.ok((await post(randomUUID(), { total })).status < 300, total);
});

test('a quantity that costs nothing, and bodies that are no sale or too long, are refused with what is wrong', async (t) => {
  const { post } = await openShop(t);
  const lines = [{ articleId: articles[0].id, quantity: '0.001' }];
  const { status, sale } = await post(randomUUID(), { lines, total: '0' });
  assert.deepEqual([status, sale.code], [409, 'invalid']);
  assert.equal((await post(randomUUID(), { lines: '['.repeat(70_000) })).status, 413);
  assert.equal((await post('', {}, '{bad')).status, 400);
});

test('while the till is slow the check-out responds without a receipt, and the page asks again', async (t) => {
  const { post, get, till } = await openShop(t);
  let release = () => {};
  const released = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  till.playAlways(async ({ response, store }) => {
    store();
    await released;
    answer(201, '')({ response });
  });
  const cartId = randomUUID();
  const { status, sale } = await post(cartId);
  assert.deepEqual([status, sale.state, sale.receipt], [202, 'accepted', null]);
  release();
  for (const endsAt = Date.now() + 120_000; (await get(cartId)).sale.state !== 'created'; ) {
    assert.ok(Date.now() < endsAt, 'created after the till has answered');
  }
});
