/**
 * Manages the system packages that the tests need. `node scripts/system.mjs check` fails and lists those that are missing,
 * `node scripts/system.mjs install` installs them with apt. With the argument `everywhere`, each does so for the other
 * browsers of `make test-everywhere`.
 */
import { BROWSERS } from '../tests/everywhere/browsers.mjs';
import { findChromium, findDriver } from './chromium.mjs';
import { findPgbouncer, findPostgres } from './postgres.mjs';
import { fail, output, run } from './run.mjs';

const [command, group = 'test'] = process.argv.slice(2);
const NEEDS = {
  test: [
    { what: 'Chromium', packages: ['chromium'], isThere: findChromium },
    { what: "Chromium's driver", packages: ['chromium-driver'], isThere: findDriver },
    {
      what: 'PostgreSQL',
      packages: ['postgresql'],
      isThere: () => process.env.TEST_DATABASE_URL || findPostgres(),
    },
    // The test of the outbox behind a pooler is skipped without it.
    { what: 'PgBouncer', packages: ['pgbouncer'], isThere: findPgbouncer, isOptional: true },
    {
      what: "Python's venv",
      packages: ['python3-venv'],
      isThere: () => output('python3', ['-c', 'import ensurepip, venv']) !== undefined,
      // Only schemathesis needs it, and scripts/schemathesis.mjs reports that it did not run.
      isOptional: true,
    },
    // The tests of the completions are skipped without them.
    ...['zsh', 'fish'].map((shell) => ({
      what: shell,
      packages: [shell],
      isThere: () => output(shell, ['-c', '']) !== undefined,
      isOptional: true,
    })),
  ],
  everywhere: Object.entries(BROWSERS).map(([what, { packages, program }]) => ({ what, packages, isThere: program })),
};

const missing = (NEEDS[group] ?? fail(`no such group: ${group}`)).filter(({ isThere }) => !isThere());
if (command === 'check' && missing.length > 0)
  fail(`Missing on this machine: ${missing.map(({ what }) => what).join(', ')}`);
if (command === 'install' && missing.length > 0) install(missing);

function install(needs) {
  const packages = needs.flatMap((need) => need.packages);
  const isRoot = process.getuid?.() === 0;
  if (!output('apt-get', ['--version']) || (!isRoot && output('sudo', ['-n', 'true']) === undefined)) {
    console.error(`These can't be installed here: install ${packages.join(', ')}, or what your system has for them.`);
    process.exit(needs.every(({ isOptional }) => isOptional) ? 0 : 1);
  }
  const apt = (...args) => (isRoot ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args]));
  console.log(`Installing ${packages.join(', ')}`);
  apt('update', '-q');
  apt('install', '-y', '-q', '--no-install-recommends', ...packages);
}
