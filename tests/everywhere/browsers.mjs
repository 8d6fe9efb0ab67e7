/**
 * Starts browsers with an address on the command line and a temporary profile, as a person could. The page itself
 * reports its result, so no driver is needed.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, FLAGS } from '../../scripts/chromium.mjs';
import { output, programOf } from '../../scripts/run.mjs';
import { background } from './execute.mjs';

const PATIENCE_MS = 60_000;

/** Turns off what a new profile of Firefox shows and sends. */
const FIREFOX_PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'startup.homepage_welcome_url': '',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

export const BROWSERS = {
  Chromium: {
    packages: ['chromium'],
    program: findChromium,
    command: (program, profile, url) => [program, ...FLAGS, `--user-data-dir=${profile}`, url],
  },
  Firefox: {
    packages: ['firefox-esr'],
    program: () => programOf('FIREFOX', 'firefox-esr', 'firefox'),
    command(program, profile, url) {
      const lines = Object.entries(FIREFOX_PREFERENCES).map(
        ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
      );
      writeFileSync(join(profile, 'user.js'), lines.join(''));
      return [program, '--headless', '--no-remote', '--profile', profile, url];
    },
  },
  WebKitGTK: {
    packages: ['webkit2gtk-driver', 'xvfb', 'xauth'],
    program: () => programOf('XVFB_RUN', 'xvfb-run') && miniBrowser(),
    command: (program, _profile, url) => [...screen(), program, '--private', url],
    version: (program) => [...screen(), program, '--version'],
    env: { WEBKIT_DISABLE_COMPOSITING_MODE: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
  },
};

/** Opens a page until it has reported to the loopback server; returns the report. */
export async function visit(name, url, loopback) {
  const { command, env = {} } = BROWSERS[name];
  const profile = mkdtempSync(join(tmpdir(), 'browser-'));
  const [program, ...args] = command(pathOf(name), profile, url);
  const browser = background(program, args, { env: { ...process.env, ...env, HOME: profile } });
  const silence = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
  try {
    const report = await Promise.race([loopback.report, browser.ended, silence]);
    if (typeof report !== 'object' || report === null)
      throw new Error(`the page in ${name} reported nothing:\n${browser.said().slice(0, 1000)}`);
    return report;
  } finally {
    await browser.stop();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the version that the browser prints, such as `156.0.8078.79`. */
export function versionOf(name) {
  const { version = (program) => [program, '--version'] } = BROWSERS[name];
  const [program, ...args] = version(pathOf(name));
  return output(program, args)?.match(/\d+(\.\d+)+/)?.[0] ?? fail(`${name} prints no version`);
}

function pathOf(name) {
  return BROWSERS[name].program() ?? fail(`${name} is missing: run \`make setup GROUP=nightly\``);
}

/** @returns {never} */
function fail(message) {
  throw new Error(message);
}

/** Starts a virtual screen, because the browser has no headless mode. */
function screen() {
  return [programOf('XVFB_RUN', 'xvfb-run'), '-a'];
}

/** Returns the browser that the library contains; it is not in the PATH. */
function miniBrowser() {
  const folders = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.'].flatMap((machine) =>
    ['/usr/lib', '/usr/libexec'].flatMap((place) =>
      ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((version) => join(place, machine, version)),
    ),
  );
  return folders.map((folder) => join(folder, 'MiniBrowser')).find((path) => existsSync(path));
}
