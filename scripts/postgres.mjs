import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './run.mjs';

/** Returns the folder with the programs of the newest PostgreSQL server, or `undefined`. */
export function findPostgres() {
  const onPath = output('pg_config', ['--bindir']);
  const folders = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const debian = folders.sort((a, b) => Number(b) - Number(a)).map((version) => `/usr/lib/postgresql/${version}/bin`);
  return [...debian, onPath].find((folder) => folder && existsSync(join(folder, 'initdb')));
}

/** Returns the path of PgBouncer, or `undefined`. Debian puts it outside of most users' PATH. */
export function findPgbouncer() {
  const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));
  return program ?? (output('pgbouncer', ['--version']) === undefined ? undefined : 'pgbouncer');
}
