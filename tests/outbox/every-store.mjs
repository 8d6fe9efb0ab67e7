/** Every store, PostgreSQL included if there is a server for the tests (scripts/with-postgres.mjs). */
import { after } from 'node:test';
import { STORES } from './set-up.mjs';

/** Creates an empty store, by name. @type {Record<string, () => any>} */
export const EVERY_STORE = { ...STORES };
if (process.env.TEST_DATABASE_URL) {
  const { Pool, URL_OF_TESTS, newSchema, postgresStore } = await import('./postgres.mjs');
  const schemas = [];
  EVERY_STORE.PostgreSQL = () => {
    schemas.push(newSchema());
    return postgresStore({ connectionString: URL_OF_TESTS, schema: schemas.at(-1) });
  };
  after(async () => {
    const pool = new Pool({ connectionString: URL_OF_TESTS, max: 4 });
    await Promise.all(schemas.map((schema) => pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)));
    await pool.end();
  });
}
