/** Stores on PostgreSQL whose tables are deleted after the tests of a file. */
import { after } from 'node:test';
import { Pool, URL_OF_TESTS, newSchema, postgresStore } from '../postgres.mjs';

const schemas = [];
after(async () => {
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 4 });
  await Promise.all(schemas.map((schema) => pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)));
  await pool.end();
});

export function emptyStore() {
  const schema = newSchema();
  schemas.push(schema);
  return postgresStore({ connectionString: URL_OF_TESTS, schema });
}
