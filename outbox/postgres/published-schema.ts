import { check, checkNames, copyOptions } from '../../www/options/check.js';
import { loadBoss } from './engine.js';
import { checkedSchema } from './options.js';
import { QUEUE, QUEUE_OPTIONS, schemaOf } from './schema.js';

/** What {@link postgresSchema} takes. */
export interface PostgresSchemaOptions {
  /**
   * The schema for the tables of the outbox and of its engine.
   * @default 'sales_order_outbox'
   */
  schema?: string | undefined;
  /**
   * The version that the engine's tables have in the database already: `SELECT version FROM sales_order_outbox.version`.
   * @default none: they do not exist yet
   */
  from?: number | undefined;
}

/**
 * Returns the SQL that creates everything the outbox needs in PostgreSQL, for a role that may: the tables and functions of
 * the installed pg-boss, its queue, and the table of the outbox. With `from`, it updates them. Run it with `psql`. The role of
 * the shop then needs no right to create anything; the grants that it needs are at the end, as comments.
 *
 * @throws OptionError if an option is wrong.
 * @throws OutboxError with `reason` `unsupported` if pg-boss is missing or too old.
 *
 * @example
 * ```js
 * import { postgresSchema } from 'sales-order-intake/outbox/postgres';
 *
 * const sql = await postgresSchema({ schema: 'shop_outbox' });
 * console.log(sql.includes('CREATE TABLE IF NOT EXISTS shop_outbox.outbox_entry')); // true
 * ```
 */
export async function postgresSchema(options: PostgresSchemaOptions = {}): Promise<string> {
  const { schema: name, from } = copyOptions(options);
  checkNames('', Object.keys(options), ['schema', 'from']);
  const schema = checkedSchema(name);
  check('/from', from === undefined || (Number.isSafeInteger(from) && from > 0), 'a version of the tables of pg-boss');
  return `-- The outbox of sales-order-intake, in schema ${schema}: the job engine (pg-boss)
${await engineSql(schema, from)}
-- Its queue
${await queueSql(schema)}
-- The entries
${schemaOf(schema)}
-- For the role of the shop:
-- GRANT USAGE ON SCHEMA ${schema} TO shop;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO shop;
-- GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO shop;
`;
}

async function engineSql(schema: string, from: number | undefined): Promise<string> {
  const { getConstructionPlans, getMigrationPlans } = await loadBoss();
  if (from === undefined) return getConstructionPlans(schema);
  try {
    return getMigrationPlans(schema, from);
  } catch (error) {
    if (/ not found/.test(String(error))) return `-- has version ${from} already`;
    throw error;
  }
}

/** Returns the statement with which the engine creates the queue; it also reads the queue. */
async function queueSql(schema: string): Promise<string> {
  const { PgBoss } = await loadBoss();
  const statements: string[] = [];
  const executeSql = async (text: string) => {
    if (text.includes('create_queue(')) statements.push(text);
    return { rows: [] };
  };
  await new PgBoss({ db: { executeSql }, schema }).createQueue(QUEUE, QUEUE_OPTIONS);
  return statements.join('\n');
}
