/**
 * Tests the package in a page of a real browser: bundled, under content security policies, and with a separate
 * core.wasm.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { listen } from '../../scripts/ports.mjs';
import { installedFile, projects } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';
import { startChromium } from './chromium.mjs';

const POLICIES = {
  '/wasm-only': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
  '/strict': "default-src 'self'; script-src 'self'",
};

let chromium, server, address;

before(async () => {
  const scripts = {
    '/default.js': await bundle("import * as core from 'sales-order-intake'; globalThis.core = core;"),
    '/slim.js': await bundle("import * as slim from 'sales-order-intake/slim'; globalThis.slim = slim;"),
  };
  server = createServer(({ url = '' }, response) => {
    if (url in scripts) return response.setHeader('Content-Type', 'text/javascript').end(scripts[url]);
    // Without a media type on purpose: not every server knows the one of WebAssembly.
    if (url === '/core.wasm') return response.end(readFileSync(installedFile('core.wasm')));
    if (!(url in POLICIES)) return response.writeHead(404).end();
    response.setHeader('Content-Security-Policy', POLICIES[url]);
    response.setHeader('Content-Type', 'text/html');
    return response.end('<!doctype html><script src="/default.js"></script><script src="/slim.js"></script>');
  });
  address = `http://127.0.0.1:${await listen(server)}`;
  chromium = await startChromium();
});

after(async () => {
  await chromium?.close();
  server?.close();
});

async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: projects().esmProject },
    bundle: true,
    minify: true,
    format: 'iife',
    write: false,
  });
  return outputFiles[0].text;
}

/** Runs a function in a new page, with an order. */
async function inPage(path, action) {
  const page = await chromium.newPage();
  await page.goto(address + path);
  return page.evaluate(action, minimalOrder());
}

test("the first call works at once, on the page's own thread", async () => {
  const result = await inPage('/wasm-only', async (order) => {
    const before = core.isReady();
    const { body } = core.prepareRequest(order);
    return [
      before,
      core.isReady(),
      body.includes('"SellAtPricePerUnit":19.99'),
      // biome-ignore lint/suspicious/noSelfCompare: each call makes another id
      core.newOrderId() !== core.newOrderId(),
    ];
  });
  assert.deepEqual(result, [false, true, true, true]);
});

test('init starts the core before the first call', async () => {
  const result = await inPage('/wasm-only', async (order) => {
    await core.init();
    return [core.isReady(), core.validateOrder(order).ok];
  });
  assert.deepEqual(result, [true, true]);
});

test('a call and init report that the policy forbids WebAssembly', async () => {
  const result = await inPage('/strict', async (order) => {
    const reasonOf = (error) => (error instanceof core.CoreInitError ? error.reason : String(error));
    const ofInit = await core.init().catch(reasonOf);
    try {
      return [ofInit, core.validateOrder(order)];
    } catch (error) {
      return [ofInit, reasonOf(error)];
    }
  });
  assert.deepEqual(result, ['csp', 'csp']);
});

test('slim loads the core from its URL, whatever media type the server sends', async () => {
  const result = await inPage('/wasm-only', async (order) => {
    const lost = await slim.init(new URL('/lost.wasm', location.href)).catch((error) => error.reason);
    // Relative to the page.
    await slim.init('core.wasm');
    return [lost, slim.validateOrder(order).ok];
  });
  assert.deepEqual(result, ['network', true]);
});
