import { type Binding, assertBound, assertKnown } from '../binding.js';
import { OutboxError } from '../errors.js';
import type { Database, Executor } from './database.js';
import { codeOf, isDenied } from './failure.js';
import { TABLES, schemaOf } from './schema.js';

const FOUND = `SELECT current_setting('fsync') AS fsync,
  EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1) AS "hasSchema",
  ARRAY(SELECT relname::text FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace AS schema ON schema.oid = relnamespace
    WHERE nspname = $1 AND relname IN (${TABLES.map((name) => `'${name}'`).join()})) AS tables`;

/**
 * Looks for the tables, and creates what is missing, if the role may.
 *
 * @throws OutboxError with `reason` `unsupported` that says what is missing, if the role may not create it; if the tables are of another
 * version; or if a crash of the database's machine could lose what it has committed.
 */
export async function install(schema: string, db: Database): Promise<void> {
  const { isComplete, hasSchema } = await look(schema, db);
  if (isComplete) return;
  const advice = `Let its owner run the SQL that "npx sales-order-intake outbox --schema ${schema}" prints.`;
  await permitted(problemOf(schema, hasSchema), advice, () =>
    db.transaction(async (tx) => {
      // Two processes that start together would both create the tables.
      await tx.executeSql(`SELECT pg_advisory_xact_lock(hashtext('${schema}.outbox_entry'))`);
      // Requires a right on the database, even if the schema exists.
      if (!hasSchema) await tx.executeSql(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await tx.executeSql(schemaOf(schema));
    }),
  );
}

/** Looks for the tables, and the base URL in them. @throws OutboxError if they, or the database, can't be used. */
export async function look(schema: string, db: Executor) {
  const { rows } = await db.executeSql(FOUND, [schema]);
  const { fsync, hasSchema, tables } = rows[0] as { fsync: string; hasSchema: boolean; tables: string[] };
  if (fsync === 'off') {
    const problem = 'PostgreSQL runs with fsync = off: a crash of its machine could lose accepted orders';
    throw new OutboxError('unsupported', `${problem}. Set fsync = on.`);
  }
  const baseUrl = tables.includes('outbox_setting') ? await assertVersion(schema, db) : undefined;
  return { isComplete: tables.length === TABLES.length, hasSchema, baseUrl };
}

function problemOf(schema: string, hasSchema: boolean): string {
  if (!hasSchema) return `There is no schema ${schema}, and this role may not create it`;
  return `Schema ${schema} does not have the tables of the outbox, and this role may not create them`;
}

/** Returns the base URL. @throws OutboxError if the tables are of another version. */
async function assertVersion(schema: string, db: Executor): Promise<unknown> {
  const sql = `SELECT name, value FROM ${schema}.outbox_setting`;
  const { rows } = await permitted(`This role may not read schema ${schema}`, GRANTS, () => db.executeSql(sql));
  const { version, base_url: baseUrl } = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  assertKnown(Number(version ?? 0), `Schema ${schema}`);
  return baseUrl;
}

/**
 * Stores the base URL if none is stored yet, or if the stored one has moved.
 *
 * @throws OutboxError if another one is stored.
 */
export async function bind(schema: string, binding: Binding, db: Executor): Promise<void> {
  const sql = `INSERT INTO ${schema}.outbox_setting AS setting VALUES ('base_url', $1) ON CONFLICT (name) DO UPDATE
    SET value = CASE WHEN $2 IN (setting.value, '*') THEN excluded.value ELSE setting.value END RETURNING value`;
  const { rows } = await permitted(`This role may not use schema ${schema}`, GRANTS, () =>
    db.executeSql(sql, [binding.baseUrl, binding.movedFrom]),
  );
  assertBound(rows[0]?.value, binding);
}

const GRANTS = 'It needs USAGE on the schema, and SELECT, INSERT, UPDATE and DELETE on its tables.';

/** Runs work. If it fails because the role may not do it, the error says so. */
async function permitted<T>(problem: string, advice: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDenied(error)) throw error;
    const code = codeOf(error);
    const cause = error instanceof OutboxError ? error.cause : error;
    throw new OutboxError('unsupported', `${problem} (${code}). ${advice}`, { code, cause });
  }
}
