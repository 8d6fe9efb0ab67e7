/** The built site: its files, a server for them, and Chromium. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { preview } from 'vite';
import { base } from '../../docs/site-address.mjs';
import { root } from '../../scripts/places.mjs';
import { startChromium } from '../browser/chromium.mjs';

export const dist = join(root, 'docs/.vitepress/dist');
const require = createRequire(join(root, 'docs/package.json'));

/** Only a hang takes as long. */
export const PATIENCE = { timeout: 120_000 };

/** A page of each sort, by its sort. */
export const PAGES = {
  home: '',
  guide: 'guides/react.html',
  'guide with a diagram': 'guides/outbox.html',
  concept: 'concepts/order-fates.html',
  'issue code': 'reference/issue-codes/not_a_decimal.html',
  decisions: 'reference/decisions.html',
  HTTP: 'reference/http.html',
  'TypeScript function': 'reference/api/sales-order-intake/functions/previewOrder.html',
  'performance with bars': 'reference/performance.html',
  contributing: 'contributing/layout.html',
};

/** Returns the paths of all HTML files of the site, relative to its folder. */
export function htmlFiles() {
  if (!existsSync(join(dist, 'index.html'))) throw new Error('the site is not built: run `make docs`');
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
}

/** Returns the document of a file of the site, to be queried. */
export function documentOf(file) {
  return require('node-html-parser').parse(readFileSync(join(dist, file), 'utf8'));
}

/** Serves the site and starts Chromium; `page` opens one of its pages, and lists what is requested from elsewhere or fails. */
export async function openSite() {
  const server = await preview({
    root: join(root, 'docs'),
    configFile: false,
    logLevel: 'warn',
    appType: 'mpa',
    base,
    build: { outDir: '.vitepress/dist' },
    preview: { host: '127.0.0.1', port: 0, strictPort: true },
  });
  const url = server.resolvedUrls?.local[0] ?? '';
  const browser = await startChromium();
  /** @type {string[]} */
  const external = [];
  /** @type {string[]} */
  const failures = [];
  return {
    url,
    browser,
    external,
    failures,
    /** @param {import('playwright-core').BrowserContextOptions} [options] */
    async page(path, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      context.setDefaultTimeout(PATIENCE.timeout);
      context.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('data:')) external.push(request.url());
      });
      // A request for an icon that fails is in the console only.
      context.on('console', (message) => {
        if (message.type() === 'error') failures.push(`${message.text()} ${message.location().url}`);
      });
      context.on('weberror', (error) => failures.push(`${error.page()?.url()}: ${error.error()}`));
      const page = await context.newPage();
      await page.goto(url + path);
      if (!path.startsWith('playground/')) await hydrated(page);
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Waits until the page reacts: its scripts have taken it over. */
async function hydrated(page) {
  // @ts-expect-error Vue marks the element of its app.
  await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__ !== undefined);
}
