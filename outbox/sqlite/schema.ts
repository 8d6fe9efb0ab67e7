import type { SqliteDatabase } from './database.js';

/**
 * The tables; `user_version` belongs to the shop, so it is not used. Each index is written with each order, so there are
 * few.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS outbox_entry (
  position INTEGER PRIMARY KEY,
  order_id TEXT NOT NULL UNIQUE,
  version TEXT NOT NULL,
  location TEXT NOT NULL,
  state TEXT NOT NULL,
  outcome TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  deadline_at INTEGER NOT NULL,
  trace_context TEXT,
  settled_at INTEGER,
  notice_at INTEGER,
  reason TEXT,
  status INTEGER,
  request_id TEXT,
  detail TEXT,
  issues TEXT,
  received TEXT,
  already_there INTEGER NOT NULL DEFAULT 0,
  body TEXT
);
CREATE INDEX IF NOT EXISTS outbox_entry_due ON outbox_entry (state, location, due_at, added_at);
CREATE INDEX IF NOT EXISTS outbox_entry_notice ON outbox_entry (notice_at) WHERE notice_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_settled ON outbox_entry (settled_at) WHERE state = 'created';
`;

/** The columns that files of 0.2 do not have. */
const ADDED = [
  ['already_there', 'INTEGER NOT NULL DEFAULT 0'],
  ['trace_context', 'TEXT'],
] as const;

/** Entries that were being sent when the process died may have arrived. */
const RECOVER = `
UPDATE outbox_entry SET state = 'waiting', outcome = 'unknown', due_at = 0 WHERE state = 'sending';
UPDATE outbox_entry SET notice_at = 0 WHERE notice_at > 0;
`;

/** Creates the tables if they are missing, and takes back what a process that died was sending. */
export function prepareTables(database: SqliteDatabase): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(SCHEMA);
    const columns = database.prepare('PRAGMA main.table_info(outbox_entry)').all() as { name: string }[];
    // A file of 0.2 lacks them. 0.4 need not open one: orders in it have been settled by then.
    for (const [column, type] of ADDED) {
      if (columns.some(({ name }) => name === column)) continue;
      database.exec(`ALTER TABLE outbox_entry ADD COLUMN ${column} ${type}`);
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
