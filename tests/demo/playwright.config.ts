import { defineConfig } from '@playwright/test';
import { chromium, FLAGS } from '../../scripts/chromium.mjs';

/** The system's Chromium, as in the other tests in a browser. */
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
    launchOptions: { executablePath: chromium(), args: FLAGS },
  },
});
