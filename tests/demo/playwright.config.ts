import { defineConfig } from '@playwright/test';
import { chromium, FLAGS } from '../../scripts/chromium.mjs';

/** Tests that measure times, and so run alone. */
const MEASURING = /(start|typing)\.spec\.ts/;

/** Uses the system's Chromium, as the other tests in a browser. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../target/test-demo',
  workers: 2,
  projects: [
    { name: 'page', testIgnore: MEASURING },
    { name: 'measuring', testMatch: MEASURING, dependencies: ['page'], workers: 1 },
  ],
  reporter: 'list',
  // Long enough for a slow machine with other work.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: { executablePath: chromium(), args: FLAGS },
  },
});
