/** A shop with its backend, the reference service, and a shopper's browser. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';
import { startDemoService } from '../../scripts/service.mjs';
import { startShop } from '../../examples/shop.mjs';
import { startChromium } from '../browser/chromium.mjs';

/** Only a hang takes as long. */
export const PATIENCE_MS = 120_000;
const CATALOGUE = readFileSync(join(root, 'examples/shop/catalogue.json'), 'utf8');
/** The location whose orders the reference service accepts, and one that it refuses: its prices include tax. */
export const ACCEPTING = '2302';
export const REFUSING = '2303';

// Both the service and the shop take it, so that it survives a restart of the service.
process.env.SALES_ORDER_INTAKE_DEMO_TOKEN = `${randomUUID()}-${randomUUID()}`;

let browser;

/** Starts Chromium once for all tests of a file. */
export async function startBrowser() {
  browser ??= await startChromium();
  return browser;
}

export async function stopBrowser() {
  await browser?.close();
}

/**
 * Opens a shop with a service of its own. Both end with the test, or with all tests of the file.
 *
 * @param {{ after(end: () => Promise<void>): void }} scope
 * @param {Record<string, string>} [settings]
 */
export async function openShop(scope, settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sales-order-shop-'));
  const catalogue = join(folder, 'catalogue.json');
  writeFileSync(catalogue, CATALOGUE);
  // Any free port at the first start, and the same again after that.
  const addresses = { service: '127.0.0.1:0', shop: '127.0.0.1:0' };
  let service;
  let backend;
  const shop = {
    url: '',
    till: '',
    async startService() {
      const port = Number(addresses.service.split(':')[1]);
      service = await startDemoService({ keep: join(folder, 'till.ndjson'), port });
      addresses.service = new URL(service.baseUrl).host;
      shop.till = `${service.baseUrl}/pos/1501/${ACCEPTING}`;
    },
    async stopService() {
      await service?.stop();
      service = undefined;
    },
    async startBackend() {
      backend = await startShop({
        INTAKE_URL: `http://${addresses.service}`,
        INTAKE_TOKEN: process.env.SALES_ORDER_INTAKE_DEMO_TOKEN ?? '',
        DATABASE_FILE: join(folder, 'shop.sqlite'),
        CATALOGUE: catalogue,
        PORT: addresses.shop.split(':')[1] ?? '',
        ...settings,
      });
      shop.url = backend.url;
      addresses.shop = new URL(backend.url).host;
    },
    /** @param {NodeJS.Signals} [signal] */
    async stopBackend(signal) {
      await backend?.stop(signal);
      backend = undefined;
    },
    /** Changes the backend's own catalogue; without a change, puts it back. */
    changeCatalogue(change = (_catalogue) => {}) {
      const content = JSON.parse(CATALOGUE);
      change(content);
      writeFileSync(catalogue, JSON.stringify(content));
    },
    /** Returns the orders of a customer at the till. */
    async ordersOf(lastName) {
      const response = await fetch(`${shop.till}.json`);
      return (await response.json()).orders.filter(({ order }) => order.LastName === lastName);
    },
  };
  scope.after(async () => {
    await shop.stopBackend();
    await shop.stopService();
    rmSync(folder, { recursive: true, force: true });
  });
  await shop.startService();
  await shop.startBackend();
  return shop;
}

/**
 * Opens the shop in a browser tab of the test's own, in English.
 *
 * @param {import('node:test').TestContext} t
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function visit(t, shop, options = {}) {
  const context = await (await startBrowser()).newContext({
    locale: 'en-CA',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  t.after(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(shop.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Puts articles into the basket and fills in the names, as a shopper who is about to order. */
export async function fillBasket(page, lastName, articles = ['Sencha Uji', 'Tea Caddy']) {
  for (const name of articles) await page.getByRole('button', { name: new RegExp(`^Add .*: ${name}$`) }).click();
  await total(page).filter({ hasText: '$' }).waitFor();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill(lastName);
}

export const total = (page) => page.getByRole('status').filter({ hasText: 'Total' });

export const order = (page) => page.getByRole('button', { name: 'Place the order' }).click();

/** Waits for the state of the order on the page. */
export const stateOf = (page, text) => page.getByRole('heading', { level: 1, name: text }).waitFor();
export const AT_TILL = 'Your order is at the till.';
export const WAITS = 'We have your order.';
