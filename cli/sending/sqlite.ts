import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';
import { builtinModule } from '../../pkg-template/src/platform/builtin-module.js';
import { EXIT, Problem } from '../problem.js';

type Sqlite = { DatabaseSync: new (file: string, options: { readOnly: boolean }) => SqliteDatabase };

const sqlite = () => builtinModule<Sqlite>('node:sqlite');

/** @throws Problem if this Node has no SQLite; the commands that need no journal run without. */
export function assertSqlite(command: string): void {
  silenceExperimentalWarning();
  if (sqlite()) return;
  const problem = `${command} needs Node 22.13 or later, for its journal in SQLite; this is Node ${process.version.slice(1)}`;
  throw new Problem(problem, EXIT.usage, 'check, preview, request, serve, id and explain run here.');
}

/** Opens a file. Call {@link assertSqlite} before. */
export function openDatabase(file: string, isReadOnly = false): SqliteDatabase {
  return new (sqlite() as Sqlite).DatabaseSync(file, { readOnly: isReadOnly });
}

/** Hides the warning of Node 22 about SQLite, which the user can't act on. */
function silenceExperimentalWarning(): void {
  const original = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(original, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
}
