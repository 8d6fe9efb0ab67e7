/**
 * P12: measures when a slow phone shows the first total of a cart. Chromium has the processor and the network of Lighthouse's phone. All
 * pages show the same cart, and are bundled, minified and compressed alike. Name look-up and TLS are not part of the time.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../scripts/places.mjs';
import { listen } from '../scripts/ports.mjs';
import { startChromium } from '../tests/browser/chromium.mjs';
import { median } from './measure.mjs';

const TURNS = 9;
const SLOWDOWN = 4;
const BYTES_PER_MEGABIT = 125_000;
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6 * BYTES_PER_MEGABIT,
  uploadThroughput: 0.75 * BYTES_PER_MEGABIT,
};

const CART = `import { showCart, showTotal } from './cart.mjs';`;
const withCart = (stack) => `import { prepare } from './${stack}'; ${CART} showCart(); showTotal(prepare);`;

/** The script of each page. The page `afterPaint` loads this package after the cart is painted. */
const SCRIPTS = {
  own: withCart('own.mjs'),
  afterPaint: `${CART} showCart();
    requestAnimationFrame(() => setTimeout(async () => showTotal((await import('./own.mjs')).prepare)));`,
  A: withCart('peers/zod.mjs'),
  B: withCart('peers/ajv.mjs'),
  E: withCart('peers/valibot.mjs'),
};

/** Returns the median milliseconds from navigation to the first paint and to the total, by page. */
export async function firstTotals() {
  const pages = Object.keys(SCRIPTS);
  const files = Object.fromEntries((await Promise.all(pages.map(filesOf))).flat());
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? [];
    if (!body) return response.writeHead(404).end();
    response
      .writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'br', 'Content-Length': body.length })
      .end(body);
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  const chromium = await startChromium();
  /** @type {Record<string, any[]>} */
  const visits = Object.fromEntries(pages.map((page) => [page, []]));
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      for (const page of pages) visits[page].push(await visit(chromium, `${address}/${page}/`));
    }
  } finally {
    await chromium.close();
    server.close();
  }
  const medianOf = (times, what) => median(times.map((each) => each[what]));
  return Object.fromEntries(
    pages.map((page) => [page, { paint: medianOf(visits[page], 'paint'), total: medianOf(visits[page], 'total') }]),
  );
}

/** Bundles a page. Returns the path, type and compressed content of each file; parts that are loaded later are preloaded. */
async function filesOf(page) {
  const { outputFiles } = await build({
    stdin: { contents: SCRIPTS[page], resolveDir: join(root, 'benches') },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    write: false,
    outdir: `/${page}`,
    entryNames: 'main',
  });
  const links = outputFiles.map(({ path }) =>
    path.endsWith('/main.js')
      ? `<script type="module" src="${path}"></script>`
      : `<link rel="modulepreload" href="${path}">`,
  );
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cart</title><link rel="icon" href="data:,">${links.join('')}`;
  return [
    ...outputFiles.map(({ path, contents }) => [path, ['text/javascript', brotliCompressSync(contents)]]),
    [`/${page}/`, ['text/html', brotliCompressSync(html)]],
  ];
}

/** Opens a page with empty caches. Returns when the browser painted it first, and when it painted the total. */
async function visit(chromium, address) {
  const context = await chromium.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.goto(address);
    return await page.evaluate(timesOfPage);
  } finally {
    await context.close();
  }
}

function timesOfPage() {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      // TypeScript does not know the entries of elements.
      const total = /** @type {any[]} */ (list.getEntries()).find(({ identifier }) => identifier === 'total');
      if (!total) return;
      const [{ startTime }] = performance.getEntriesByName('first-contentful-paint');
      resolve({ paint: startTime, total: total.renderTime });
    });
    observer.observe({ type: 'element', buffered: true });
  });
}
