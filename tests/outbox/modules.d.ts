/** Modules whose types are not installed in the root of the repository. */

/** The types of Node are those of the oldest supported major version, which has no SQLite. */
declare module 'node:sqlite' {
  export class DatabaseSync {
    constructor(path: string, options?: { defensive?: boolean });
    exec(sql: string): void;
    prepare(sql: string): {
      run(...values: unknown[]): unknown;
      get(...values: unknown[]): Record<string, unknown> | undefined;
      all(...values: unknown[]): unknown[];
      iterate(...values: unknown[]): Iterator<Record<string, unknown>>;
    };
    location(): string | null;
    open(): void;
    close(): void;
    readonly isTransaction: boolean;
  }
}

/** They have their own lock file, and are installed only for the tests and benches that need them. */
declare module '*/pg-boss/dist/index.js';
declare module '@modelcontextprotocol/sdk/*';
