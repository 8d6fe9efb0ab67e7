import { platform } from '../../pkg-template/src/platform/platform.js';
import type { OutboxStore } from '../store.js';
import { type PostgresOptions, postgresSettings } from './options.js';
import { PostgresStore } from './store.js';
import type { PostgresTransaction } from './transaction.js';

export { type PostgresSchemaOptions, postgresSchema } from './schema.js';
export type {
  ConfigOptions,
  ConnectionStringOptions,
  PoolOptions,
  PostgresOptions,
  PostgresPool,
  PostgresPoolConfig,
} from './options.js';
export type { PostgresClient, PostgresTransaction, SqlExecutor, SqlResult } from './transaction.js';

/**
 * Stores an outbox in PostgreSQL 13 or later, for any number of processes. pg, an optional peer dependency, connects to it.
 *
 * `add(order, { transaction })` takes part in the caller's transaction, and so does `replace`. `transaction` is a client of
 * node-postgres, or any object with `executeSql(text, values)` that runs a statement with `$1` parameters in the transaction and
 * returns `{ rows }`. The caller's database must be the one of the outbox. `add` rejects with an OptionError if no transaction is
 * open, and makes the transaction's commit durable if `synchronous_commit` is off.
 *
 * Connects when it is first used, and creates its schema if the role may: see `postgresSchema` if it may not. Works behind a
 * pooler in transaction mode. A process that only adds opens one connection, or none with the shop's own pool. A process that
 * delivers opens up to `max`, and sends what a process that died was sending.
 *
 * Functions of the outbox reject with `reason` `unsupported` if pg is missing, if the server runs with `fsync` off, if tables are
 * missing and this role may not create them, or if they are of another version of this package; and with `store` while the database
 * can't be reached or does not respond in time. The error of the database is the `cause`. The hook `onError` of the outbox reports
 * failures of the work in the background.
 *
 * @throws OptionError if an option is wrong.
 *
 * @example
 * ```js
 * import { postgresStore } from 'sales-order-intake/outbox/postgres';
 *
 * const store = postgresStore({ connectionString: 'postgres://shop@127.0.0.1/shop' });
 * await store.close();
 * ```
 */
export function postgresStore(options: PostgresOptions): OutboxStore<PostgresTransaction> {
  return new PostgresStore(platform, postgresSettings(options));
}
