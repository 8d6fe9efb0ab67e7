/** Returns the SQL of the schema, next to the tables of the job engine. Stores JSON in columns of type text, because `jsonb` would lose digits. */
export function schemaOf(schema: string): string {
  return `
CREATE TABLE IF NOT EXISTS ${schema}.outbox_entry (
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  order_id text PRIMARY KEY,
  version text NOT NULL,
  location text NOT NULL,
  state text NOT NULL,
  outcome text NOT NULL,
  attempts integer NOT NULL,
  added_at bigint NOT NULL,
  due_at bigint NOT NULL,
  deadline_at bigint NOT NULL,
  trace_context text,
  settled_at bigint,
  notice_at bigint,
  reason text,
  status integer,
  request_id text,
  detail text,
  issues text,
  received text,
  already_there integer NOT NULL DEFAULT 0,
  body text,
  job_id uuid NOT NULL
);
-- Tables of 0.2 lack these columns.
ALTER TABLE ${schema}.outbox_entry ADD COLUMN IF NOT EXISTS already_there integer NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.outbox_entry ADD COLUMN IF NOT EXISTS trace_context text;
CREATE INDEX IF NOT EXISTS outbox_entry_state ON ${schema}.outbox_entry (state, location, added_at);
CREATE INDEX IF NOT EXISTS outbox_entry_deadline ON ${schema}.outbox_entry (deadline_at) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS outbox_entry_notice ON ${schema}.outbox_entry (notice_at) WHERE notice_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_entry_settled ON ${schema}.outbox_entry (settled_at) WHERE state = 'created';
`;
}

/** The types of the columns, for rows that are passed as JSON. */
export const ROW = `order_id text, version text, location text, state text, outcome text, attempts integer,
  added_at bigint, due_at bigint, deadline_at bigint, trace_context text, settled_at bigint, notice_at bigint,
  reason text, status integer, request_id text, detail text, issues text, received text, already_there integer,
  body text, job_id uuid`;

/** The names of the columns. */
export const COLUMN_NAMES: readonly string[] = ROW.split(',').map((column) => column.trim().split(' ')[0] ?? '');

export const QUEUE = 'order';
/** The shortest that the engine has: a process that is silent for longer has lost its jobs. */
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
  // The engine deletes nothing that waits; what is done, soon.
  retentionSeconds: 3650 * DAY_SECONDS,
  deleteAfterSeconds: 3600,
};
