import { SCHEMA_VERSION, assertKnown } from '../binding.js';
import { OutboxError } from '../errors.js';
import { NEW_COLUMNS, definitions } from '../members.js';
import type { SqliteDatabase } from './database.js';

/**
 * The tables; `user_version` belongs to the shop, so it is not used. Each index is written with each order, so there are
 * few. Settings are the `version` of the tables, the `base_url` of the service, and the last `position` of deleted entries.
 */
const COLUMNS = definitions({ text: 'TEXT', integer: 'INTEGER', time: 'INTEGER', flag: 'INTEGER' });
const SETTINGS = 'CREATE TABLE IF NOT EXISTS outbox_setting (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID';
const SCHEMA = `
CREATE TABLE IF NOT EXISTS outbox_entry (
  position INTEGER PRIMARY KEY,
  ${[...COLUMNS].map((column) => column.join(' ')).join(',\n  ')},
  UNIQUE (order_id)
);
CREATE INDEX IF NOT EXISTS outbox_entry_due ON outbox_entry (state, location, due_at, added_at);
CREATE INDEX IF NOT EXISTS outbox_entry_notice ON outbox_entry (notice_at) WHERE notice_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_settled ON outbox_entry (settled_at) WHERE state = 'created';
`;

/** Entries that were being sent when the process died may have arrived. */
const RECOVER = `
UPDATE outbox_entry SET state = 'waiting', outcome = 'unknown', due_at = 0 WHERE state = 'sending';
UPDATE outbox_entry SET notice_at = 0 WHERE notice_at > 0;
`;

/** Creates the tables if they are missing, and returns entries that a process was sending when it died to `waiting`. */
export function prepareTables(database: SqliteDatabase): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(SETTINGS);
    assertVersion(database);
    database.exec(`${SCHEMA} INSERT OR REPLACE INTO outbox_setting VALUES ('version', ${SCHEMA_VERSION})`);
    const columns = database.prepare('PRAGMA main.table_info(outbox_entry)').all() as { name: string }[];
    for (const column of NEW_COLUMNS) {
      if (columns.some(({ name }) => name === column)) continue;
      database.exec(`ALTER TABLE outbox_entry ADD COLUMN ${column} ${COLUMNS.get(column)}`);
    }
    database.exec(RECOVER);
    database.exec('COMMIT');
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has done so itself, after a full disk for example.
    }
    throw error;
  }
}

/** @throws OutboxError if the tables are missing, or not of this version. */
export function assertTables(database: SqliteDatabase): void {
  const tables = `SELECT count(*) AS tables FROM sqlite_schema WHERE name IN ('outbox_entry', 'outbox_setting')`;
  const { tables: found } = database.prepare(tables).get() as { tables: number };
  if (found < 2 || assertVersion(database) < SCHEMA_VERSION) {
    const problem = 'The file has no tables of this version: let a process that writes open it first';
    throw new OutboxError('unsupported', problem);
  }
}

/** Returns the version of the tables. @throws OutboxError if this package does not know it. */
function assertVersion(database: SqliteDatabase): number {
  const sql = `SELECT value AS version FROM outbox_setting WHERE name = 'version'`;
  const { version = 0 } = (database.prepare(sql).get() ?? {}) as { version?: number };
  assertKnown(version, 'The database of the outbox');
  return version;
}
