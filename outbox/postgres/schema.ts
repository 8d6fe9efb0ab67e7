import { checkNames, copyOptions } from '../../pkg-template/src/options/check.js';
import { SCHEMA_VERSION } from '../binding.js';
import { definitions, eventDefinitions } from '../members.js';
import { checkedSchema } from './options.js';

const TYPES = { text: 'text', integer: 'integer', time: 'bigint', flag: 'integer' };
// A beginning is searched by the order of characters, not by that of a language.
const COLUMNS = [...definitions(TYPES).set('reference', 'text COLLATE "C"')];
const EVENT = eventDefinitions(TYPES);
const listOf = (columns: readonly [string, string][]) => columns.map((column) => column.join(' ')).join(',\n  ');

/** The tables. */
export const TABLES: readonly string[] = ['outbox_entry', 'outbox_event', 'outbox_process', 'outbox_setting'];

/** Returns the SQL of the tables. Stores JSON in columns of type text, because `jsonb` would lose digits. */
export function schemaOf(schema: string): string {
  return `
CREATE TABLE IF NOT EXISTS ${schema}.outbox_entry (
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  ${listOf(COLUMNS)},
  -- The number of its last event.
  events integer NOT NULL DEFAULT 0,
  -- The process that sends it, or has sent it last, and when it took it: a later time whenever it is taken.
  process uuid,
  lease bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (order_id)
);
-- What happened to an order.
CREATE TABLE IF NOT EXISTS ${schema}.outbox_event (
  position bigint NOT NULL,
  number integer NOT NULL,
  ${listOf(EVENT)},
  process_id uuid,
  PRIMARY KEY (position, number)
);
-- Processes that deliver: when each was last seen, and what it holds back.
CREATE TABLE IF NOT EXISTS ${schema}.outbox_process (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  pauses text,
  paused_at bigint
);
-- The version of the tables, and the base URL of the service.
CREATE TABLE IF NOT EXISTS ${schema}.outbox_setting (name text PRIMARY KEY, value text NOT NULL);
-- Has all that lists filter by, and what is counted.
CREATE INDEX IF NOT EXISTS outbox_entry_page ON ${schema}.outbox_entry (state, position)
  INCLUDE (location, added_at, settled_at, reason);
CREATE INDEX IF NOT EXISTS outbox_entry_due ON ${schema}.outbox_entry (location, due_at) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS outbox_entry_deadline ON ${schema}.outbox_entry (deadline_at) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS outbox_entry_notice ON ${schema}.outbox_entry (notice_at) WHERE notice_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_stalled ON ${schema}.outbox_entry (state, location, added_at)
  WHERE state IN ('refused', 'stalled', 'invalid') AND body IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_settled ON ${schema}.outbox_entry (settled_at) WHERE state = 'created';
CREATE INDEX IF NOT EXISTS outbox_entry_reference ON ${schema}.outbox_entry (reference) WHERE reference IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_receipt ON ${schema}.outbox_entry (receipt_number) WHERE receipt_number IS NOT NULL;
INSERT INTO ${schema}.outbox_setting VALUES ('version', '${SCHEMA_VERSION}') ON CONFLICT (name) DO NOTHING;
`;
}

/** The columns with their types, for rows that are passed as JSON. */
export const ROW = rowType(COLUMNS);
export const EVENT_ROW = rowType(EVENT);
export const EVENT_COLUMNS = EVENT.map(([name]) => name).join();

function rowType(columns: readonly [string, string][]): string {
  return columns.map(([name, type]) => `${name} ${type.split(' ')[0]}`).join();
}

/** Options of {@link postgresSchema}. */
export interface PostgresSchemaOptions {
  /**
   * The schema for the tables of the outbox.
   * @default 'sales_order_outbox'
   */
  schema?: string | undefined;
}

/**
 * Returns the SQL that creates everything the outbox needs in PostgreSQL. Run it as a role that may create tables. The role of the
 * shop then needs no right to create anything; comments at the end list the grants that it needs.
 *
 * @throws OptionError if an option is wrong.
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
  const { schema: name } = copyOptions(options);
  checkNames('', Object.keys(options), ['schema']);
  const schema = checkedSchema(name);
  return `-- The outbox of sales-order-intake, in schema ${schema}
CREATE SCHEMA IF NOT EXISTS ${schema};
${schemaOf(schema)}
-- For the role of the shop:
-- GRANT USAGE ON SCHEMA ${schema} TO shop;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO shop;
`;
}
