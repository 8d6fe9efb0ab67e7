/** Tests that system packages are installed only if somebody asks for it. Stub programs record how they were called. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { namesOf, report } from '../../scripts/system.mjs';

const script = fileURLToPath(new URL('../../scripts/system.mjs', import.meta.url));
const onLinux = process.platform === 'linux' ? test : test.skip;

/** The programs that the tests use, as programs that do nothing. PostgreSQL is a database that a variable names. */
const ALL = ['chromium', 'chromedriver', 'pgbouncer', 'python3', 'php', 'mcs', 'ruby', 'go', 'zsh', 'fish'];

/**
 * Runs the script on a machine that has only these programs and, unless told otherwise, apt. The stub of `apt-get` records
 * its arguments, and its `install` creates the programs in `installs`.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ has?: string[], args?: string[], ci?: string, apt?: boolean, installs?: string[], unknown?: string[] }} [machine]
 */
function runOn(t, { has = ALL, args = ['check'], ci = '', apt = true, installs = [], unknown = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'system-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const log = join(folder, 'apt.log');
  const stub = (name, body = '') => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  for (const name of has) stub(name);
  if (apt) {
    const created = installs.map(
      (name) => `printf '#!/bin/sh\\n' > ${folder}/${name}; /bin/chmod 755 ${folder}/${name}`,
    );
    stub('apt-get', `echo "$@" >> ${log}\n[ "$1" = install ] || exit 0\n${created.join('\n')}`);
    stub('apt-cache', `for name; do :; done; case " ${unknown.join(' ')} " in *" $name "*) exit 100;; esac`);
    // Whoever is not root calls `sudo apt-get`, or `sudo -n apt-get`.
    stub('sudo', '[ "$1" = -n ] && shift; exec "$@"');
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { PATH: folder, CI: ci, TEST_DATABASE_URL: 'postgres://127.0.0.1/none' },
  });
  // `--version` is how the script asks whether there is an apt-get.
  const calls = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return { status, out: stdout + stderr, calls: calls.filter((line) => line && line !== '--version') };
}

/** Folders outside the PATH that any machine may have. */
const hasPgbouncer = existsSync('/usr/sbin/pgbouncer') || existsSync('/usr/bin/pgbouncer');

onLinux('check prints nothing if all of it is there', (t) => {
  assert.deepEqual(runOn(t), { status: 0, out: '', calls: [] });
});

onLinux('check fails, says what is missing, what needs it and what installs it, and installs nothing', (t) => {
  const { status, out, calls } = runOn(t, { has: ALL.filter((name) => name !== 'chromedriver' && name !== 'fish') });
  assert.equal(status, 1);
  assert.match(out, /^make test-all uses programs that this machine doesn't have:$/m);
  assert.match(out, /^ {2}Chromium's driver {2}tests of the core in a browser$/m);
  assert.match(out, /^ {2}fish {15}the test of the completions in fish \(skipped without it\)$/m);
  assert.match(out, /^Install them with: make setup$/m);
  assert.match(out, /^make test needs none of them\.$/m);
  assert.doesNotMatch(out, /zsh|PostgreSQL/);
  assert.deepEqual(calls, []);
});

onLinux('check goes on if tests are only skipped without what is missing', (t) => {
  const { status, out, calls } = runOn(t, { has: ALL.filter((name) => name !== 'zsh') });
  assert.equal(status, 0);
  assert.match(out, /zsh .*skipped without it/);
  assert.deepEqual(calls, []);
});

onLinux('check installs what is missing if CI is true', (t) => {
  const has = ALL.filter((name) => name !== 'chromium' && name !== 'zsh');
  const { status, out, calls } = runOn(t, { has, ci: 'true', installs: ['chromium', 'zsh'] });
  assert.equal(status, 0, out);
  assert.deepEqual(calls, ['update -q', 'install -y -q --no-install-recommends chromium zsh']);
});

onLinux('with CI=true, a program that can only be skipped must be there too', (t) => {
  const { status, out } = runOn(t, { has: ALL.filter((name) => name !== 'fish'), ci: 'true' });
  assert.equal(status, 1);
  assert.match(out, /fish/);
});

onLinux('CI=1 is not CI=true', (t) => {
  const { status, calls } = runOn(t, { has: ALL.filter((name) => name !== 'chromium'), ci: '1' });
  assert.equal(status, 1);
  assert.deepEqual(calls, []);
});

onLinux('setup installs only what is missing, and prints the command', (t) => {
  const has = ALL.filter((name) => name !== 'chromedriver');
  const { status, out, calls } = runOn(t, { has, args: ['install'], installs: ['chromedriver'] });
  assert.equal(status, 0, out);
  assert.deepEqual(calls, ['update -q', 'install -y -q --no-install-recommends chromium-driver']);
  assert.match(out, /apt-get install .* chromium-driver$/m);
});

onLinux('setup says so if nothing is missing', (t) => {
  const out = 'Nothing is missing: make test-all has all programs that it needs.\n';
  assert.deepEqual(runOn(t, { args: ['install'] }), { status: 0, out, calls: [] });
});

onLinux('setup installs the rest if the system has no package for one, and says how to name the program', (t) => {
  const has = ALL.filter((name) => name !== 'chromium' && name !== 'zsh');
  const { status, out, calls } = runOn(t, { has, args: ['install'], installs: ['zsh'], unknown: ['chromium'] });
  assert.deepEqual(calls, ['update -q', 'install -y -q --no-install-recommends zsh']);
  assert.equal(status, 1);
  assert.match(out, /If Chromium is not in the PATH, set CHROMIUM/);
});

onLinux('setup without apt prints the names of the packages', (t) => {
  const has = ALL.filter((name) => name !== 'chromium');
  const { status, out } = runOn(t, { has, args: ['install'], apt: false });
  assert.equal(status, 1);
  assert.match(out, /Install what your system has for these packages of Debian: chromium$/m);
});

onLinux('the browsers of make nightly are not needed for make test-all', (t) => {
  const { out } = runOn(t, { args: ['check', 'nightly'] });
  assert.match(out, /Firefox/);
  assert.match(out, /make setup GROUP=nightly/);
  assert.doesNotMatch(out, /Chromium|zsh/);
});

test('an unknown group is an error', (t) => {
  const { status, out } = runOn(t, { args: ['check', 'everything'] });
  assert.equal(status, 1);
  assert.match(out, process.platform === 'win32' ? /WSL/ : /there is no group everything, only test-all and nightly/);
});

const missing = [
  {
    what: 'Chromium',
    usedBy: 'pages',
    packages: ['chromium'],
    homebrew: '--cask google-chrome',
    variable: 'CHROMIUM',
    isThere: () => false,
  },
  { what: 'WebKitGTK', usedBy: 'browsers', packages: ['webkit2gtk-driver', 'xvfb'], isThere: () => false },
];

test('macOS gets the names of Homebrew, and what Homebrew does not have', () => {
  assert.equal(
    report(missing, 'nightly', 'darwin'),
    `make nightly uses programs that this machine doesn't have:
  Chromium   pages
  WebKitGTK  browsers
Install them with Homebrew:
  brew install --cask google-chrome
Homebrew does not have WebKitGTK: run these tests on Linux.
If Chromium is not in the PATH, set CHROMIUM to the path of its program.
make test needs none of them.`,
  );
});

test('other systems get the names in Debian', () => {
  assert.match(namesOf(missing, 'freebsd'), /packages of Debian: chromium, webkit2gtk-driver, xvfb\n/);
});

onLinux('PgBouncer is found where Debian puts it, outside of most PATHs', (t) => {
  const { status, out } = runOn(t, { has: ALL.filter((name) => name !== 'pgbouncer') });
  assert.equal(status, 0);
  assert.equal(out.includes('PgBouncer'), !hasPgbouncer);
});
