/** Tests the client in a page of a real browser, whose fetch hides redirects and where a token is not safe. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { build } from 'esbuild';
import { freePort, listen } from '../../scripts/ports.mjs';
import { projects } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';
import { startChromium } from './chromium.mjs';

let chromium, server, address, requests;

before(async () => {
  const contents = "import * as client from 'sales-order-intake/client'; globalThis.client = client;";
  const script = await build({
    stdin: { contents, resolveDir: projects().esmProject },
    bundle: true,
    format: 'iife',
    write: false,
  });
  server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    if (url === '/client.js')
      return response.setHeader('Content-Type', 'text/javascript').end(script.outputFiles[0].text);
    if (url === '/')
      return response.setHeader('Content-Type', 'text/html').end('<!doctype html><script src="/client.js"></script>');
    const body = await text(request).catch(() => '');
    requests.push({ method, url, authorization: headers.authorization, body });
    if (url.startsWith('/moved/')) return response.writeHead(307, { Location: '/elsewhere' }).end();
    if (url.startsWith('/stalled/')) return undefined;
    if (url.startsWith('/cut/')) return request.socket.end('HTTP/1.1 201 Created\r\n\r\n');
    return response.writeHead(201, { 'Content-Type': 'application/json' }).end(body);
  });
  address = `http://127.0.0.1:${await listen(server)}`;
  chromium = await startChromium();
});

after(async () => {
  await chromium?.close();
  server?.closeAllConnections();
  server?.close();
});

beforeEach(() => {
  requests = [];
});

/** Runs a function in a new page, with an order. */
async function inPage(action) {
  const page = await chromium.newPage();
  await page.goto(address);
  return page.evaluate(action, minimalOrder());
}

const sent = () => requests.filter(({ url }) => url.includes('ServiceOrder'));

test('a token string is rejected in a page and in its worker with a message that says what to do, unless it is allowed', async () => {
  const result = await inPage(async () => {
    const refusal = (options) => {
      try {
        client.createClient({ baseUrl: location.origin, token: 'secret-token', ...options });
        return 'taken';
      } catch ({ name, message }) {
        return `${name}: ${message}`;
      }
    };
    const code = `importScripts('${location.origin}/client.js');
      try { client.createClient({ baseUrl: '${location.origin}', token: 'secret-token' }); postMessage('taken'); }
      catch ({ name }) { postMessage(name); }`;
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    const inWorker = await new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    return [refusal({}), refusal({ allowBrowserToken: true }), inWorker];
  });
  assert.match(result[0], /^OptionError: option \/token .*through a server of your own/);
  assert.doesNotMatch(result[0], /secret-token/);
  assert.deepEqual(result.slice(1), ['taken', 'OptionError']);
});

test('a redirect is a UnexpectedResponseError and is not followed', async () => {
  const result = await inPage(async (order) => {
    const sender = client.createClient({ baseUrl: `${location.origin}/moved`, token: () => 'short-lived' });
    const error = await sender.createOrder(order).catch((error) => error);
    return [
      error.name,
      error.outcome,
      error.attempts,
      error.status ?? 'none',
      error instanceof client.UnexpectedResponseError,
    ];
  });
  assert.deepEqual(result, ['UnexpectedResponseError', 'unknown', 1, 'none', true]);
  assert.deepEqual(
    requests.filter(({ url }) => url === '/elsewhere'),
    [],
  );
});

test('an abort in flight and a time-out in flight are different errors', async () => {
  const result = await inPage(async (order) => {
    const settings = { baseUrl: `${location.origin}/stalled`, token: () => 'short-lived', maxRetries: 0 };
    const controller = new AbortController();
    const aborted = await client
      .createClient({ ...settings, hooks: { onRequest: () => setTimeout(() => controller.abort()) } })
      .createOrder(order, { signal: controller.signal })
      .catch(({ name, outcome }) => `${name} ${outcome}`);
    const late = await client
      .createClient({ ...settings, timeoutMs: 50 })
      .createOrder(order)
      .catch(({ name, outcome }) => `${name} ${outcome}`);
    return [aborted, late];
  });
  assert.deepEqual(result, ['AbortedError unknown', 'TimeoutError unknown']);
});

test('a browser does not say why a connection failed, so the outcome of a refused one is unknown', async () => {
  const port = await freePort();
  const page = await chromium.newPage();
  await page.goto(address);
  const result = await page.evaluate(
    async ([order, baseUrl]) => {
      const sender = client.createClient({ baseUrl, token: () => 'short-lived', maxRetries: 0 });
      const { name, outcome, isSent, failure } = await sender.createOrder(order).catch((error) => error);
      return { name, outcome, isSent, failure };
    },
    [minimalOrder(), `http://127.0.0.1:${port}`],
  );
  const expected = { name: 'ConnectionError', outcome: 'unknown', isSent: true, failure: 'connection failed' };
  assert.deepEqual(result, expected);
});

test('a 201 whose empty body ends with the connection is taken as whole: a browser may hide the headers that tell', async () => {
  const status = await inPage(async (order) => {
    const sender = client.createClient({ baseUrl: `${location.origin}/cut`, token: () => 'short-lived' });
    return (await sender.createOrder(order)).status;
  });
  assert.equal(status, 201);
});

test('createOrders sends many orders from a page', async () => {
  const statuses = await inPage(async (order) => {
    const sender = client.createClient({ baseUrl: `${location.origin}/orders`, token: () => 'short-lived' });
    const all = [];
    const orders = Array.from({ length: 20 }, () => ({ ...order, Id: crypto.randomUUID() }));
    for await (const result of sender.createOrders(orders)) all.push('created' in result && result.created?.status);
    return all;
  });
  assert.deepEqual(statuses, new Array(20).fill(201));
  const [{ method, authorization }] = sent();
  assert.deepEqual([method, authorization], ['PUT', 'Bearer short-lived']);
  assert.equal(new Set(sent().map(({ url }) => url)).size, 20);
});
