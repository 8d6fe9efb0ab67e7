import type { SqliteDatabase, SqliteStatement, SqliteValue } from './database.js';

export type Row = Record<string, unknown>;

/** The prepared statements of a connection. */
export class Statements {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, SqliteStatement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Returns the number of changed rows. */
  run(sql: string, values: readonly SqliteValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Returns rows; integers that a number can't represent are BigInts in them. */
  all(sql: string, values: readonly SqliteValue[]): Row[] {
    const rows = this.#statement(sql).all(...values) as Row[];
    for (const row of rows) {
      for (const name of Object.keys(row)) {
        const value = row[name];
        if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) row[name] = Number(value);
      }
    }
    return rows;
  }

  clear(): void {
    this.#prepared.clear();
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      // Otherwise Node throws at the first large integer, and no row can be read.
      statement.setReadBigInts?.(true);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
