import { createHash } from 'node:crypto';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';
import { Batches } from '../../pkg-template/src/platform/batches.js';
import { platform as realPlatform, type Platform } from '../../pkg-template/src/platform/platform.js';
import type { IdSource } from '../files/csv-mapping.js';

/** The tables of the command line in a journal. Its outbox has others; the base URL is in one of those. */
const TABLES = `
CREATE TABLE IF NOT EXISTS send_id_source (namespace TEXT, columns TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS send_order (order_id TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
`;

/** The contents of an order, as the outbox compares them. */
interface Contents {
  version: string;
  body: string;
}

interface SendTablesOptions {
  /** The simulation of the tests has its own. */
  platform?: Pick<Platform, 'after' | 'now' | 'soon'>;
  /** Creates the tables that are missing. If not, the outbox of another program gets none. @default true */
  isOfSend?: boolean | undefined;
}

/** The tables of a journal besides those of its outbox: the source of Ids, and digests of orders in the file whose entries differ. */
export class SendTables {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  readonly #hasTables: boolean;
  readonly #writes: Batches<() => undefined, undefined>;

  constructor(database: SqliteDatabase, { platform = realPlatform, isOfSend = true }: SendTablesOptions = {}) {
    this.#database = database;
    this.#writes = new Batches({ platform, write: async (writes) => this.#commit(writes) });
    if (isOfSend) database.exec(TABLES);
    this.#hasTables = this.#first(`SELECT 1 FROM sqlite_schema WHERE name = 'send_order'`) !== undefined;
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

  /** The number of orders from a mapping that wait, or may be at the service. A forgotten one may be any. */
  get mapped(): number {
    const sql = `SELECT count(*) AS mapped FROM outbox_entry
      WHERE (reference IS NOT NULL OR body IS NULL) AND (state IN ('waiting', 'sending') OR outcome <> 'not-created')`;
    return (this.#statement(sql).get() as { mapped: number }).mapped;
  }

  /** Undefined before the first order that a mapping made. */
  get idSource(): IdSource | undefined {
    return idSourceIn(this.#database);
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

  /**
   * Stores a digest of the order in the file before its entry is forgotten or replaced by hand, so that the same contents are
   * not taken for a correction. A digest that is already stored stays: it is that of the file.
   */
  async noteContents(orderId: string, contents: Contents): Promise<void> {
    if (!this.#hasTables) return;
    const sql = 'INSERT OR IGNORE INTO send_order (order_id, digest) VALUES (?, ?)';
    await this.#writes.run(() => void this.#statement(sql).run(orderId, digestOf(contents)));
  }

  /** Deletes the digest: the entry has the same contents as the file. */
  async dropContents(orderId: string): Promise<void> {
    if (this.#digestOf(orderId) === undefined) return;
    const sql = 'DELETE FROM send_order WHERE order_id = ?';
    await this.#writes.run(() => void this.#statement(sql).run(orderId));
  }

  /** Returns true if these are the contents that were noted; undefined if none were. */
  areNoted(orderId: string, contents: Contents): boolean | undefined {
    const digest = this.#digestOf(orderId);
    return digest === undefined ? undefined : digest === digestOf(contents);
  }

  #digestOf(orderId: string): string | undefined {
    if (!this.#hasTables) return undefined;
    return this.#first<{ digest: string }>('SELECT digest FROM send_order WHERE order_id = ?', orderId)?.digest;
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

/** Returns undefined if the database has no orders that a mapping made. */
export function idSourceIn(database: SqliteDatabase): IdSource | undefined {
  if (!database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'send_id_source'`).get()) return undefined;
  const row = database.prepare('SELECT namespace, columns FROM send_id_source').get();
  const { namespace = null, columns } = (row ?? {}) as { namespace?: string | null; columns?: string };
  return columns === undefined ? undefined : { namespace, columns: JSON.parse(columns) as string[] };
}

function digestOf({ version, body }: Contents): string {
  return createHash('sha256').update(`${version}\n${body}`).digest('hex');
}
