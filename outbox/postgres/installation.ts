import { OutboxError } from '../errors.js';
import { type Executor, inTransaction, type PgPool } from './database.js';
import type { PgBoss } from './engine.js';
import { codeOf, isDenied } from './failure.js';
import { COLUMN_NAMES, QUEUE, QUEUE_OPTIONS, schemaOf } from './schema.js';

/** What the database has of a schema. */
export interface Installation {
  hasSchema: boolean;
  /** The tables of the job engine. */
  hasEngine: boolean;
  /** The columns of the table of entries; null if it is missing. */
  columns: string[] | null;
}

/** Reads the catalog, which every role may. */
export async function findInstallation(schema: string, db: Executor): Promise<Installation> {
  const { rows } = await db.executeSql(
    `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1) AS "hasSchema",
       EXISTS (SELECT 1 FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace AS schema ON schema.oid = relnamespace
         WHERE nspname = $1 AND relname = 'version') AS "hasEngine",
       (SELECT json_agg(attname) FROM pg_catalog.pg_attribute
         JOIN pg_catalog.pg_class ON pg_class.oid = attrelid
         JOIN pg_catalog.pg_namespace AS schema ON schema.oid = relnamespace
         WHERE nspname = $1 AND relname = 'outbox_entry' AND attnum > 0 AND NOT attisdropped) AS columns`,
    [schema],
  );
  return rows[0] as unknown as Installation;
}

/**
 * Starts the engine, and creates or updates what is missing or old, if the role may.
 *
 * @throws OutboxError with `reason` `unsupported` that says what is missing or old, if the role may not.
 */
export async function install(schema: string, found: Installation, boss: PgBoss, pool: PgPool): Promise<void> {
  const owner = 'its owner';
  const print = 'the SQL that "npx sales-order-intake outbox --schema" prints';
  const version = found.hasEngine
    ? await permitted(`This role may not read schema ${schema}`, GRANTS, () => boss.schemaVersion())
    : null;
  const update = `Let ${owner} run the SQL that postgresSchema({ schema: '${schema}', from: ${version} }) returns.`;
  await (version === null
    ? permitted(`${missing(schema, found)} may not create it`, `Let ${owner} run ${print}.`, () => boss.start())
    : permitted(
        `The tables of pg-boss in schema ${schema} have version ${version}, which the installed pg-boss can't use, and this role may not update them`,
        update,
        () => boss.start(),
      ));
  await permitted(`This role may not use schema ${schema}`, GRANTS, async () => {
    if (!(await boss.getQueue(QUEUE))) await boss.createQueue(QUEUE, QUEUE_OPTIONS);
  });
  const lacking = COLUMN_NAMES.filter((name) => !found.columns?.includes(name));
  if (lacking.length === 0) return;
  const problem = found.columns
    ? `Table ${schema}.outbox_entry is of an earlier version, without ${lacking.join(', ')}, and this role may not alter it`
    : `Schema ${schema} has no table outbox_entry, and this role may not create it`;
  await permitted(problem, version === null ? `Let ${owner} run ${print}.` : update, () =>
    inTransaction(pool, async (tx) => {
      // Two processes that start together would both create the table.
      await tx.executeSql(`SELECT pg_advisory_xact_lock(hashtext('${schema}.outbox_entry'))`);
      await tx.executeSql(schemaOf(schema));
    }),
  );
}

const GRANTS =
  'It needs USAGE on the schema, SELECT, INSERT, UPDATE and DELETE on its tables, and EXECUTE on its functions.';

function missing(schema: string, { hasSchema }: Installation): string {
  const what = hasSchema ? `Schema ${schema} does not have the tables of the outbox` : `There is no schema ${schema}`;
  return `${what}, and this role`;
}

/** Runs work, and says what the role may not do if that is why it fails. */
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
