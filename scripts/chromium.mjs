/**
 * Chromium and its driver for the tests that run in a browser: those named by CHROMIUM and CHROMEDRIVER, those on PATH,
 * or Debian's packages, which are installed where they are missing.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './apt.mjs';
import { fail } from './run.mjs';

const NAMES = { CHROMIUM: ['chromium', 'chromium-browser', 'google-chrome'], CHROMEDRIVER: ['chromedriver'] };

/** Paths of both; the script ends with a message where they can't be had. */
export function chromium() {
  if (missing().length > 0) installPackages('chromium', 'chromium-driver');
  const still = missing();
  if (still.length > 0)
    fail(`Found no ${still.join(' and no ')}: install Chromium and its driver, or name them in these variables.`);
  return { browser: find('CHROMIUM'), driver: find('CHROMEDRIVER') };
}

/** How WebDriver is to start it: headless, and not calling home. Containers give it no sandbox; the pages are our own. */
export function capabilities(browser) {
  const args = ['headless=new', 'no-sandbox', 'disable-gpu', 'disable-quic', 'disable-dev-shm-usage'];
  const quiet = ['no-first-run', 'disable-background-networking', 'disable-component-update', 'disable-sync'];
  return { 'goog:chromeOptions': { binary: browser, args: [...args, ...quiet].map((name) => `--${name}`) } };
}

function missing() {
  return Object.keys(NAMES).filter((variable) => !find(variable));
}

function find(variable) {
  const named = process.env[variable];
  if (named) return existsSync(named) ? named : fail(`${variable} names ${named}, which is not there.`);
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES[variable]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
