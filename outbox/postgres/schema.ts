import { check, checkNames, copyOptions } from '../../pkg-template/src/options/check.js';
import { SCHEMA_VERSION } from '../binding.js';
import { NEW_COLUMNS, definitions } from '../members.js';
import { checkedSchema } from './options.js';
import { loadBoss } from './pg-boss.js';

const COLUMNS = definitions({ text: 'text', integer: 'integer', time: 'bigint', flag: 'integer' });

/** Returns the SQL of the schema, next to the tables of the job engine. Stores JSON in columns of type text, because `jsonb` would lose digits. */
export function schemaOf(schema: string): string {
  return `
CREATE TABLE IF NOT EXISTS ${schema}.outbox_entry (
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  ${[...COLUMNS].map((column) => column.join(' ')).join(',\n  ')},
  job_id uuid NOT NULL,
  PRIMARY KEY (order_id)
);
-- Tables of 0.2 lack these columns.
${NEW_COLUMNS.map((name) => `ALTER TABLE ${schema}.outbox_entry ADD COLUMN IF NOT EXISTS ${name} ${COLUMNS.get(name)};`).join('\n')}
-- Its version, and the base URL of the service.
CREATE TABLE IF NOT EXISTS ${schema}.outbox_setting (name text PRIMARY KEY, value text NOT NULL);
-- Has all that lists filter by, and what is counted.
CREATE INDEX IF NOT EXISTS outbox_entry_page ON ${schema}.outbox_entry (state, position)
  INCLUDE (location, added_at, settled_at, reason);
DROP INDEX IF EXISTS ${schema}.outbox_entry_state;
CREATE INDEX IF NOT EXISTS outbox_entry_deadline ON ${schema}.outbox_entry (deadline_at) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS outbox_entry_notice ON ${schema}.outbox_entry (notice_at) WHERE notice_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_stalled ON ${schema}.outbox_entry (state, location, added_at)
  WHERE state = 'stalled' AND body IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_settled ON ${schema}.outbox_entry (settled_at) WHERE state = 'created';
INSERT INTO ${schema}.outbox_setting VALUES ('version', '${SCHEMA_VERSION}') ON CONFLICT (name) DO UPDATE SET value = excluded.value;
`;
}

/** The columns with their types, for rows that are passed as JSON. */
export const ROW = [...COLUMNS, ['job_id', 'uuid']].map(([name, type]) => `${name} ${type?.split(' ')[0]}`).join();

/** The names of the columns. */
export const COLUMN_NAMES: readonly string[] = [...COLUMNS.keys(), 'job_id'];

export const QUEUE = 'order';
/** The shortest that the engine permits. A process that is silent for longer has lost its jobs. */
const HEARTBEAT_SECONDS = 10;
const DAY_SECONDS = 86_400;

/** The options of the queue, whose jobs are attempts. */
export const QUEUE_OPTIONS = {
  // One job per order.
  policy: 'exclusive',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 3600,
  // Unlimited, because a process that died is not a failure of the order.
  retryLimit: 1_000_000,
  retryDelay: 0,
  // The engine deletes no waiting job, and finished ones soon.
  retentionSeconds: 3650 * DAY_SECONDS,
  deleteAfterSeconds: 3600,
};

/** Options of {@link postgresSchema}. */
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
 * Returns the SQL that creates everything the outbox needs in PostgreSQL: the tables and functions of the installed pg-boss,
 * its queue, and the tables of the outbox. With `from`, the SQL updates them. Run it with `psql`, as a role that may create
 * tables. The role of the shop then needs no right to create anything; comments at the end list the grants that it needs.
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
