/**
 * The page of an outbox in Chromium, without JavaScript: by mouse and by keyboard, on a phone and a desktop, in both
 * colour schemes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { numbered } from '../outbox/harness.mjs';
import { creates, openPage, refuses, served } from '../outbox/operator.mjs';
import { assertAccessible } from './axe.mjs';
import { startChromium } from './chromium.mjs';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const HOSTILE = '<script>document.title = "owned"</script><img src=x onerror="document.title = \'owned\'">';
const OPERATOR = { username: 'operator', password: 'secret' };
/** Only a hang takes as long. */
const PATIENCE_MS = 120_000;

let chromium;
before(async () => {
  chromium = await startChromium();
});
after(() => chromium?.close());

/**
 * Opens an outbox with a refused order, one that waits because of a pause, an invalid and a created one; and its page, in a
 * tab.
 */
async function visit(t, options = {}, settings = {}) {
  const office = await openPage(t, settings);
  await office.settled(numbered(0));
  office.respond = refuses(HOSTILE);
  await office.settled(numbered(1, { Notes: `${HOSTILE}\r\nsecond line` }), HOSTILE);
  const [tea] = numbered(3).Items;
  const invalid = numbered(3, {
    EntityId: HOSTILE,
    [HOSTILE]: HOSTILE,
    Items: [{ ...tea, Quantity: 0 }, { Name: HOSTILE }],
  });
  await office.outbox.add(invalid, { invalid: 'keep', reference: '1042' });
  office.respond = () => new Response('', { status: 401 });
  await office.outbox.add(numbered(2));
  await office.until(async () => (await office.outbox.counts()).pause, 'the pause');
  const origin = await served(t, office.page);
  const context = await chromium.newContext({
    httpCredentials: OPERATOR,
    javaScriptEnabled: false,
    viewport: SIZES[1],
    ...options,
  });
  t.after(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  const tab = await context.newPage();
  const address = `${origin}/office/orders`;
  assert.equal((await tab.goto(address))?.status(), 200);
  return { office, tab, address };
}

test('a refused order is found, corrected and sent, by mouse, at the path that the page is mounted at', async (t) => {
  const { office, tab, address } = await visit(t);
  const { body } = await office.outbox.get(numbered(1).Id);
  assert.match(await tab.getByRole('main').innerText(), /All deliveries are paused/);
  await tab.getByRole('navigation').getByRole('link', { name: 'refused 1' }).click();
  await tab.getByRole('link', { name: numbered(1).Id }).click();
  assert.match(await tab.getByRole('main').innerText(), /<script>document\.title = "owned"<\/script>/);
  await tab.getByRole('link', { name: 'Correct the order' }).click();
  assert.equal(await tab.getByRole('textbox', { name: /^Notes/ }).inputValue(), `${HOSTILE}\nsecond line`);
  const quantity = tab.getByRole('textbox', { name: /^Quantity/ });
  await quantity.fill('0');
  await tab.getByRole('button', { name: 'Send corrected order' }).click();
  assert.match(await tab.getByRole('list', { name: 'Issues' }).innerText(), /Quantity must be greater than 0/);
  assert.deepEqual([await quantity.inputValue(), await quantity.getAttribute('aria-invalid')], ['0', 'true']);
  await tab.getByRole('link', { name: 'Quantity must be greater than 0' }).click();
  assert.ok(await quantity.isVisible());
  await quantity.fill('2.50');
  await tab.getByRole('button', { name: 'Check' }).click();
  assert.match(await tab.locator('#correct').innerText(), /Subtotal\s+49\.98/);
  office.respond = creates;
  await tab.getByRole('button', { name: 'Send corrected order' }).click();
  await tab.getByRole('status').filter({ hasText: 'has replaced the earlier one' }).waitFor();
  assert.ok(tab.url().startsWith(`${address}?order=`));
  await office.until(async () => (await office.stateOf(numbered(1))) === 'created', 'the creation');
  // Nothing but the quantity has changed: no line break, no member, no digit.
  const sent = await office.outbox.get(numbered(1).Id);
  assert.equal(sent.body, body.replace('"Quantity":2,', '"Quantity":2.50,'));
  await tab.getByRole('link', { name: 'Orders', exact: true }).click();
  assert.equal(tab.url(), `${address}?`);
  assert.equal(await tab.title(), 'Orders');
});

test('an invalid order is found by its number, and gets an item more and one less, without JavaScript', async (t) => {
  const { office, tab } = await visit(t);
  await tab.getByRole('searchbox', { name: /Order number/ }).fill('104');
  await tab.getByRole('button', { name: 'Find' }).first().click();
  await tab.getByRole('link', { name: '1042' }).click();
  await tab.getByRole('link', { name: 'Correct the order' }).click();
  await tab.getByRole('button', { name: 'Add an item' }).click();
  const item = (number) => tab.getByRole('group', { name: new RegExp(`^Item ${number}`) });
  await item(1).getByLabel('Quantity').fill('1');
  await item(2).getByLabel('Remove').check();
  const [tea] = numbered(3).Items;
  const typed = { Name: 'Honey', Quantity: '0.125', SellAtPricePerUnit: '8', CatalogItemId: tea.CatalogItemId };
  for (const [name, value] of Object.entries(typed)) await item(3).locator(`[name$="/${name}"]`).fill(value);
  await tab.getByLabel(/^Location/).fill('2000');
  // The Enter key checks the order, and sends nothing.
  await tab.getByLabel(/^Location/).press('Enter');
  await tab.getByRole('group', { name: 'Item 2: 1.00' }).waitFor();
  assert.equal(await office.stateOf(numbered(3)), 'invalid');
  await tab.getByRole('button', { name: 'Send corrected order' }).click();
  await tab.getByRole('status').waitFor();
  const { body } = await office.outbox.get(numbered(3).Id);
  assert.match(body, /"Quantity":1,.*"Quantity":0\.125,"SellAtPricePerUnit":8[,}]/);
});

test('with the keyboard alone an order is opened and cancelled, and the focus is always to be seen', async (t) => {
  const { office, tab } = await visit(t);
  const focused = tab.locator(':focus-visible');
  const reach = async (name) => {
    for (let presses = 0; presses < 100; presses++) {
      await tab.keyboard.press('Tab');
      assert.equal(await focused.count(), 1);
      if ((await focused.innerText()).includes(name)) return;
    }
    assert.fail(`${name} was not reached`);
  };
  await reach(numbered(2).Id);
  await tab.keyboard.press('Enter');
  await tab.getByRole('heading', { level: 1, name: numbered(2).Id }).waitFor();
  await reach('Cancel the order');
  await tab.keyboard.press('Enter');
  await reach('Cancel the order');
  await tab.keyboard.press('Enter');
  await tab.getByRole('status').filter({ hasText: 'The order was cancelled' }).waitFor();
  assert.equal(await office.stateOf(numbered(2)), 'cancelled');
});

test('axe finds nothing, nothing overflows, controls are large enough and no text is markup, at both widths and in both schemes', async (t) => {
  const authorize = ({ headers }) => headers.has('authorization') && HOSTILE;
  for (const locale of ['en', 'de']) {
    const title = `Orders ${HOSTILE}`;
    const { tab, address } = await visit(t, { javaScriptEnabled: true, bypassCSP: true }, { authorize, title, locale });
    const views = {
      list: '',
      'no entries': '?state=stalled&reason=Deadline&location=1000/2000&age=over-week',
      'a wrong filter': '?location=x',
      refused: `?order=${numbered(1).Id}`,
      'to be corrected': `?order=${numbered(1).Id}&contents=shown&correct=shown&done=retry`,
      invalid: `?order=${numbered(3).Id}&correct=shown`,
      created: `?order=${numbered(0).Id}&contents=shown`,
      unknown: `?order=${encodeURIComponent(HOSTILE)}`,
    };
    // German words are longer, which matters where they are beside each other.
    const inGerman = ['list', 'refused', 'invalid'];
    for (const [view, query] of Object.entries(views)) {
      if (locale === 'de' && !inGerman.includes(view)) continue;
      await tab.goto(address + query);
      await tab.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      for (const viewport of SIZES)
        for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
          await tab.setViewportSize(viewport);
          await tab.emulateMedia({ colorScheme });
          const where = `${view}, ${locale}, ${viewport.width} pixels, ${colorScheme}`;
          await assertAccessible(tab, where);
          const heights = await tab
            .locator('button, input:not([type=hidden], [type=checkbox]), label:has([type=checkbox]), select, summary')
            .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect().height));
          assert.ok(Math.min(44, ...heights) >= 40, `${where}: ${heights}`);
          if (process.env.PICTURES)
            await tab.screenshot({ path: `${process.env.PICTURES}/page-${where}.png`, fullPage: true });
        }
      assert.equal(await tab.title(), title);
      assert.equal(await tab.locator('script, img').count(), 0);
    }
  }
});
