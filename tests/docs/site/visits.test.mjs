/** The built site in Chromium: how much a first visit loads, the search, and the links to the playground. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { openSite, PATIENCE } from '../site.mjs';

const site = await openSite();
after(() => site.close());

/** Bytes, as a server that compresses with brotli sends them. */
const LARGEST_FIRST_LOAD = 200_000;

for (const path of ['', 'guides/node-backend.html']) {
  test(`the first visit of /${path} loads less than ${LARGEST_FIRST_LOAD / 1000} KB`, async () => {
    const context = await site.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    /** @type {Promise<Buffer>[]} */
    const bodies = [];
    page.on('response', (response) => bodies.push(response.body()));
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + brotliCompressSync(body).length, 0);
    console.log(`first visit of /${path}: ${bodies.length} files, ${bytes.toLocaleString('en')} bytes brotli`);
    assert.ok(bodies.length > 3);
    assert.ok(bytes < LARGEST_FIRST_LOAD);
    await context.close();
  });
}

test('the search finds the page of an issue code, and opens it', async () => {
  const page = await site.page('');
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click();
  await page.locator('.VPLocalSearchBox input').fill('not_a_decimal');
  const result = page.locator('.VPLocalSearchBox .result').first();
  await result.waitFor(PATIENCE);
  assert.match(await result.innerText(), /not_a_decimal/);
  await result.click();
  await page.waitForURL(/issue-codes\/not_a_decimal/, PATIENCE);
  await page.getByRole('heading', { level: 1, name: 'not_a_decimal' }).waitFor();
  await page.context().close();
});

test('the search finds a word of a guide', async () => {
  const page = await site.page('reference/decisions.html');
  await page.keyboard.press('Control+k');
  await page.locator('.VPLocalSearchBox input').fill('outbox');
  await page.locator('.VPLocalSearchBox .result[href*="guides/outbox"]').first().waitFor(PATIENCE);
  await page.context().close();
});

for (const [word, href] of Object.entries({
  trace: /guides\/traces/,
  retryAll: /guides\/outbox/,
  certificate: /guides\/|concepts\/|reference\/reasons/,
  'lost response': /concepts\/lost-response/,
  docUrl: /concepts\/order-fates/,
}))
  test(`the search for "${word}" finds a guide before a member of the API`, async () => {
    const page = await site.page('');
    await page.keyboard.press('Control+k');
    await page.locator('.VPLocalSearchBox input').fill(word);
    const result = page.locator('.VPLocalSearchBox .result').first();
    await result.waitFor(PATIENCE);
    assert.match((await result.getAttribute('href')) ?? '', href);
    await page.context().close();
  });

test('"Open in the playground" opens the order of the example in the editor, with its issue', async () => {
  const page = await site.page('reference/issue-codes/not_a_decimal.html');
  const [playground] = await Promise.all([
    page.context().waitForEvent('page', PATIENCE),
    page.getByRole('link', { name: 'Open in the playground' }).first().click(),
  ]);
  await playground.getByText('Cannot be sent').first().waitFor(PATIENCE);
  assert.equal(await playground.locator('[id="/Items/0/SellAtPricePerUnit"]').inputValue(), '$19.99');
  assert.match(await playground.locator('[id="/Items/0/SellAtPricePerUnit!"]').innerText(), /must be a decimal number/);
  assert.equal(new URL(playground.url()).hash, '');
  await page.context().close();
});

test('the corrected order of the example has no issue in the playground', async () => {
  const page = await site.page('reference/issue-codes/not_a_decimal.html');
  const href = await page.getByRole('link', { name: 'Open in the playground' }).nth(1).getAttribute('href');
  await page.goto(new URL(href ?? '', site.url).href);
  await page.getByText('Ready to send').first().waitFor(PATIENCE);
  assert.equal(await page.locator('[id="/Items/0/SellAtPricePerUnit"]').inputValue(), '19.99');
  await page.context().close();
});

test('an example in JavaScript opens in the playground', async () => {
  const page = await site.page('concepts/lost-response.html');
  const href = await page.getByRole('link', { name: 'Open in the playground' }).first().getAttribute('href');
  await page.goto(new URL(href ?? '', site.url).href);
  await page.getByText('Ready to send').first().waitFor(PATIENCE);
  assert.equal(await page.locator('[id="/Items/0/SellAtPricePerUnit"]').inputValue(), '19.99');
  await page.context().close();
});

test('the switch of light and dark changes the diagrams too', async () => {
  const page = await site.page('reference/performance.html', { colorScheme: 'light' });
  const colour = () =>
    page
      .locator('svg.diagram text')
      .first()
      .evaluate((text) => getComputedStyle(text).fill);
  const light = await colour();
  await page.getByRole('switch').first().click();
  assert.equal(await page.evaluate(() => document.documentElement.classList.contains('dark')), true);
  assert.notEqual(await colour(), light);
  await page.context().close();
});

test('nothing is requested from elsewhere', () => assert.deepEqual(site.external, []));

test('no request fails, and no page reports an error', () => assert.deepEqual(site.failures, []));
