/** The shop as its customers see it, in Chromium, up to the till. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  AT_TILL,
  fillBasket,
  openShop,
  order,
  PATIENCE_MS,
  REFUSING,
  stateOf,
  stopBrowser,
  total,
  visit,
  WAITS,
} from './harness.mjs';

after(stopBrowser);
const shop = await openShop({ after });
const { TEST_DATABASE_URL: DATABASE_URL = '' } = process.env;

test('an order goes from the shelf to the till, and the till shows the total that the page estimated', async (t) => {
  const page = await visit(t, shop);
  await fillBasket(page, 'Brewer');
  await page.getByLabel('Sencha Uji, quantity').fill('12.5');
  await total(page).filter({ hasText: '$18.97' }).waitFor();
  assert.match(await total(page).innerText(), /estimate/);
  await order(page);
  await stateOf(page, AT_TILL);

  const [stored] = await shop.ordersOf('Brewer');
  assert.deepEqual(
    stored.order.Items.map(({ Name, Quantity, SellAtPricePerUnit }) => [Name, Quantity, SellAtPricePerUnit]),
    [
      ['Sencha Uji', 12.5, 0.19],
      ['Tea Caddy', 1, 14.5],
    ],
  );
  assert.equal(stored.preview.total, '18.97');
  const till = await page.context().newPage();
  await till.goto(shop.till);
  await till.getByText('Ada Brewer').waitFor();
  await till.getByText('Sencha Uji').waitFor();
  assert.match(await page.getByRole('main').innerText(), new RegExp(`Receipt\\s+${stored.order.ReceiptNumber}`));

  await page.getByRole('button', { name: 'Start another order' }).click();
  await page.getByText('Nothing here yet').waitFor();
});

test('an order can be placed by keyboard alone', async (t) => {
  const page = await visit(t, shop);
  await pressOn(page, page.getByRole('button', { name: 'Add one: Tea Caddy' }), 'Enter');
  await total(page).filter({ hasText: '$' }).waitFor();
  await pressOn(page, page.getByLabel('Tea Caddy, quantity'), 'ControlOrMeta+a');
  await page.keyboard.type('2');
  await pressOn(page, page.getByLabel('First name'));
  await page.keyboard.type('Ada');
  await pressOn(page, page.getByLabel('Last name'));
  await page.keyboard.type('Keyboard');
  await pressOn(page, page.getByRole('button', { name: 'Place the order' }), 'Enter');
  await stateOf(page, AT_TILL);
  // The focus is at the result, from where the next button is reached.
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
  const [stored] = await shop.ordersOf('Keyboard');
  assert.deepEqual(
    stored.order.Items.map(({ Name, Quantity }) => [Name, Quantity]),
    [['Tea Caddy', 2]],
  );
  await pressOn(page, page.getByRole('button', { name: 'Start another order' }), 'Space');
  await page.getByText('Nothing here yet').waitFor();
});

test('an order that the till refuses is reported with the reason', async (t) => {
  const shop = await openShop(t, { ENTITY_ID: REFUSING });
  const page = await visit(t, shop);
  await fillBasket(page, 'Refused');
  await order(page);
  await stateOf(page, 'The till has refused your order.');
  await page.getByText('Our till is not set up for orders from this page.').waitFor();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByText('Unsere Kasse ist für Bestellungen von dieser Seite nicht eingerichtet.').waitFor();
});

test('a price that has changed meanwhile is reported, and the order is placed after the shopper agrees', async (t) => {
  t.after(() => shop.changeCatalogue());
  const page = await visit(t, shop);
  await fillBasket(page, 'Price', ['Sencha Uji']);
  shop.changeCatalogue(({ articles }) => {
    articles[0].price = '0.25';
  });
  await order(page);
  await page.getByRole('alert').filter({ hasText: '$10.68 has become $14.05' }).waitFor();
  await total(page).filter({ hasText: '$14.05' }).waitFor();
  assert.deepEqual(await shop.ordersOf('Price'), []);
  await page.getByRole('button', { name: 'Order at the new price' }).click();
  await stateOf(page, AT_TILL);
  assert.equal((await shop.ordersOf('Price'))[0].preview.subtotal, '12.50');
});

test('an article that is no longer sold leaves the basket, and the shopper agrees to the rest', async (t) => {
  t.after(() => shop.changeCatalogue());
  const page = await visit(t, shop);
  await fillBasket(page, 'Sold');
  shop.changeCatalogue(({ articles }) => articles.shift());
  await order(page);
  await page.getByRole('alert').filter({ hasText: '$26.98 has become $16.30' }).waitFor();
  await page.getByRole('button', { name: 'Order at the new price' }).click();
  await stateOf(page, AT_TILL);
  assert.deepEqual(
    (await shop.ordersOf('Sold'))[0].order.Items.map(({ Name }) => Name),
    ['Tea Caddy'],
  );
});

test('two clicks, and two requests at the same time, make one order', async (t) => {
  const page = await visit(t, shop);
  await fillBasket(page, 'Double');
  const sent = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON()));
  await page.getByRole('button', { name: 'Place the order' }).dblclick();
  await stateOf(page, AT_TILL);
  assert.equal(sent.length, 1);
  const cartId = crypto.randomUUID();
  const another = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...sent[0], cartId }),
  };
  const responses = await Promise.all(Array.from({ length: 8 }, () => fetch(`${shop.url}api/sales`, another)));
  // 200 if the till was quick.
  for (const { status } of responses) assert.ok([200, 202].includes(status), String(status));
  await eventually(async () => assert.equal((await shop.ordersOf('Double')).length, 2));
});

test('a page that is reloaded while it orders shows the order', async (t) => {
  const page = await visit(t, shop);
  await fillBasket(page, 'Reload');
  // The backend has the order, and its response never arrives.
  await page.route('**/api/sales', async (route) => void (await route.fetch()), { times: 1 });
  const posted = page.waitForRequest((request) => request.method() === 'POST');
  await order(page);
  await posted;
  await eventually(async () => assert.equal((await shop.ordersOf('Reload')).length, 1));
  await page.reload();
  await stateOf(page, AT_TILL);
  assert.equal((await shop.ordersOf('Reload')).length, 1);
});

test('a basket survives a reload; names, notes and member numbers are in no storage of the page', async (t) => {
  const page = await visit(t, shop);
  await fillBasket(page, 'Storage');
  await page.getByLabel('Member number').fill('2a8f5d33-eec9-4864-8b49-5636577b40d5');
  await page.getByLabel('A note for us').fill('Ring the bell');
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]),
  );
  assert.match(stored, /quantity/);
  assert.doesNotMatch(stored, /Ada|Storage|2a8f5d33|bell/);
  await page.reload();
  await page.getByLabel('Tea Caddy, quantity').waitFor();
  await total(page).filter({ hasText: '$26.98' }).waitFor();
});

test('while the service is down an order is accepted, and delivered when it is back', async (t) => {
  await shop.stopService();
  const page = await visit(t, shop);
  await fillBasket(page, 'Waiting');
  await order(page);
  await stateOf(page, WAITS);
  await page.getByText('The till can’t be reached at the moment').waitFor();
  await shop.startService();
  await stateOf(page, AT_TILL);
  assert.equal((await shop.ordersOf('Waiting')).length, 1);
});

test('a backend that is killed between accepting and sending loses nothing and doubles nothing', async (t) => {
  await shop.stopService();
  const page = await visit(t, shop);
  await fillBasket(page, 'Killed');
  await order(page);
  await stateOf(page, WAITS);
  await shop.stopBackend('SIGKILL');
  await page.getByText('We can’t reach the shop just now').waitFor();
  await shop.startService();
  await shop.startBackend();
  await stateOf(page, AT_TILL);
  assert.equal((await shop.ordersOf('Killed')).length, 1);
});

test('a backend that is away when the shopper orders can be asked again with the same cart', async (t) => {
  const page = await visit(t, shop);
  await fillBasket(page, 'Away');
  await shop.stopBackend('SIGKILL');
  await order(page);
  await page.getByRole('alert').filter({ hasText: 'Nothing is lost: try again' }).waitFor();
  await shop.startBackend();
  await order(page);
  await stateOf(page, AT_TILL);
  assert.equal((await shop.ordersOf('Away')).length, 1);
});

test('on PostgreSQL a killed backend loses nothing and doubles nothing either', { skip: !DATABASE_URL }, async (t) => {
  const shop = await openShop(t, { DATABASE_URL });
  const page = await visit(t, shop);
  await fillBasket(page, 'Elephant');
  await shop.stopService();
  await order(page);
  await stateOf(page, WAITS);
  await shop.stopBackend('SIGKILL');
  await shop.startService();
  await shop.startBackend();
  await stateOf(page, AT_TILL);
  assert.equal((await shop.ordersOf('Elephant')).length, 1);
});

test('errors are at their fields, in both languages, and the first one gets the focus', async (t) => {
  const page = await visit(t, shop);
  await fillBasket(page, 'Errors');
  const quantity = page.getByLabel('Sencha Uji, quantity');
  await quantity.fill('0');
  await described(quantity, 'Must be more than 0.');
  await total(page).filter({ hasText: 'unknown' }).waitFor();
  await quantity.fill('lots');
  await described(quantity, 'Please enter a number, such as 2 or 12.5.');
  await quantity.fill('0.0005');
  await described(quantity, 'Our scales show at most 3 decimals.');
  await quantity.fill('-1');
  await page.getByLabel('Last name').fill('');
  const member = page.getByLabel('Member number');
  await member.fill('12345');
  await order(page);
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  await described(page.getByLabel('Last name'), 'Please fill this in.');
  await described(member, 'This is not a member number.');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await described(page.getByLabel('Nachname'), 'Bitte ausfüllen.');
  await described(page.getByLabel('Sencha Uji, Menge'), 'Muss mehr als 0 sein.');
  assert.deepEqual(await shop.ordersOf('Errors'), []);
});

test('a tax that nobody has named is unknown, with the reason', async (t) => {
  t.after(() => shop.changeCatalogue());
  shop.changeCatalogue((catalogue) => {
    delete catalogue.taxRates;
  });
  const page = await visit(t, shop);
  await page.getByRole('button', { name: 'Add one: Tea Caddy' }).click();
  await total(page).filter({ hasText: 'unknown' }).waitFor();
  await page.getByText('The till calculates the tax.').waitFor();
});

/** Goes to an element with Tab, which must show that it has the focus, and presses a key there. */
async function pressOn(page, target, key) {
  const isFocused = () => target.evaluate((element) => element === document.activeElement);
  for (let steps = 0; !(await isFocused()); steps++) {
    assert.ok(steps < 40, `${target} is not reached with Tab`);
    await page.keyboard.press('Tab');
  }
  const outline = await target.evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.notEqual(outline, 'none', `${target} shows its focus`);
  if (key) await page.keyboard.press(key);
}

/** Waits for the message that a screen reader reads with a field. */
async function described(field, message) {
  await eventually(async () => {
    const text = await field.evaluate(
      (input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
    );
    assert.ok(text?.includes(message), `${JSON.stringify(text)} has ${message}`);
  });
}

/** Repeats a check until it passes, or the time is over. */
async function eventually(check) {
  for (const end = Date.now() + PATIENCE_MS; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
