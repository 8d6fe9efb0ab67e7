import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
import { type Database, type Query, SCHEMA } from './database.ts';

/** Opens a file, for one process. */
export function openSqlite(file: string): Database<DatabaseSync> {
  const database = new DatabaseSync(file);
  // FULL: an accepted order survives a power cut.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SCHEMA}`);
  const run: Query = async (sql, values) => {
    const parameters = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
    return database.prepare(sql).all(parameters) as Awaited<ReturnType<Query>>;
  };

  // A connection has one transaction, which is everybody's: a statement of another request would become part of it. So
  // each waits its turn, queries as well as transactions; the outbox waits by itself.
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }
  return {
    query: (sql, values) => inTurn(() => run(sql, values)),
    transaction: (work) =>
      inTurn(async () => {
        database.exec('BEGIN IMMEDIATE');
        try {
          await work(run, database);
          database.exec('COMMIT');
        } catch (error) {
          if (database.isTransaction) database.exec('ROLLBACK');
          throw error;
        }
      }),
    store: sqliteStore(database),
  };
}
