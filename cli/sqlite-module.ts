import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';
import { EXIT } from './exit-code.js';
import { Problem } from './problem.js';

interface Sqlite {
  DatabaseSync: new (file: string) => SqliteDatabase;
}

/** @throws Problem if this Node has no SQLite; the commands that need no journal run without. */
export function assertSqlite(command: string): void {
  silenceExperimentalWarning();
  if (sqliteModule()) return;
  const problem = `${command} needs Node 22.13 or later, for its journal in SQLite; this is Node ${process.version.slice(1)}`;
  throw new Problem(problem, EXIT.usage, 'check, preview, request, serve, id, explain and completion run here.');
}

/** Opens a database. Call {@link assertSqlite} before. */
export function openDatabase(file: string): SqliteDatabase {
  return new (sqliteModule() as Sqlite).DatabaseSync(file);
}

function sqliteModule(): Sqlite | undefined {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  return getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
}

/** Node 22 warns of SQLite, which is nothing that the user can act on. */
function silenceExperimentalWarning(): void {
  const original = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(original, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
}
