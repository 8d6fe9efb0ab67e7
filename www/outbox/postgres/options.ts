import { check, checkNames, checkObject, copyOptions, wrongOption } from '../../options/check.js';
import type { PgPool } from './database.js';

/** What {@link postgresStore} takes: one of `connectionString`, `config` and `pool`, and the schema. */
export type PostgresOptions = ConnectionStringOptions | ConfigOptions | PoolOptions;

interface SchemaOption {
  /**
   * The schema for the tables of the outbox and of its engine; created if it is missing and the role may create it. Lower
   * case, up to 50 letters, digits and `_`.
   * @default 'sales_order_outbox'
   */
  schema?: string | undefined;
}

interface MaxOption {
  /**
   * Connections of this process while it delivers, 2 or more. A process that only adds uses one.
   * @default 8
   */
  max?: number | undefined;
}

/** A database by its URL. The store opens connections of its own. */
export interface ConnectionStringOptions extends SchemaOption, MaxOption {
  /** @example 'postgres://shop@db.example.com/shop' */
  connectionString: string;
  config?: undefined;
  pool?: undefined;
}

/** A database by the options of `pg.Pool`. The store opens connections of its own. */
export interface ConfigOptions extends SchemaOption, MaxOption {
  /** @example { host: 'db.example.com', user: 'shop', database: 'shop', ssl: true } */
  config: PostgresPoolConfig;
  connectionString?: undefined;
  pool?: undefined;
}

/** The shop's own pool. */
export interface PoolOptions extends SchemaOption {
  /**
   * The shop's own `pg.Pool`. The store opens no other connection, never ends the pool, and changes no setting beyond its own
   * transactions. Needs at least 2 connections, and about 4 for deliveries beside those of the shop; a
   * `connectionTimeoutMillis`, without which calls wait for ever for a connection; and an `error` listener, without which
   * node-postgres ends the process when an idle connection breaks.
   */
  pool: PostgresPool;
  connectionString?: undefined;
  config?: undefined;
  max?: undefined;
}

/** What the store uses of a `pg.Pool`. */
export type PostgresPool = PgPool;

/** Options of `pg.Pool`, as in its documentation. Its types need not be installed. */
export interface PostgresPoolConfig {
  connectionString?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  database?: string | undefined;
  user?: string | undefined;
  password?: string | (() => string | Promise<string>) | undefined;
  ssl?: boolean | object | undefined;
  options?: string | undefined;
  application_name?: string | undefined;
  fallback_application_name?: string | undefined;
  client_encoding?: string | undefined;
  keepAlive?: boolean | undefined;
  keepAliveInitialDelayMillis?: number | undefined;
  statement_timeout?: false | number | undefined;
  query_timeout?: number | undefined;
  lock_timeout?: number | undefined;
  idle_in_transaction_session_timeout?: number | undefined;
  connectionTimeoutMillis?: number | undefined;
  idleTimeoutMillis?: number | null | undefined;
  maxUses?: number | undefined;
  maxLifetimeSeconds?: number | undefined;
  allowExitOnIdle?: boolean | undefined;
  min?: number | undefined;
  max?: number | undefined;
  stream?: unknown;
  types?: unknown;
  onConnect?: unknown;
  Client?: unknown;
  Promise?: unknown;
  log?: unknown;
}

/** Where the connections of a store come from. */
export type PoolSource = { pool: PgPool } | { config: PostgresPoolConfig; max: number };

const SOURCES = ['connectionString', 'config', 'pool'] as const;
const DEFAULT_SCHEMA = 'sales_order_outbox';
const DEFAULT_MAX = 8;

/** Checks options. @throws OptionError */
export function postgresSettings(options: PostgresOptions): { schema: string; source: PoolSource } {
  const { schema: name, max, ...sources } = copyOptions(options);
  checkNames('', Object.keys(options), [...SOURCES, 'max', 'schema']);
  const { connectionString, config, pool } = sources;
  const schema = checkedSchema(name);
  checkMax('/max', max);
  const isString = typeof connectionString === 'string' && connectionString !== '';
  check('/connectionString', connectionString === undefined || isString, 'a string that is not empty');
  if (config !== undefined) {
    checkObject('/config', config);
    checkMax('/config/max', config.max);
  }
  const isPool = ['connect', 'query'].every((method) => typeof Object(pool)[method] === 'function');
  check('/pool', pool === undefined || isPool, 'a pool of node-postgres');
  if (SOURCES.filter((source) => sources[source] !== undefined).length !== 1) {
    throw wrongOption('', 'must have exactly one of connectionString, config and pool');
  }
  if (!pool)
    return { schema, source: { config: config ?? { connectionString }, max: max ?? config?.max ?? DEFAULT_MAX } };
  if (max !== undefined) throw wrongOption('/max', 'must be omitted with pool, which has its own');
  return { schema, source: { pool } };
}

/** Returns the name of the schema. @throws OptionError */
export function checkedSchema(schema: unknown = DEFAULT_SCHEMA): string {
  check('/schema', typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,49}$/.test(schema), 'a lower-case name');
  return schema as string;
}

function checkMax(option: string, max: unknown): void {
  check(option, max === undefined || (Number.isSafeInteger(max) && Number(max) >= 2), 'a whole number, 2 or more');
}
