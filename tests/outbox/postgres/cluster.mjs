/** The private cluster of the tests, which a test may restart. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { Pool, URL_OF_TESTS } from '../postgres.mjs';

/**
 * Returns the folders of the cluster and its programs; skips the test if this is not a private cluster
 * (with-postgres.mjs).
 */
export async function privateCluster(t) {
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
  const { rows } = await pool.query(
    `SELECT current_setting('data_directory') AS data, (SELECT setting FROM pg_config WHERE name = 'BINDIR') AS bin`,
  );
  await pool.end();
  if (basename(dirname(rows[0].data)).startsWith('orders-postgres-')) return rows[0];
  t.skip('a database that is not private is neither restarted nor changed');
  return null;
}

/** Stops the cluster like a power failure, and starts it again. */
export function restart({ data, bin }) {
  const command = [join(bin, 'pg_ctl'), '-D', data, '-l', join(data, '../log'), '-m', 'immediate', '-w', 'restart'];
  const [program, ...args] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  assert.equal(spawnSync(program, args, { stdio: 'ignore', cwd: '/' }).status, 0);
}
