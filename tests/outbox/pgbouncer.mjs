/** PgBouncer in transaction mode before the database of the tests. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/ports.mjs';
import { findPgbouncer } from '../../scripts/postgres.mjs';
import { output } from '../../scripts/run.mjs';
import { until } from './until.mjs';

/** Starts PgBouncer, until the test ends. Returns the URL of the database behind it. */
export async function startPgbouncer(t, url) {
  const { hostname, port, username, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'orders-pgbouncer-'));
  const listenPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 10
max_client_conn = 200
ignore_startup_parameters =
`,
  );
  // It refuses to run as root, so it runs as the user that the package of PostgreSQL created.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  chmodSync(folder, 0o755);
  const child = spawn(findPgbouncer() ?? '', [file], { stdio: 'ignore', cwd: '/', ...user });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until(() => isListening(listenPort), 'PgBouncer listens');
  return `postgres://${username}@127.0.0.1:${listenPort}${pathname}`;
}

function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

function idOf(flag) {
  return Number(output('id', [flag, 'postgres']));
}
