import { createHash } from 'node:crypto';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';
import { Batches } from '../../pkg-template/src/platform/batches.js';
import { platform as realPlatform, type Platform } from '../../pkg-template/src/platform/platform.js';
import type { IdSource } from '../files/csv-mapping.js';

/** The tables of the command line in a journal. Its outbox has others; the base URL is in one of those. */
const TABLES = `
CREATE TABLE IF NOT EXISTS send_id_source (namespace TEXT, columns TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS send_order (order_id TEXT PRIMARY KEY, key TEXT, digest TEXT) WITHOUT ROWID;
`;

/** A row of `send_order`. */
interface Row {
  key: string | null;
  digest: string | null;
}

/** The contents of an order, as the outbox compares them. */
interface Contents {
  version: string;
  body: string;
}

interface SendTablesOptions {
  /** The simulation of the tests has its own. */
  platform?: Pick<Platform, 'after' | 'soon'>;
  isReadOnly?: boolean;
}

/**
 * The tables of a journal besides those of its outbox: the source of Ids, the key of each order, and a digest of the order in
 * the file if its entry no longer has these contents.
 */
export class SendTables {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  readonly #writes: Batches<() => undefined, undefined>;

  /** The outbox of another program has no keys, and a reader does not add a table. */
  readonly #hasKeys: boolean = true;

  /** Creates the tables that a new journal lacks, unless it is only read. */
  constructor(database: SqliteDatabase, { platform = realPlatform, isReadOnly = false }: SendTablesOptions = {}) {
    this.#database = database;
    this.#writes = new Batches({ platform, write: async (writes) => this.#commit(writes) });
    if (isReadOnly) {
      this.#hasKeys = this.#first(`SELECT 1 FROM sqlite_master WHERE name = 'send_order'`) !== undefined;
      return;
    }
    database.exec(TABLES);
  }

  /** The base URL that the orders are sent to; undefined if the journal is new. */
  get baseUrl(): string | undefined {
    return this.#first<{ value: string }>(`SELECT value FROM outbox_setting WHERE name = 'base_url'`)?.value;
  }

  /** The number of orders that may be at the service. */
  get sent(): number {
    const sql = `SELECT count(*) AS sent FROM outbox_entry WHERE outcome <> 'not-created' OR state = 'sending'`;
    return (this.#statement(sql).get() as { sent: number }).sent;
  }

  /** Undefined before the first order that a mapping made. */
  get idSource(): IdSource | undefined {
    const sql = 'SELECT namespace, columns FROM send_id_source';
    const row = this.#first<{ namespace: string | null; columns: string }>(sql);
    return row && { namespace: row.namespace, columns: JSON.parse(row.columns) as string[] };
  }

  setBaseUrl(baseUrl: string): Promise<void> {
    const sql = `INSERT OR REPLACE INTO outbox_setting (name, value) VALUES ('base_url', ?)`;
    return this.#writes.run(() => void this.#statement(sql).run(baseUrl));
  }

  setIdSource({ namespace, columns }: IdSource): Promise<void> {
    const sql = 'INSERT INTO send_id_source (namespace, columns) VALUES (?, ?)';
    return this.#writes.run(() => {
      this.#statement('DELETE FROM send_id_source').run();
      this.#statement(sql).run(namespace, JSON.stringify(columns));
    });
  }

  /** Returns null if the order has no key. */
  keyOf(orderId: string): string | null {
    return this.#row(orderId).key;
  }

  /** Resolves once the key of an order is durable. */
  async setKey(orderId: string, key: string | null): Promise<void> {
    if (key === null || this.keyOf(orderId) === key) return;
    const sql = `INSERT INTO send_order (order_id, key) VALUES (?, ?)
      ON CONFLICT (order_id) DO UPDATE SET key = excluded.key`;
    await this.#writes.run(() => void this.#statement(sql).run(orderId, key));
  }

  /**
   * Stores a digest of the order in the file before its entry is forgotten or replaced by hand, so that the same contents are
   * not taken for a correction. A digest that is already stored stays: it is that of the file.
   */
  noteContents(orderId: string, contents: Contents): Promise<void> {
    const sql = `INSERT INTO send_order (order_id, digest) VALUES (?, ?)
      ON CONFLICT (order_id) DO UPDATE SET digest = coalesce(digest, excluded.digest)`;
    return this.#writes.run(() => void this.#statement(sql).run(orderId, digestOf(contents)));
  }

  /** Deletes the digest: the entry has the same contents as the file. */
  async dropContents(orderId: string): Promise<void> {
    if (this.#row(orderId).digest === null) return;
    const sql = 'UPDATE send_order SET digest = NULL WHERE order_id = ?';
    await this.#writes.run(() => void this.#statement(sql).run(orderId));
  }

  /** Returns true if these are the contents that were noted; undefined if none were. */
  areNoted(orderId: string, contents: Contents): boolean | undefined {
    const { digest } = this.#row(orderId);
    return digest === null ? undefined : digest === digestOf(contents);
  }

  #row(orderId: string): Row {
    const row = this.#hasKeys && this.#first<Row>('SELECT key, digest FROM send_order WHERE order_id = ?', orderId);
    return row || { key: null, digest: null };
  }

  #first<Row>(sql: string, ...values: string[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  #commit(writes: readonly (() => undefined)[]): undefined[] {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const written = writes.map((write) => write());
      this.#database.exec('COMMIT');
      return written;
    } catch (error) {
      try {
        this.#database.exec('ROLLBACK');
      } catch {
        // There is no transaction, or SQLite has ended it itself, after a full disk for example.
      }
      throw error;
    }
  }

  #statement(sql: string): ReturnType<SqliteDatabase['prepare']> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function digestOf({ version, body }: Contents): string {
  return createHash('sha256').update(`${version}\n${body}`).digest('hex');
}
