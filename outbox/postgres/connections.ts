import type { Platform } from '../../pkg-template/src/platform/platform.js';
import type { Binding } from '../binding.js';
import { OutboxError } from '../errors.js';
import { Database, type Executor, type PgClient, type PgPool } from './database.js';
import { NOTHING_WRITTEN, type SilenceError, guarded } from './failure.js';
import { bind, install, look } from './installation.js';
import { listen } from './listener.js';
import type { PostgresPoolConfig, PostgresSettings } from './options.js';

/** Adds are written together, so a process that only adds needs no more. */
const CONNECTIONS_TO_ADD = 1;

interface ConnectionsOptions extends PostgresSettings {
  platform: Platform;
  /** Called when a connection was closed because it did not respond. */
  onSilence(error: SilenceError): void;
}

/** A connection of {@link OwnPool}. */
interface OwnClient extends PgClient {
  end(): Promise<void>;
  unref(): void;
}

/** A pool that this store has created. */
interface OwnPool extends PgPool {
  options: { max?: number };
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
  on(event: 'connect' | 'remove', listener: (client: OwnClient) => void): unknown;
}

interface Opened {
  pool: PgPool;
  db: Database;
}

/** The connections of this process, opened when they are first needed. */
export class Connections {
  readonly #options: ConnectionsOptions;
  #opening: Promise<Opened> | undefined;
  #isBound = false;
  #ownPool: OwnPool | undefined;
  readonly #ownClients = new Set<OwnClient>();
  #isStarted = false;
  /** Makes this process look for entries that are due. */
  #wake: (() => void) | undefined;
  #endListening: (() => void) | undefined;
  /** The service that the tables are bound to before they are written. */
  binding: Binding | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Opens the connections on the first call, and again after a failure. The tables may be those of another service. */
  async open(): Promise<Database> {
    this.#opening ??= this.#open().catch(async (error: unknown) => {
      await this.#ownPool?.end().catch(() => {});
      this.#ownPool = undefined;
      this.#opening = undefined;
      throw error;
    });
    return (await this.#opening).db;
  }

  /** Opens the connections as {@link Connections.open} does. @throws OutboxError if the tables are those of another service. */
  async openToWrite(): Promise<Database> {
    const db = await this.open();
    if (!this.#isBound) await this.#bind(db);
    return db;
  }

  /** Opens the connections for a transaction of the caller, which may hold the only one of its pool: then they open after it. */
  async openFor(db: Executor): Promise<void> {
    const opening = this.openToWrite();
    opening.catch(() => {});
    const { source, schema } = this.#options;
    if (!this.#isBound && 'pool' in source) {
      const { isComplete, baseUrl } = await look(schema, db);
      // What is missing is created on a connection of the store.
      if (isComplete && baseUrl === (this.binding?.baseUrl ?? baseUrl)) return;
      await opening;
      // PostgreSQL looks for new schemas only when a transaction locks a table that it has not locked yet.
      await db.executeSql('SELECT 1 FROM pg_catalog.pg_description LIMIT 0');
    }
    await opening;
  }

  /** Permits all connections from now on, and listens. Until then, this process only adds. */
  start(wake?: () => void): void {
    this.#wake ??= wake;
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#opening?.then((opened) => this.#run(opened)).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    this.#endListening?.();
    await this.#ownPool?.end();
    this.#ownPool = undefined;
  }

  /** Closes the store's own connections, if any are left: those in use at once. The others do not keep the process alive. */
  disconnect(): void {
    for (const client of this.#ownClients) {
      if (this.#ownPool) void client.end().catch(() => {});
      client.unref();
    }
  }

  async #open(): Promise<Opened> {
    const { platform, source, schema, queryTimeoutMs, onSilence } = this.#options;
    const pool = 'pool' in source ? source.pool : await this.#createPool(source);
    const db = new Database(platform, pool, queryTimeoutMs, onSilence);
    await guarded(NOTHING_WRITTEN, () => install(schema, db));
    await this.#bind(db).catch((error: Error) => {
      if (!(error instanceof OutboxError) || error.reason !== 'wrong-service') throw error;
    });
    const opened = { pool, db };
    if (this.#isStarted) this.#run(opened);
    return opened;
  }

  async #bind(db: Database): Promise<void> {
    const { binding } = this;
    if (binding) await guarded(NOTHING_WRITTEN, () => bind(this.#options.schema, binding, db));
    this.#isBound = true;
  }

  async #createPool({ config, max }: { config: PostgresPoolConfig; max: number }): Promise<OwnPool> {
    const Pool = await loadPool();
    const pool = new Pool({
      application_name: 'sales-order-outbox',
      connectionTimeoutMillis: this.#options.queryTimeoutMs,
      // Without it, a connection that falls silent while it is being closed stays open for ever.
      keepAlive: true,
      ...config,
      max: this.#isStarted ? max : CONNECTIONS_TO_ADD,
    });
    // Without a listener a connection that breaks would end the process; the next statement reports it.
    pool.on('error', () => {});
    pool.on('connect', (client) => this.#ownClients.add(client));
    pool.on('remove', (client) => this.#ownClients.delete(client));
    this.#ownPool = pool;
    return pool;
  }

  #run({ pool }: Opened): void {
    const { platform, source, schema: channel, queryTimeoutMs: timeoutMs, listen: isListening } = this.#options;
    if (this.#ownPool && 'max' in source) this.#ownPool.options.max = source.max + Number(isListening);
    if (!isListening) return;
    this.#endListening ??= listen({ platform, pool, channel, timeoutMs, wake: () => this.#wake?.() });
  }
}

/** Loads the pool of node-postgres. @throws OutboxError if it is missing. */
async function loadPool(): Promise<new (options: object) => OwnPool> {
  const install = 'install it with: npm install pg@8';
  try {
    // Not a literal: bundlers and compilers must not look for an optional package.
    const name = 'pg';
    const module = await import(name);
    return (module.default ?? module).Pool;
  } catch (cause) {
    const { code } = (cause ?? {}) as { code?: string };
    const problem = /MODULE_NOT_FOUND/.test(code ?? '') ? 'is not installed' : 'cannot be loaded here';
    throw new OutboxError('unsupported', `postgresStore needs pg, which ${problem}; ${install}`, { cause });
  }
}
