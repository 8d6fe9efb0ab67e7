import { type Binding, SCHEMA_VERSION, assertBound, assertKnown } from '../binding.js';
import { OutboxError } from '../errors.js';
import type { Database, Executor } from './database.js';
import type { PgBoss } from './pg-boss.js';
import { codeOf, isDenied } from './failure.js';
import { COLUMN_NAMES, QUEUE, QUEUE_OPTIONS, schemaOf } from './schema.js';

/** The parts of a schema that the database already has. */
export interface Installation {
  hasSchema: boolean;
  /** The tables in it, and other relations; null if it has none. */
  relations: string[] | null;
  /** The columns of the table of entries; null if it is missing. */
  columns: string[] | null;
}

/** Reads the catalog, which every role may read. */
export async function findInstallation(schema: string, db: Executor): Promise<Installation> {
  const { rows } = await db.executeSql(
    `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1) AS "hasSchema",
       (SELECT json_agg(relname) FROM pg_catalog.pg_class
         JOIN pg_catalog.pg_namespace AS schema ON schema.oid = relnamespace WHERE nspname = $1) AS relations,
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
export async function install(schema: string, found: Installation, boss: PgBoss, db: Database): Promise<void> {
  const owner = 'its owner';
  const print = 'the SQL that "npx sales-order-intake outbox --schema" prints';
  const version = found.relations?.includes('version')
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
  // Versions up to 0.3 have no table of settings.
  const hasSettings = found.relations?.includes('outbox_setting');
  const isCurrent = hasSettings && (await versionOf(schema, db)) === SCHEMA_VERSION;
  if (isCurrent && lacking.length === 0) return;
  const without = lacking.length > 0 ? `, without ${lacking.join(', ')}` : '';
  const problem = found.columns
    ? `Table ${schema}.outbox_entry is of an earlier version${without}, and this role may not alter it`
    : `Schema ${schema} has no table outbox_entry, and this role may not create it`;
  await permitted(problem, version === null ? `Let ${owner} run ${print}.` : update, () =>
    db.transaction(async (tx) => {
      // Two processes that start together would both create the table.
      await tx.executeSql(`SELECT pg_advisory_xact_lock(hashtext('${schema}.outbox_entry'))`);
      await tx.executeSql(schemaOf(schema));
    }),
  );
}

/** @throws OutboxError if the tables are of a later version than this package knows. */
async function versionOf(schema: string, db: Executor): Promise<number> {
  const sql = `SELECT value FROM ${schema}.outbox_setting WHERE name = 'version'`;
  const { rows } = await permitted(`This role may not read schema ${schema}`, GRANTS, () => db.executeSql(sql));
  const version = Number(rows[0]?.value ?? 0);
  assertKnown(version, `Schema ${schema}`);
  return version;
}

/**
 * Stores the base URL if none is stored yet, or if the stored one has moved.
 *
 * @throws OutboxError if another one is stored.
 */
export async function bind(schema: string, binding: Binding, db: Executor): Promise<void> {
  const { rows } = await db.executeSql(
    `INSERT INTO ${schema}.outbox_setting AS setting VALUES ('base_url', $1) ON CONFLICT (name) DO UPDATE
       SET value = CASE WHEN $2 IN (setting.value, '*') THEN excluded.value ELSE setting.value END RETURNING value`,
    [binding.baseUrl, binding.movedFrom],
  );
  assertBound(rows[0]?.value, binding);
}

const GRANTS =
  'It needs USAGE on the schema, SELECT, INSERT, UPDATE and DELETE on its tables, and EXECUTE on its functions.';

function missing(schema: string, { hasSchema }: Installation): string {
  const what = hasSchema ? `Schema ${schema} does not have the tables of the outbox` : `There is no schema ${schema}`;
  return `${what}, and this role`;
}

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
