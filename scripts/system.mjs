/**
 * Lists the programs that `make test-all` needs besides Rust and Node, and that are missing: `node scripts/system.mjs check`;
 * with `nightly`, those of `make nightly`, too. Fails if tests can't run without one; without the others, tests are skipped.
 * `node scripts/system.mjs install` is `make setup`: it installs the missing ones with apt, and so does `check` if CI is true.
 */
import { BROWSERS } from '../tests/everywhere/browsers.mjs';
import { findChromium, findDriver } from './chromium.mjs';
import { findPgbouncer, findPostgres } from './postgres.mjs';
import { fail, output, programOf, run } from './run.mjs';

const runs = (program, ...args) => output(program, args) !== undefined;
const findDatabase = () => process.env.TEST_DATABASE_URL || findPostgres();

/** Each with its packages in Debian and Ubuntu, whether tests are skipped without it, and how it is found. */
const TEST_ALL = [
  ['Chromium, or a path in CHROMIUM', 'chromium', false, findChromium],
  ['ChromeDriver, or a path in CHROMEDRIVER', 'chromium-driver', false, findDriver],
  ['PostgreSQL, or an address in TEST_DATABASE_URL', 'postgresql', false, findDatabase],
  ['PgBouncer', 'pgbouncer', true, findPgbouncer],
  ["Python's venv", 'python3-venv', true, () => runs('python3', '-c', 'import ensurepip, venv')],
  ['PHP with curl', 'php-cli php-curl', true, () => runs('php', '-r', 'exit((int) !extension_loaded("curl"));')],
  ["Mono's compiler of C#", 'mono-mcs', true, () => runs('mcs', '--version')],
  ['Ruby', 'ruby', true, () => runs('ruby', '-e', '')],
  ['Go', 'golang-go', true, () => runs('go', 'version')],
  ['zsh', 'zsh', true, () => runs('zsh', '-c', '')],
  ['fish', 'fish', true, () => runs('fish', '-c', '')],
];
const NIGHTLY = [
  ['promtool, or a path in PROMTOOL', 'prometheus', true, () => programOf('PROMTOOL', 'promtool')],
  ...['Firefox', 'WebKitGTK'].map((name) => [name, BROWSERS[name].packages.join(' '), false, BROWSERS[name].program]),
];

const [command, group] = process.argv.slice(2);
if (process.platform === 'win32') fail('These tests do not run on Windows: use WSL (wsl --install)');
const isInCI = process.env.CI === 'true';
let missing = findMissing();
if (missing.length > 0 && (command === 'install' || isInCI)) install();
for (const [what, packages, isOptional] of missing)
  console.error(`missing: ${what} (in Debian: ${packages})${isOptional ? '; its tests are skipped' : ''}`);
if (missing.length > 0 && command !== 'install')
  console.error(
    `On Debian and Ubuntu, make setup${group ? ` GROUP=${group}` : ''} installs it. make test needs none of it.`,
  );
// In CI, a test that is skipped would go unnoticed.
process.exitCode = missing.some(([, , isOptional]) => isInCI || !isOptional) ? 1 : 0;

function findMissing() {
  return [...TEST_ALL, ...(group === 'nightly' ? NIGHTLY : [])].filter(([, , , find]) => !find());
}

function install() {
  if (!runs('apt-get', '--version')) return;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', ...(isInCI ? ['-n'] : [])];
  const apt = (...args) => run('env', [...asRoot, 'apt-get', ...args]);
  apt('update', '-q');
  // Ubuntu has Chromium and Firefox as snaps only. One unknown name would make apt-get install none of the others.
  const names = missing.flatMap(([, packages]) => packages.split(' '));
  const known = names.filter((name) => runs('apt-cache', 'show', '--no-all-versions', name));
  if (known.length > 0) apt('install', '-y', '-q', '--no-install-recommends', ...known);
  missing = findMissing();
}
