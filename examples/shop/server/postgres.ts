import pg from 'pg';
import { postgresStore } from 'sales-order-intake/outbox/postgres';
import { type Database, type Query, SCHEMA } from './database.ts';

/** Connects to a database that several processes can share. */
export async function openPostgres(connectionString: string): Promise<Database<pg.ClientBase>> {
  const pool = new pg.Pool({ connectionString });
  // The pool replaces an idle connection that breaks; without a listener the process would end.
  pool.on('error', () => {});
  await pool.query(SCHEMA);
  return {
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async transaction(work) {
      const connection = await pool.connect();
      const query: Query = async (sql, values) => (await connection.query(sql, values)).rows;
      try {
        await connection.query('BEGIN');
        await work(query, connection);
        await connection.query('COMMIT');
        connection.release();
      } catch (error) {
        // Closing the connection rolls back.
        connection.release(true);
        throw error;
      }
    },
    store: postgresStore({ connectionString }),
  };
}
