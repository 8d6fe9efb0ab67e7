import { defineConfig } from '@playwright/test';
import { chromium, FLAGS } from '../../scripts/chromium.mjs';

/** Uses the system's Chromium, as the other tests in a browser. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../target/test-demo',
  workers: 2,
  fullyParallel: true,
  reporter: 'list',
  // Only a hang takes as long.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // A press on what is still scrolling may be released beside it: then it is no click, for a person either.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: chromium(), args: FLAGS },
  },
});
