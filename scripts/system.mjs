/**
 * Finds the programs that the tests need besides Rust and Node, and installs those that are missing, but only if asked to:
 *
 * - `node scripts/system.mjs check` lists what is missing, what needs it, and the command that installs it. Fails if a test
 *   can't run without it. With CI=true it installs instead.
 * - `node scripts/system.mjs install` is `make setup`: it installs with apt. On other systems it prints names of packages.
 *
 * With the argument `nightly`, each includes the browsers that only `make nightly` uses.
 */
import { fileURLToPath } from 'node:url';
import { BROWSERS } from '../tests/everywhere/browsers.mjs';
import { findChromium, findDriver } from './chromium.mjs';
import { findPgbouncer, findPostgres } from './postgres.mjs';
import { fail, output, programOf, run } from './run.mjs';

/**
 * @typedef {object} Need
 * @property {string} what
 * @property {string} usedBy What needs it, or what is skipped without it.
 * @property {string[]} packages The names in Debian and Ubuntu.
 * @property {string} [homebrew] What to give to `brew install`, where Homebrew has it.
 * @property {string} [variable] The environment variable that names the program if it is not in the PATH.
 * @property {boolean} [isOptional] True if tests are skipped without it.
 * @property {() => unknown} isThere
 */

/** @type {Need[]} */
const TEST_ALL = [
  {
    what: 'Chromium',
    usedBy: 'tests of pages: demo, shop, documentation, the package in a browser',
    packages: ['chromium'],
    homebrew: '--cask google-chrome',
    variable: 'CHROMIUM',
    isThere: findChromium,
  },
  {
    what: "Chromium's driver",
    usedBy: 'tests of the core in a browser',
    packages: ['chromium-driver'],
    homebrew: '--cask chromedriver',
    variable: 'CHROMEDRIVER',
    isThere: findDriver,
  },
  {
    what: 'PostgreSQL',
    usedBy: 'tests of the outbox and of the reference service',
    packages: ['postgresql'],
    homebrew: 'postgresql',
    isThere: () => process.env.TEST_DATABASE_URL || findPostgres(),
  },
  {
    what: 'PgBouncer',
    usedBy: 'the test of the outbox behind a pooler',
    packages: ['pgbouncer'],
    homebrew: 'pgbouncer',
    isOptional: true,
    isThere: findPgbouncer,
  },
  {
    what: "Python's venv",
    usedBy: 'schemathesis, and zizmor, which checks the workflows',
    packages: ['python3-venv'],
    homebrew: 'python',
    isOptional: true,
    isThere: () => output('python3', ['-c', 'import ensurepip, venv']) !== undefined,
  },
  {
    what: 'PHP with curl',
    usedBy: 'the test of the guide to the relay in PHP',
    packages: ['php-cli', 'php-curl'],
    homebrew: 'php',
    isOptional: true,
    isThere: () => output('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']) !== undefined,
  },
  {
    what: "Mono's compiler of C#",
    usedBy: 'the test of the guide to the relay in C#',
    packages: ['mono-mcs'],
    homebrew: 'mono',
    isOptional: true,
    isThere: () => output('mcs', ['--version']) !== undefined,
  },
  {
    what: 'Ruby',
    usedBy: 'the test of the guide to the relay in Ruby',
    packages: ['ruby'],
    homebrew: 'ruby',
    isOptional: true,
    isThere: () => output('ruby', ['-e', '']) !== undefined,
  },
  {
    what: 'Go',
    usedBy: 'the test of the guide to the relay in Go',
    packages: ['golang-go'],
    homebrew: 'go',
    isOptional: true,
    isThere: () => output('go', ['version']) !== undefined,
  },
  ...['zsh', 'fish'].map((shell) => ({
    what: shell,
    usedBy: `the test of the completions in ${shell}`,
    packages: [shell],
    homebrew: shell,
    isOptional: true,
    isThere: () => output(shell, ['-c', '']) !== undefined,
  })),
];

/** @type {Record<string, Need[]>} */
const GROUPS = {
  'test-all': TEST_ALL,
  nightly: [
    ...TEST_ALL,
    {
      what: 'promtool',
      usedBy: 'the check of the alerts for Prometheus',
      packages: ['prometheus'],
      homebrew: 'prometheus',
      variable: 'PROMTOOL',
      isOptional: true,
      isThere: () => programOf('PROMTOOL', 'promtool'),
    },
    ...Object.entries(BROWSERS)
      .filter(([what]) => what !== 'Chromium')
      .map(([what, { packages, program }]) => ({
        what,
        usedBy: 'the package in every browser',
        packages,
        isThere: program,
      })),
  ],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2], process.argv[3] ?? 'test-all');

function main(command, group) {
  const needs = GROUPS[group] ?? fail(`there is no group ${group}, only ${Object.keys(GROUPS).join(' and ')}`);
  if (process.platform === 'win32') fail(`make ${group} does not run on Windows: use WSL (wsl --install)`);
  const missing = missingOf(needs);
  if (missing.length === 0) {
    if (command === 'install') console.log(`Nothing is missing: make ${group} has all programs that it needs.`);
    return;
  }
  if (command === 'install') return install(missing, group);
  if (command !== 'check') fail('usage: node scripts/system.mjs check|install [test-all|nightly]');
  if (process.env.CI === 'true') return install(missing, group);
  console.error(report(missing, group));
  if (missing.some(({ isOptional }) => !isOptional)) process.exit(1);
}

/** @param {Need[]} needs */
function missingOf(needs) {
  return needs.filter(({ isThere }) => !isThere());
}

/**
 * Says what is missing, what needs it, and how to install it.
 *
 * @param {Need[]} missing
 */
export function report(missing, group, platform = process.platform) {
  const setup = `Install them with: make setup${group === 'nightly' ? ' GROUP=nightly' : ''}`;
  return listed(missing, group, platform === 'linux' ? setup : namesOf(missing, platform));
}

/** @param {Need[]} missing */
function listed(missing, group, advice) {
  const width = Math.max(...missing.map(({ what }) => what.length));
  return [
    `make ${group} uses programs that this machine doesn't have:`,
    ...missing.map(
      ({ what, usedBy, isOptional = false }) =>
        `  ${what.padEnd(width)}  ${usedBy}${isOptional ? ' (skipped without it)' : ''}`,
    ),
    advice,
    'make test needs none of them.',
  ].join('\n');
}

/**
 * Returns names of packages, for systems on which this script installs nothing.
 *
 * @param {Need[]} missing
 */
export function namesOf(missing, platform = process.platform) {
  const variables = missing.filter(({ variable }) => variable);
  const hint = variables.map(
    ({ what, variable }) => `If ${what} is not in the PATH, set ${variable} to the path of its program.`,
  );
  if (platform !== 'darwin') {
    const names = missing.flatMap(({ packages }) => packages);
    return [`Install what your system has for these packages of Debian: ${names.join(', ')}`, ...hint].join('\n');
  }
  const without = missing.filter(({ homebrew }) => !homebrew).map(({ what }) => what);
  return [
    'Install them with Homebrew:',
    ...missing.filter(({ homebrew }) => homebrew).map(({ homebrew }) => `  brew install ${homebrew}`),
    ...(without.length > 0 ? [`Homebrew does not have ${without.join(', ')}: run these tests on Linux.`] : []),
    ...hint,
  ].join('\n');
}

/** @param {Need[]} missing */
function install(missing, group) {
  if (process.platform !== 'linux' || output('apt-get', ['--version']) === undefined) fail(namesOf(missing));
  apt('update', '-q');
  // Ubuntu has Chromium and Firefox as snaps only. One unknown name would make apt-get install none of the others.
  const names = missing.flatMap(({ packages }) => packages).filter(isAvailable);
  if (names.length > 0) apt('install', '-y', '-q', '--no-install-recommends', ...names);
  const still = missingOf(missing);
  if (still.length === 0) return;
  console.error(listed(still, group, namesOf(still)));
  // In CI, a test that is skipped would go unnoticed.
  if (process.env.CI === 'true' || still.some(({ isOptional }) => !isOptional)) process.exit(1);
}

function isAvailable(name) {
  return output('apt-cache', ['show', '--no-all-versions', name]) !== undefined;
}

/** Runs apt-get; as a user who is not root with sudo, which may ask for the password. */
function apt(...args) {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', ...(process.env.CI === 'true' ? ['-n'] : [])];
  const [program, ...rest] = [...asRoot, 'apt-get', ...args];
  console.log([program, ...rest].join(' '));
  run(program, rest);
}
