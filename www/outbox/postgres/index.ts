import { check, checkObject } from '../../client/option-error.js';
import type { Store } from '../store.js';
import { PostgresStore } from './store.js';

/** What {@link postgresStore} takes: the options of a pool of node-postgres, and the schema. */
export interface PostgresOptions {
  /** @example { connectionString: 'postgres://shop@db.example.com/shop' } */
  connectionString?: string | undefined;
  /**
   * The schema for the tables of the outbox and of its engine; created if it is missing.
   * @default 'sales_order_outbox'
   */
  schema?: string | undefined;
  /**
   * Connections of this process.
   * @default 8
   */
  max?: number | undefined;
  /** Other options of the pool, for example `ssl` or `host`. */
  readonly [option: string]: unknown;
}

/**
 * Keeps an outbox in PostgreSQL 13 or later, for any number of processes. pg-boss, an optional peer dependency, gives out
 * the work; the entries are in a table beside its own.
 *
 * `add(order, { transaction })` takes part in the caller's transaction. `transaction` is a client of node-postgres, or any
 * object with `executeSql(text, values)` that runs a statement with `$1` parameters in it and returns `{ rows }`. The
 * caller's database must be the one of the outbox. `add` rejects with an OptionError if no transaction is open, and makes
 * the transaction's commit durable if `synchronous_commit` is off.
 *
 * Connects when it is first used: functions of the outbox reject with `reason` `unsupported` if pg-boss is missing or too
 * old or if the server runs with `fsync` off, and with `store` while the database can't be reached. Failures of pg-boss's
 * supervision reach the hook `onError` of the outbox.
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
export function postgresStore(options: PostgresOptions): Store {
  checkObject('', options);
  const { schema = 'sales_order_outbox', max = 8, ...connection } = options;
  check('/schema', typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,49}$/.test(schema), 'a lower-case name');
  check('/max', Number.isSafeInteger(max) && max >= 2, 'a whole number, 2 or more');
  const { connectionString } = connection;
  check('/connectionString', ['string', 'undefined'].includes(typeof connectionString), 'a string');
  return new PostgresStore(schema, { ...connection, max });
}
