/** The page for operators in the shop: behind a password, with a policy of its own, and able to change orders. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openShop, stopBrowser, visit } from './harness.mjs';

after(stopBrowser);
const shop = await openShop({ after }, { OFFICE_PASSWORD: 'secret' });

test('an operator signs in, and finds an order by its Id', async (t) => {
  const page = await visit(t, shop, { httpCredentials: { username: 'operator', password: 'secret' } });
  await page.goto(`${shop.url}office`);
  await page.getByRole('heading', { level: 1, name: 'Orders of Old Mill Tea' }).waitFor();
  const [size, colour] = await page
    .getByRole('link', { name: /^created/ })
    .evaluate((link) => [link.clientHeight, getComputedStyle(link).borderRadius]);
  assert.ok(Number(size) > 24 && colour !== '0px', 'the policy of the shop would permit no style sheet');
  await page.getByRole('searchbox').fill('2a8f5d33-eec9-4864-8b49-5636577b40d5');
  await page.getByRole('search').getByRole('button', { name: 'Find' }).click();
  await page.getByText('There are none.').last().waitFor();
});

test('nobody else sees it, and a shop without a password has none', async (t) => {
  assert.equal((await fetch(`${shop.url}office`)).status, 401);
  const other = await openShop(t);
  assert.equal((await fetch(`${other.url}office`)).status, 404);
});
