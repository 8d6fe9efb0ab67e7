/**
 * Runs a command with TEST_DATABASE_URL set to a private PostgreSQL cluster, which is created for it and deleted after it:
 * `node scripts/with-postgres.mjs cargo test …`. If TEST_DATABASE_URL is already set, it is used unchanged.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.mjs';
import { findPostgres } from './postgres.mjs';
import { fail } from './run.mjs';

const [program, ...args] = process.argv.slice(2);
if (!program) fail('usage: node scripts/with-postgres.mjs <command>');
process.exitCode = process.env.TEST_DATABASE_URL ? run(process.env) : await withCluster();

async function withCluster() {
  const bin = findPostgres() ?? fail('PostgreSQL is missing: run `make setup`, or set TEST_DATABASE_URL');
  const root = process.getuid?.() === 0;
  const folder = mkdtempSync(join(tmpdir(), 'orders-postgres-'));
  // The server refuses to run as root, so it runs as the user that its package created.
  const postgres = (name, ...args) =>
    root ? call('runuser', '-u', 'postgres', '--', join(bin, name), ...args) : call(join(bin, name), ...args);
  if (root) call('chown', 'postgres', folder);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const port = await freePort();
  postgres('initdb', '-D', data, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C');
  // Enough connections for many tests at once; fsync stays on, because the tests check durability.
  const flags = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=400`;
  postgres('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', flags, '-w', 'start');
  try {
    return run({ ...process.env, TEST_DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres` });
  } finally {
    postgres('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
    rmSync(folder, { recursive: true });
  }
}

function run(env) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env });
  if (error) fail(`${program} could not be run: ${error.message}`);
  return status ?? 1;
}

function call(program, ...args) {
  const { status, stderr, error } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    cwd: tmpdir(),
  });
  if (error || status !== 0) fail(`${program} ${args[0]}: ${error?.message ?? stderr}`);
}
