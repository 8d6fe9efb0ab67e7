/** Tests the recipes for React and Vue, built by Vite, in Chromium: an edit of a line evaluates the order once. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { program, root, target } from '../../../scripts/places.mjs';
import { listen } from '../../../scripts/ports.mjs';
import { startChromium } from '../../browser/chromium.mjs';

const RECIPES = join(root, 'examples/recipes');
const BUILT = join(target, 'recipes');
const TAX_UNKNOWN = 'Taxes is not supplied: the point of sale calculates the taxes, so tax and total are unknown';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };

let server;
let browser;
let address;

before(async () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [program('vite/bin/vite.js'), 'build', '--outDir', BUILT, '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: RECIPES, encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('Content-Type', TYPES[extname(pathname)] ?? 'text/plain');
    createReadStream(join(BUILT, pathname))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  address = `http://127.0.0.1:${await listen(server)}`;
  browser = await startChromium();
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** Opens a recipe; `evaluated()` returns the names of the items that were read since the last call. */
async function open(recipe) {
  const page = await browser.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  // The evaluator asks for the prototype of an item before it writes its members.
  await page.addInitScript(() => {
    const { getPrototypeOf } = Object;
    globalThis.evaluated = [];
    Object.getPrototypeOf = (value) => {
      if (value?.CatalogItemId) globalThis.evaluated.push(value.Name);
      return getPrototypeOf(value);
    };
  });
  await page.goto(`${address}/${recipe}/index.html`);
  const field = (line, label) => page.getByRole('group', { name: line }).getByLabel(label);
  return {
    page,
    problems,
    quantity: (line) => field(line, 'Quantity'),
    price: (line) => field(line, 'Price'),
    total: () => page.locator('output').textContent(),
    amounts: (line) => page.getByRole('group', { name: line }).locator('dd').allTextContents(),
    issues: () => page.locator('small').allTextContents(),
    button: page.getByRole('button', { name: 'Send' }),
    evaluated: () => page.evaluate(() => globalThis.evaluated.splice(0)),
  };
}

const ITEMS = ['Green tea', 'House blend', 'Honey'];

for (const recipe of ['react', 'vue']) {
  describe(`the recipe for ${recipe}`, () => {
    test('shows the total of the order, and that it can be sent', async () => {
      const { total, issues, button, evaluated, problems } = await open(recipe);
      assert.equal(await total(), '56.48');
      assert.deepEqual(await issues(), []);
      assert.equal(await button.isEnabled(), true);
      assert.deepEqual(await evaluated(), ITEMS);
      assert.deepEqual(problems, []);
    });

    test('an edit of one line evaluates the order once', async () => {
      const { quantity, price, total, evaluated, problems } = await open(recipe);
      await evaluated();
      await quantity('House blend').fill('3');
      assert.equal(await total(), '81.48');
      assert.deepEqual(await evaluated(), ITEMS);
      await price('Honey').fill('8.01');
      assert.equal(await total(), '81.49');
      assert.deepEqual(await evaluated(), ITEMS);
      assert.deepEqual(problems, []);
    });

    test('each line has its amounts, and an unknown one says why', async () => {
      const { quantity, amounts, problems } = await open(recipe);
      const untaxed = `unknown: ${TAX_UNKNOWN}`;
      assert.deepEqual(await amounts('Green tea'), ['39.98', '0.00', untaxed, untaxed]);
      assert.deepEqual(await amounts('Honey'), ['4.00', '0.00', untaxed, untaxed]);
      await quantity('Honey').fill('1.');
      const wrong = 'unknown: Quantity must be a decimal number';
      assert.deepEqual(await amounts('Honey'), [wrong, '0.00', wrong, wrong]);
      assert.deepEqual(await amounts('Green tea'), ['39.98', '0.00', untaxed, untaxed]);
      await quantity('Honey').fill('1.5');
      assert.deepEqual(await amounts('Honey'), ['12.00', '0.00', untaxed, untaxed]);
      assert.deepEqual(problems, []);
    });

    test('an issue is shown at its field until the value is valid again', async () => {
      const { page, quantity, total, issues, button } = await open(recipe);
      await quantity('House blend').fill('0');
      assert.deepEqual(await issues(), ['Quantity must be greater than 0']);
      assert.equal(await page.getByRole('group', { name: 'House blend' }).locator('small').count(), 1);
      assert.equal(await quantity('House blend').getAttribute('aria-invalid'), 'true');
      assert.equal(await quantity('Honey').getAttribute('aria-invalid'), 'false');
      assert.equal(await button.isDisabled(), true);
      await quantity('House blend').fill('');
      assert.equal(await total(), 'unknown');
      await quantity('House blend').fill('1');
      assert.equal(await total(), '56.48');
      assert.deepEqual(await issues(), []);
      assert.equal(await button.isEnabled(), true);
    });
  });
}
