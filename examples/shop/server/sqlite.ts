import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
import { type Database, type Query, SCHEMA } from './database.ts';

/** Opens a file, for one process. */
export function openSqlite(file: string): Database {
  const database = new DatabaseSync(file);
  // FULL: an accepted order survives a power cut.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`);
  const query: Query = async (sql, values) => {
    const parameters = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
    return database.prepare(sql).all(parameters) as Awaited<ReturnType<Query>>;
  };
  let last = Promise.resolve();
  return {
    query,
    // #region transaction
    transaction(work) {
      // A connection has one transaction at a time: each waits for the one before it.
      const done = last.then(async () => {
        database.exec('BEGIN IMMEDIATE');
        try {
          await work(query, database);
          database.exec('COMMIT');
        } catch (error) {
          if (database.isTransaction) database.exec('ROLLBACK');
          throw error;
        }
      });
      last = done.catch(() => {});
      return done;
    },
    // #endregion transaction
    store: sqliteStore(database),
  };
}
