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
