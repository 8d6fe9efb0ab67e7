import {
  check,
  checkCount,
  checkMs,
  checkNames,
  checkObject,
  copyOptions,
  wrongOption,
} from '../../pkg-template/src/options/check.js';
import type { PgPool } from './database.js';

/** Options of {@link postgresStore}: one of `connectionString`, `config` and `pool`; the schema, and a limit of time. */
export type PostgresOptions = ConnectionStringOptions | ConfigOptions | PoolOptions;

interface CommonOptions {
  /**
   * The schema for the tables of the outbox; created if it is missing and the role may create it. Lower
   * case, up to 50 letters, digits and `_`.
   * @default 'sales_order_outbox'
   */
  schema?: string | undefined;
  /**
   * Milliseconds that a transaction, or a statement outside of one, may take, the wait for a connection included. After that, its
   * connection is closed, also one of the shop's pool, and the call rejects with the `code` `ETIMEDOUT`. Without this limit, a
   * network that has fallen silent would not be noticed. In your own transaction, the call rejects, and your connection stays open.
   * @default 10_000
   */
  queryTimeoutMs?: number | undefined;
  /**
   * Whether a process that delivers finds entries of other processes at once, by LISTEN and NOTIFY, instead of within a second. All
   * processes must have the option. It occupies one more connection. If it does not work (a pooler in transaction mode, a lost
   * connection), entries are found within a second.
   * @default false
   */
  listen?: boolean | undefined;
}

interface MaxOption {
  /**
   * Connections of this process while it delivers, 2 or more. A process that only adds uses one.
   * @default 8
   */
  max?: number | undefined;
}

/** A database by its URL. The store opens connections of its own. */
export interface ConnectionStringOptions extends CommonOptions, MaxOption {
  /**
   * URL of the database.
   * @example { connectionString: 'postgres://shop@db.example.com/shop' }
   */
  connectionString: string;
  /** Not together with `connectionString`. */
  config?: undefined;
  /** Not together with `connectionString`. */
  pool?: undefined;
}

/** A database by the options of `pg.Pool`. The store opens connections of its own. */
export interface ConfigOptions extends CommonOptions, MaxOption {
  /**
   * Options of the store's own pool.
   * @example { config: { host: 'db.example.com', user: 'shop', database: 'shop', ssl: true } }
   */
  config: PostgresPoolConfig;
  /** Not together with `config`. */
  connectionString?: undefined;
  /** Not together with `config`. */
  pool?: undefined;
}

/** The shop's own pool. */
export interface PoolOptions extends CommonOptions {
  /**
   * The shop's own `pg.Pool`. The store opens no other connection, never ends the pool, and changes no setting beyond its own
   * transactions. It closes connections that do not respond (`queryTimeoutMs`). The pool needs:
   *
   * - at least 2 connections, and about 4 more than the shop itself in a process that delivers;
   * - a `connectionTimeoutMillis`: without it, a connection that is never made occupies the pool for ever;
   * - `keepAlive`;
   * - an `error` listener: without it, node-postgres ends the process when an idle connection breaks.
   */
  pool: PostgresPool;
  /** Not together with `pool`. */
  connectionString?: undefined;
  /** Not together with `pool`. */
  config?: undefined;
  /** Not together with `pool`, which has its own. */
  max?: undefined;
}

/** The part of a `pg.Pool` that the store uses. */
export type PostgresPool = PgPool;

/** Options of `pg.Pool`, as in its documentation. Its types need not be installed. */
export interface PostgresPoolConfig {
  /** URL of the database. Other options are read from it. */
  connectionString?: string | undefined;
  /** Name of the server, or the folder of its Unix socket. */
  host?: string | undefined;
  /** Port of the server. */
  port?: number | undefined;
  /** Name of the database. */
  database?: string | undefined;
  /** Name of the role. */
  user?: string | undefined;
  /** Password of the role, or a function that returns one for each new connection. */
  password?: string | (() => string | Promise<string>) | undefined;
  /** Whether to use TLS, or options for it, as of Node's `tls.connect`. */
  ssl?: boolean | object | undefined;
  /** Command-line options for the server. Poolers refuse them. */
  options?: string | undefined;
  /**
   * The name that `pg_stat_activity` shows.
   * @default 'sales-order-outbox'
   */
  application_name?: string | undefined;
  /** The name that is shown if there is no `application_name`. */
  fallback_application_name?: string | undefined;
  /** Encoding of the connection. */
  client_encoding?: string | undefined;
  /**
   * Whether TCP probes idle connections.
   * @default true
   */
  keepAlive?: boolean | undefined;
  /** Milliseconds until the first of these probes. */
  keepAliveInitialDelayMillis?: number | undefined;
  /** Milliseconds after which the server ends a statement. Poolers refuse it. */
  statement_timeout?: false | number | undefined;
  /** Milliseconds after which the client ends a statement. */
  query_timeout?: number | undefined;
  /** Milliseconds that a statement waits for a lock. Poolers refuse it. */
  lock_timeout?: number | undefined;
  /** Milliseconds that a transaction may be idle. Poolers refuse it; the store sets one for each of its transactions. */
  idle_in_transaction_session_timeout?: number | undefined;
  /**
   * Milliseconds that a call waits for a connection.
   * @default `queryTimeoutMs`
   */
  connectionTimeoutMillis?: number | undefined;
  /** Milliseconds after which an idle connection is closed. */
  idleTimeoutMillis?: number | null | undefined;
  /** How often a connection is used before it is closed. */
  maxUses?: number | undefined;
  /** Seconds after which a connection is closed. */
  maxLifetimeSeconds?: number | undefined;
  /** Whether the process may end while connections are idle. */
  allowExitOnIdle?: boolean | undefined;
  /** Idle connections that stay open. */
  min?: number | undefined;
  /** Connections of this process while it delivers, if the store's own `max` is absent. */
  max?: number | undefined;
  /** Creates the socket of a connection. */
  stream?: unknown;
  /** Parsers of values. */
  types?: unknown;
  /** Called with each new connection. */
  onConnect?: unknown;
  /** Class of the connections. */
  Client?: unknown;
  /** Class of the promises. */
  Promise?: unknown;
  /** Called with messages about the pool's work. */
  log?: unknown;
}

/** Where the connections of a store come from. */
export type PoolSource = { pool: PgPool } | { config: PostgresPoolConfig; max: number };

const NAMES = ['connectionString', 'config', 'pool', 'max', 'schema', 'queryTimeoutMs', 'listen'];
const SOURCES = ['connectionString', 'config', 'pool'] as const;
const DEFAULT_SCHEMA = 'sales_order_outbox';
const DEFAULT_MAX = 8;
const QUERY_TIMEOUT_MS = 10_000;

/** The options of {@link postgresStore}, checked and with their defaults. */
export interface PostgresSettings {
  schema: string;
  source: PoolSource;
  queryTimeoutMs: number;
  listen: boolean;
}

/** Checks options. @throws OptionError */
export function postgresSettings(options: PostgresOptions): PostgresSettings {
  const { schema: name, max, queryTimeoutMs = QUERY_TIMEOUT_MS, listen = false, ...sources } = copyOptions(options);
  checkNames('', Object.keys(options), NAMES, 'options of pg.Pool go into config: { config: { host, ssl: true } }');
  const { connectionString, config, pool } = sources;
  const schema = checkedSchema(name);
  checkMax('/max', max);
  checkMs('/queryTimeoutMs', queryTimeoutMs, 1);
  check('/listen', typeof listen === 'boolean', 'true or false');
  const isString = typeof connectionString === 'string' && connectionString !== '';
  check('/connectionString', connectionString === undefined || isString, 'a string that is not empty');
  if (config !== undefined) {
    checkObject('/config', config);
    checkMax('/config/max', config.max);
  }
  const isPool = ['connect', 'query'].every((method) => typeof Object(pool)[method] === 'function');
  check('/pool', pool === undefined || isPool, 'a pool of node-postgres');
  if (SOURCES.filter((source) => sources[source] !== undefined).length !== 1) {
    const example = "{ connectionString: 'postgres://…' }";
    throw wrongOption('', `must have exactly one of ${SOURCES.join(', ')}, for example ${example}`);
  }
  if (pool && max !== undefined) throw wrongOption('/max', 'must be omitted with pool, which has its own');
  const own = { config: config ?? { connectionString }, max: max ?? config?.max ?? DEFAULT_MAX };
  return { schema, source: pool ? { pool } : own, queryTimeoutMs, listen };
}

/** Returns the name of the schema. @throws OptionError */
export function checkedSchema(schema: unknown = DEFAULT_SCHEMA): string {
  check('/schema', typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,49}$/.test(schema), 'a lower-case name');
  return schema as string;
}

function checkMax(option: string, max: unknown): void {
  if (max !== undefined) checkCount(option, max, 2);
}
