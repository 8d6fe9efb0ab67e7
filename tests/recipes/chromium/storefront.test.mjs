/** Tests the page of the storefront guide in Chromium, with the backend of its guide: a closed tab does not order twice. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root, target } from '../../../scripts/places.mjs';
import { listen } from '../../../scripts/ports.mjs';
import { startChromium } from '../../browser/chromium.mjs';
import { fencesOf } from '../../docs/fences.mjs';
import { installed, installedFile } from '../../node/installed.mjs';

const { client: sending, testing } = await installed();
const service = testing.createTestService();
const client = sending.createClient(service.clientOptions);
const folder = mkdtempSync(join(target, 'storefront-'));
/** Called with each response that is ready, in place of sending it. */
let onResponse = (respond) => respond();
let browser, server, address;

before(async () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(installedFile(''), join(folder, 'node_modules/sales-order-intake'), 'junction');
  const { checkOut } = await import(pathToFileURL(copied('docs/guides/node-backend.md', 'check-out.mjs')).href);
  const app = copied('docs/guides/storefront.md', 'App.tsx');
  const contents = `import { createRoot } from 'react-dom/client';
    import App from ${JSON.stringify(app)};
    createRoot(document.querySelector('#root')).render(<App />);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'tsx' },
    ...{ bundle: true, format: 'esm', jsx: 'automatic', write: false },
  });
  const html = `<!doctype html><div id="root"></div><script type="module">${outputFiles[0].text.replaceAll('</script', '<\\/script')}</script>`;
  server = createServer(async (request, response) => {
    if (request.url === '/') return response.setHeader('Content-Type', 'text/html').end(html);
    if (request.url !== '/check-out') return response.writeHead(404).end();
    const cart = await json(request);
    const { status, body } = await checkOut(client, cart);
    return onResponse(() => response.writeHead(status).end(JSON.stringify(body)));
  });
  address = `http://127.0.0.1:${await listen(server)}`;
  browser = await startChromium();
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

/** Copies a file out of a guide, as its reader does: the first one of this name. */
function copied(page, name) {
  const { code } = fencesOf(readFileSync(join(root, page), 'utf8')).find(({ file }) => file === name) ?? {};
  assert.ok(code, `${page} has no ${name}`);
  writeFileSync(join(folder, name), code);
  return join(folder, name);
}

test('a tab that is closed before the response orders the same cart when it is opened again', async () => {
  const context = await browser.newContext();
  const first = await openTab(context);
  const stored = new Promise((resolve) => {
    onResponse = resolve;
  });
  await first.getByRole('button', { name: 'Order' }).click();
  await stored;
  await first.close();
  assert.equal(service.orders.length, 1);

  onResponse = (respond) => respond();
  const second = await openTab(context);
  await second.getByRole('button', { name: 'Order' }).click();
  await second.getByText('Thank you. Receipt 1', { exact: true }).waitFor();
  assert.equal(service.orders.length, 1);

  await second.getByRole('button', { name: 'New cart' }).click();
  await second.getByRole('button', { name: 'Order' }).click();
  await second.getByText('Thank you. Receipt 2', { exact: true }).waitFor();
  assert.equal(service.orders.length, 2);
});

async function openTab(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(address);
  return page;
}
