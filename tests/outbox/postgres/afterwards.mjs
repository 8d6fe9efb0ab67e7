/**
 * Schemas and roles that are dropped after all tests of a file, when no outbox uses them any more: dropping tables that one
 * still reads can be a deadlock, and a hook that fails keeps the ones after it from running.
 */
import { after } from 'node:test';
import { Pool, URL_OF_TESTS, newSchema, postgresStore } from '../postgres.mjs';

const statements = [];
after(async () => {
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
  for (const statement of statements) await pool.query(statement);
  await pool.end();
});

/** Runs a statement after all tests of the file. */
export function afterwards(statement) {
  statements.push(statement);
}

/** Returns the name of a new schema. */
export function schemaOfFile() {
  const schema = newSchema();
  afterwards(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  return schema;
}

export function emptyStore() {
  return postgresStore({ connectionString: URL_OF_TESTS, schema: schemaOfFile() });
}

/** Nothing takes as long, except for a mistake. */
const LONG_MS = 30_000;

/**
 * Opens a store on a pool whose statements a test sees before they run.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} schema
 * @param {(text: string, values?: any[]) => unknown} before
 */
export function watched(t, schema, before, max = 1) {
  const own = new Pool({ connectionString: URL_OF_TESTS, max });
  const watchedPool = {
    query: (...args) => own.query(...args),
    async connect() {
      const client = await own.connect();
      return {
        async query(text, values) {
          await before(text, values);
          return client.query(text, values);
        },
        on: (...args) => client.on(...args),
        removeListener: (...args) => client.removeListener(...args),
        release: (error) => client.release(error),
      };
    },
  };
  const store = postgresStore({ pool: watchedPool, schema, queryTimeoutMs: LONG_MS });
  t.after(async () => {
    await store.close();
    await own.end();
  });
  return store;
}
