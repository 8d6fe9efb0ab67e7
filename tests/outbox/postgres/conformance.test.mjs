/** Tests that the store on PostgreSQL passes the checks of a store. */
import { describe, test } from 'node:test';
import { storeChecks } from '../conformance/index.mjs';
import { Pool, URL_OF_TESTS, newSchema, postgresStore } from '../postgres.mjs';

function createPlace() {
  const schema = newSchema();
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 2 });
  return {
    open: () => postgresStore({ connectionString: URL_OF_TESTS, schema }),
    async begin(store) {
      // The tables must exist before the caller's transaction.
      await store.count();
      const client = await pool.connect();
      await client.query('BEGIN');
      const end = (how) => async () => {
        await client.query(how);
        client.release();
      };
      return { transaction: client, commit: end('COMMIT'), rollback: end('ROLLBACK') };
    },
    async dispose() {
      await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await pool.end();
    },
  };
}

describe('PostgreSQL', { concurrency: 4 }, () => {
  for (const { title, run } of storeChecks(createPlace)) test(title, run);
});
