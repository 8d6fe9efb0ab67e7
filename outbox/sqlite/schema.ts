import { KEPT_EVENTS, SCHEMA_VERSION, assertKnown } from '../binding.js';
import { OutboxError } from '../errors.js';
import { definitions, eventDefinitions } from '../members.js';
import type { SqliteDatabase } from './database.js';

/**
 * The tables. Each index is written with each order, so there are few. Settings are the `version` of the tables, the `base_url` of
 * the service, the last `position` of deleted entries, and the `identity` of a file of the outbox.
 */
const TYPES = { text: 'TEXT', integer: 'INTEGER', time: 'INTEGER', flag: 'INTEGER' };
const columnsOf = (columns: Iterable<[name: string, definition: string]>) =>
  [...columns].map((column) => column.join(' ')).join(',\n  ');
const SETTINGS = 'CREATE TABLE IF NOT EXISTS outbox_setting (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID';
const SCHEMA = `
CREATE TABLE IF NOT EXISTS outbox_entry (
  position INTEGER PRIMARY KEY,
  -- When it was taken last, or later: a later time whenever it is taken.
  lease INTEGER NOT NULL DEFAULT 0,
  ${columnsOf(definitions(TYPES))},
  UNIQUE (order_id)
);
CREATE TABLE IF NOT EXISTS outbox_event (
  position INTEGER NOT NULL,
  number INTEGER NOT NULL,
  ${columnsOf(eventDefinitions(TYPES))},
  process_id TEXT,
  PRIMARY KEY (position, number)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS outbox_event_limit AFTER INSERT ON outbox_event WHEN new.number > ${2 * KEPT_EVENTS} BEGIN
  DELETE FROM outbox_event WHERE position = new.position AND number = new.number - ${KEPT_EVENTS};
END;
CREATE TRIGGER IF NOT EXISTS outbox_entry_deleted AFTER DELETE ON outbox_entry BEGIN
  DELETE FROM outbox_event WHERE position = old.position;
END;
-- Has all that most lists filter by, and what is counted: of other entries than those of the page, nothing is read.
CREATE INDEX IF NOT EXISTS outbox_entry_page ON outbox_entry (state, position, location, added_at, settled_at, reason);
CREATE INDEX IF NOT EXISTS outbox_entry_due ON outbox_entry (location, due_at, added_at) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS outbox_entry_notice ON outbox_entry (notice_at) WHERE notice_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_settled ON outbox_entry (settled_at) WHERE state = 'created';
CREATE INDEX IF NOT EXISTS outbox_entry_reference ON outbox_entry (reference) WHERE reference IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_receipt ON outbox_entry (receipt_number) WHERE receipt_number IS NOT NULL;
`;

/** The number of the next event of an entry. */
export const NEXT_EVENT =
  '(SELECT 1 + coalesce(max(number), 0) FROM outbox_event AS event WHERE event.position = entry.position)';

/** Entries that were being sent when the process died may have arrived. */
const RECORD_ATTEMPTS = `
INSERT INTO outbox_event (position, number, at, what, outcome)
  SELECT position, ${NEXT_EVENT}, lease, 'attempt', 'unknown' FROM outbox_entry AS entry WHERE state = 'sending';
`;
const RECOVER = `
UPDATE outbox_entry SET state = 'waiting', outcome = 'unknown', due_at = 0 WHERE state = 'sending';
UPDATE outbox_entry SET notice_at = 0 WHERE notice_at > 0;
`;

/**
 * Whatever waited may have been sent, cancelled or corrected since the file was copied; what the service did not have may have been
 * sent again, or corrected and sent (D68).
 */
const RESTORED = `
INSERT INTO outbox_event (position, number, at, what, outcome, reason)
  SELECT position, ${NEXT_EVENT}, $now, 'restored', 'unknown', iif(state IN ('waiting', 'sending'), 'restored', reason)
  FROM outbox_entry AS entry
  WHERE state IN ('waiting', 'sending') OR outcome = 'not-created';
UPDATE outbox_entry SET state = 'stalled', reason = 'restored', settled_at = $now, notice_at = $now
  WHERE state IN ('waiting', 'sending');
UPDATE outbox_entry SET outcome = 'unknown' WHERE outcome = 'not-created';
`;

/** The tables of the command line are in a file of the outbox, too. */
const OWN_TABLES = /^(outbox|send)_/;

/** What is known about a file before its tables are prepared. */
export interface Opening {
  /** When it was accepted that the file is older than the one before (D68); null if it is not. */
  restoredAt: number | null;
  /** The identity that the file gets if it has none or was restored; null for a database of the shop, which gets none. */
  identity: string | null;
}

/** Returns whether a database has tables of an outbox, and tables of anything else. */
export function tablesIn(database: SqliteDatabase): { hasOutbox: boolean; hasOthers: boolean } {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
  const names = (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  return { hasOutbox: names.includes('outbox_entry'), hasOthers: names.some((name) => !OWN_TABLES.test(name)) };
}

/** Creates the tables if they are missing, and returns entries that a process was sending when it died to `waiting`. */
export function prepareTables(
  database: SqliteDatabase,
  { restoredAt, identity }: Opening,
  beforeCommit: () => void,
): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(SETTINGS);
    assertVersion(database);
    database.exec(`${SCHEMA} INSERT OR IGNORE INTO outbox_setting VALUES ('version', ${SCHEMA_VERSION})`);
    database.exec(RECORD_ATTEMPTS);
    if (restoredAt !== null) database.exec(RESTORED.replaceAll('$now', String(restoredAt)));
    database.exec(RECOVER);
    if (identity !== null) {
      const verb = restoredAt === null ? 'INSERT OR IGNORE' : 'INSERT OR REPLACE';
      database.prepare(`${verb} INTO outbox_setting VALUES ('identity', ?)`).run(identity);
    }
    beforeCommit();
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
  if (found < 2) {
    const problem = 'The file has no tables of an outbox: let a process that writes open it first';
    throw new OutboxError('unsupported', problem);
  }
  assertVersion(database);
}

/** @throws OutboxError if the tables are not of this version. */
function assertVersion(database: SqliteDatabase): void {
  const sql = `SELECT value AS version FROM outbox_setting WHERE name = 'version'`;
  const { version = SCHEMA_VERSION } = (database.prepare(sql).get() ?? {}) as { version?: number };
  assertKnown(version, 'The database of the outbox');
}
