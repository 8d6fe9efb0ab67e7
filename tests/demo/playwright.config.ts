import { defineConfig } from '@playwright/test';
import { capabilities, chromium } from '../../scripts/chromium.mjs';

const { browser } = chromium();

/** Debian's Chromium, as the other tests in a browser have it. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../target/test-demo',
  workers: 1,
  reporter: 'list',
  timeout: 30_000,
  expect: { timeout: 7_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: { executablePath: browser, args: capabilities(browser)['goog:chromeOptions'].args },
  },
});
