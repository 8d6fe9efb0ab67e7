/**
 * Checks the dependencies: their licences, sources and known vulnerabilities, by cargo-deny (deny.toml) and `npm audit`. A check
 * whose registry or database can't be reached says so, and fails only with CI=true.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, tools } from '../places.mjs';
import { run } from '../run.mjs';

const VERSION = '0.20.2';
const UNREACHABLE = /failed to fetch|audit endpoint returned an error|ENOTFOUND|ETIMEDOUT/;

run('cargo', ['install', '--quiet', '--locked', '--debug', 'cargo-deny', '--version', VERSION, '--root', tools]);
const checks = [
  [join(tools, 'bin/cargo-deny'), 'check', 'licenses', 'bans', 'sources'],
  [join(tools, 'bin/cargo-deny'), 'check', 'advisories'],
  ...['.', 'docs', 'examples/shop', 'tests', 'tests/everywhere'].map((folder) => [
    'npm',
    'audit',
    '--audit-level=high',
    '--prefix',
    folder,
  ]),
];
for (const [program = '', ...args] of checks) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) continue;
  const printed = `${error?.message ?? ''}${stderr}${stdout}`;
  const isReached = !UNREACHABLE.test(printed);
  const [reason] = printed.match(UNREACHABLE) ?? [];
  console.log(isReached ? printed : `${args.join(' ')} did not run: ${reason}`);
  if (isReached || process.env.CI === 'true') process.exitCode = 1;
}
