import { platform } from '../../pkg-template/src/platform/platform.js';
import type { SqliteDatabase } from './database.js';
import { type SqliteOptions, sqliteStoreOn } from './open.js';
import type { FileStore } from './store.js';

export type { FileStore } from './store.js';
export type { SqliteDatabase, SqliteResult, SqliteStatement, SqliteValue } from './database.js';
export type { SqliteOptions } from './open.js';
export { restoreFile } from './restore.js';

/**
 * Stores an outbox in an SQLite file, for one process. Needs no package: uses `node:sqlite`, of Node 22.13 and later.
 *
 * With the shop's own open DatabaseSync, the outbox is in tables of that database, and `add(order, { transaction: database })`
 * takes part in its open transaction: call it between BEGIN and COMMIT. Its `synchronous` must be FULL, and its `journal_mode`
 * must not be OFF or MEMORY; `fullfsync` is set. While a transaction is open, `add` and `replace` without `transaction` reject
 * with an OptionError, and other writes of the outbox wait for its end.
 *
 * Do not open or copy the file in another way while it is in use: see `backup`. `':memory:'` is for tests.
 *
 * @throws OptionError if an option is wrong, or a transaction is open on `database`.
 * @throws OutboxError with `reason` `unsupported` if this Node has no `node:sqlite` or the database is not durable;
 * `locked` if another process uses the file.
 *
 * @example
 * ```js
 * import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
 *
 * const store = sqliteStore('orders.sqlite');
 * await store.backup('orders-copy.sqlite');
 * await store.close();
 * ```
 */
export function sqliteStore(database: string | SqliteDatabase, options: SqliteOptions = {}): FileStore {
  return sqliteStoreOn(platform, database, options);
}
