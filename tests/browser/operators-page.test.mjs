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

/** Opens an outbox with a refused order, one that waits because of a pause, and a created one; and its page, in a tab. */
async function visit(t, options = {}) {
  const office = await openPage(t);
  await office.settled(numbered(0));
  office.respond = refuses(HOSTILE);
  await office.settled(numbered(1, { Notes: HOSTILE }));
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
  assert.match(await tab.getByRole('main').innerText(), /All deliveries are paused/);
  await tab.getByRole('link', { name: 'refused 1' }).click();
  await tab.getByRole('link', { name: numbered(1).Id }).click();
  assert.match(await tab.getByRole('main').innerText(), /<script>document\.title = "owned"<\/script>/);
  await tab.getByRole('link', { name: 'Correct the order' }).click();
  const form = tab.getByRole('textbox', { name: /The corrected order in JSON/ });
  const text = await form.inputValue();
  assert.deepEqual(JSON.parse(text).Notes, HOSTILE);
  await form.fill(text.replace(/"Quantity": [\d.]+/, '"Quantity": 0'));
  await tab.getByRole('button', { name: 'Replace and send' }).click();
  assert.match(
    await tab.locator('form').getByRole('list', { name: 'Issues' }).innerText(),
    /Quantity must be greater than 0/,
  );
  assert.match(await form.inputValue(), /"Quantity": 0,/);
  await form.fill(text);
  office.respond = creates;
  await tab.getByRole('button', { name: 'Replace and send' }).click();
  await tab.getByRole('status').filter({ hasText: 'has replaced the earlier one' }).waitFor();
  assert.ok(tab.url().startsWith(`${address}?order=`));
  await office.until(async () => (await office.stateOf(numbered(1))) === 'created', 'the creation');
  await tab.getByRole('link', { name: 'Orders', exact: true }).click();
  assert.equal(tab.url(), `${address}?`);
  assert.equal(await tab.title(), 'Orders');
});

test('with the keyboard alone an order is opened and withdrawn, and the focus is always to be seen', async (t) => {
  const { office, tab } = await visit(t);
  const focused = tab.locator(':focus-visible');
  const reach = async (name) => {
    for (let presses = 0; presses < 60; presses++) {
      await tab.keyboard.press('Tab');
      assert.equal(await focused.count(), 1);
      if ((await focused.innerText()).includes(name)) return;
    }
    assert.fail(`${name} was not reached`);
  };
  await reach(numbered(2).Id);
  await tab.keyboard.press('Enter');
  await tab.getByRole('heading', { level: 1, name: numbered(2).Id }).waitFor();
  await reach('Withdraw the order');
  await tab.keyboard.press('Enter');
  await reach('Withdraw the order');
  await tab.keyboard.press('Enter');
  await tab.getByRole('status').filter({ hasText: 'The order was withdrawn' }).waitFor();
  assert.equal(await office.stateOf(numbered(2)), 'cancelled');
});

test('axe finds nothing, nothing overflows, and controls are large enough, at both widths and in both schemes', async (t) => {
  const { tab, address } = await visit(t, { javaScriptEnabled: true, bypassCSP: true });
  const views = {
    list: '',
    'no entries': '?state=stalled&reason=Deadline&location=1000/2000&age=over-week',
    'a wrong filter': '?location=x',
    refused: `?order=${numbered(1).Id}`,
    'to be corrected': `?order=${numbered(1).Id}&contents=shown&done=retry`,
    created: `?order=${numbered(0).Id}&contents=shown`,
    unknown: '?order=x',
  };
  for (const [view, query] of Object.entries(views)) {
    await tab.goto(address + query);
    await tab.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    for (const viewport of SIZES)
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        await tab.setViewportSize(viewport);
        await tab.emulateMedia({ colorScheme });
        const where = `${view}, ${viewport.width} pixels, ${colorScheme}`;
        await assertAccessible(tab, where);
        const heights = await tab
          .locator('button, input:not([type=hidden]), select, summary')
          .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect().height));
        assert.ok(Math.min(44, ...heights) >= 40, `${where}: ${heights}`);
        if (process.env.PICTURES)
          await tab.screenshot({ path: `${process.env.PICTURES}/${where}.png`, fullPage: true });
      }
    assert.equal(await tab.title(), 'Orders');
  }
});
