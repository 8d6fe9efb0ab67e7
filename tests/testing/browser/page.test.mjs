/** Tests the reference service in a real browser: as the client's fetch, and in the service worker of Mock Service Worker. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { listen } from '../../../scripts/ports.mjs';
import { startChromium } from '../../browser/chromium.mjs';
import { installedFile } from '../../node/installed.mjs';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const contents = (msw) => `
  import * as client from 'sales-order-intake/client';
  import * as testing from 'sales-order-intake/testing';
  import { http } from '${msw}';
  import { setupWorker } from '${msw}/browser';
  Object.assign(globalThis, { client, testing, http, setupWorker });
`;
/** The two newest major versions of Mock Service Worker, as the repository installs them. */
const VERSIONS = ['msw', 'msw-2'];
const ORDER = {
  ...{
    Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5',
    CompanyId: 1501,
    EntityId: 2301,
    IntegratorId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  },
  Items: [
    {
      Name: 'Pre-roll',
      CatalogItemId: 'c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e',
      Quantity: '3.5',
      SellAtPricePerUnit: '12.50',
    },
  ],
};

const servers = [];
let chromium;

before(async () => {
  chromium = await startChromium();
});

after(async () => {
  await chromium?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Serves a page with the package and a version of Mock Service Worker; returns its address. */
async function serve(msw) {
  const alias = { '': 'index', '/client': 'client/index', '/testing': 'testing/index' };
  const script = await build({
    stdin: { contents: contents(msw), resolveDir: FOLDER },
    ...{ bundle: true, format: 'iife', platform: 'browser', write: false },
    alias: Object.fromEntries(
      Object.entries(alias).map(([entry, file]) => [
        `sales-order-intake${entry}`,
        installedFile(`dist/esm/${file}.js`),
      ]),
    ),
  });
  const files = {
    '/': ['text/html', '<!doctype html><script src="/page.js"></script>'],
    '/page.js': ['text/javascript', script.outputFiles[0].text],
    '/mockServiceWorker.js': [
      'text/javascript',
      readFileSync(new URL(import.meta.resolve(`${msw}/mockServiceWorker.js`))),
    ],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, content] = files[url] ?? ['text/plain', ''];
    response.writeHead(files[url] ? 200 : 404, { 'Content-Type': type }).end(content);
  });
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}/`;
}

/** Runs a function in a new page, with an order. */
async function inPage(address, action) {
  const page = await chromium.newPage();
  await page.goto(address);
  return page.evaluate(action, ORDER);
}

test('the reference service works in a page as the fetch of the client', async () => {
  const answer = await inPage(await serve('msw'), async (input) => {
    const { baseUrl, token, fetch, failNext, orders } = testing.createTestService();
    failNext('drop-after');
    const sender = client.createClient({ baseUrl, token: () => token, fetch, retry: { baseMs: 0 } });
    const { status, attempts, order } = await sender.createOrder(input);
    return [status, attempts, order?.ReceiptNumber, order?.Items?.[0]?.SellAtPricePerUnit, orders.length];
  });
  assert.deepEqual(answer, [200, 2, '1', '12.50', 1]);
});

for (const msw of VERSIONS)
  test(`the reference service works in a page behind the global fetch, through the service worker of ${msw}`, async () => {
    const answer = await inPage(await serve(msw), async (input) => {
      const service = testing.createTestService();
      await setupWorker(...service.handlers(http)).start({ quiet: true });
      service.failNext('drop');
      const sender = client.createClient({
        baseUrl: service.baseUrl,
        token: () => service.token,
        retry: { baseMs: 0 },
      });
      const { status, attempts, order } = await sender.createOrder(input);
      const refused = await fetch(`${service.baseUrl}/v3/ServiceOrder(${order?.Id})`, { method: 'PUT' });
      return [status, attempts, order?.ReceiptNumber, service.orders.length, refused.status];
    });
    assert.deepEqual(answer, [201, 2, '1', 1, 401]);
  });
