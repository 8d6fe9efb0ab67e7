/** The files that the page loads, and its content security policy. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { AT_TILL, fillBasket, openShop, order, startBrowser, stateOf, stopBrowser, total, visit } from './harness.mjs';

const SHOP = join(root, 'examples/shop');
const LINES = 650;

after(stopBrowser);
const shop = await openShop({ after });

test('the first load has no core; the core is loaded when something is in the basket', async (t) => {
  const context = await (await startBrowser()).newContext({ locale: 'en-CA' });
  t.after(() => context.close());
  const page = await context.newPage();
  const loaded = [];
  page.on('response', (response) => loaded.push(response));
  await page.goto(shop.url, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Add one: Tea Caddy' }).waitFor();
  const scripts = async () => {
    const all = loaded.filter((response) => response.url().endsWith('.js'));
    return (await Promise.all(all.map((response) => response.text()))).filter((text) => text.includes('WebAssembly'));
  };
  assert.ok(loaded.some((response) => response.url().endsWith('.js')));
  assert.equal((await scripts()).length, 0);
  await page.getByRole('button', { name: 'Add one: Tea Caddy' }).click();
  await total(page).filter({ hasText: '$16.30' }).waitFor();
  assert.equal((await scripts()).length, 1);
});

test('the policy permits WebAssembly and no eval, and an order violates nothing of it', async (t) => {
  const page = await visit(t, shop);
  const policy = (await page.request.get(shop.url)).headers()['content-security-policy'] ?? '';
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'(;|$)/);
  assert.doesNotMatch(policy, /'unsafe-(eval|inline)'|\*/);
  await page.evaluate(() => {
    Object.assign(window, { violations: [] });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      /** @type {any} */ (window).violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  await fillBasket(page, 'Brewer');
  await order(page);
  await stateOf(page, AT_TILL);
  assert.deepEqual(await page.evaluate('violations'), []);
  // The events are reported: here is one.
  await page.addScriptTag({ content: '1' }).catch(() => {});
  await page.waitForFunction('violations.length > 0');
});

test('the token is in nothing that the shop serves', async (t) => {
  const token = process.env.SALES_ORDER_INTAKE_DEMO_TOKEN ?? '';
  assert.ok(token.length > 20);
  const page = await visit(t, shop);
  const texts = [];
  page.on('response', async (response) =>
    texts.push(await response.text().catch(() => ''), JSON.stringify(response.headers())),
  );
  await page.reload();
  await fillBasket(page, 'Brewer');
  await order(page);
  await stateOf(page, AT_TILL);
  assert.ok(texts.length > 10);
  for (const text of texts) assert.ok(!text.includes(token));
});

test(`the shop has fewer than ${LINES} lines with code, without blank lines, comments and styles`, () => {
  const files = ['server', 'shared', 'web', 'vite.config.ts'].flatMap((part) => codeFilesIn(join(SHOP, part)));
  assert.ok(files.length > 20);
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const code = lines.filter((line) => !/^\s*(\/\/|\/\*|\*|\{\/\*|<!--|$)/.test(line));
  assert.ok(code.length < LINES, `${code.length} lines`);
});

function codeFilesIn(path) {
  if (statSync(path).isDirectory()) return readdirSync(path).flatMap((name) => codeFilesIn(join(path, name)));
  return /\.(tsx?|html)$/.test(path) ? [path] : [];
}
