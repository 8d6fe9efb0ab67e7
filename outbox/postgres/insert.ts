import type { Guid } from 'sales-order-intake';
import { SELECTED, entryOfRow, insertion } from '../columns.js';
import { OutboxError } from '../errors.js';
import type { NewEntry, StoredEntry } from '../store/index.js';
import { DURABLE, type Executor } from './database.js';
import type { Engine } from './queue.js';
import { rowOf } from './rows.js';
import { ROW } from './schema.js';

/** Inserts entries with their jobs. Returns null for each new entry, or the entry that was stored before. */
export async function insertEntries(
  entries: readonly NewEntry[],
  table: string,
  engine: Engine,
  db: Executor,
  isRepeated = false,
): Promise<(StoredEntry | null)[]> {
  const jobIds = entries.map(() => engine.newJobId());
  const rows = entries.map((entry, index) => rowOf({ ...entry, jobId: jobIds[index] as string }));
  const { columns } = insertion(entries[0] as NewEntry, () => '');
  const { rows: inserted } = await db.executeSql(
    `INSERT INTO ${table} (${columns}, job_id)
     SELECT ${columns}, job_id FROM json_to_recordset($1::text::json) AS row (${ROW})
     ON CONFLICT (order_id) DO NOTHING RETURNING job_id, ${DURABLE} AS durable`,
    [JSON.stringify(rows)],
  );
  const fresh = new Set(inserted.map(({ job_id }) => job_id));
  const isNew = jobIds.map((id) => fresh.has(id));
  const sent = entries.flatMap((entry, index) => (isNew[index] ? [{ ...entry, jobId: jobIds[index] as string }] : []));
  if (sent.length > 0) await engine.send(sent, db);
  if (sent.length === entries.length) return entries.map(() => null);
  const existing = await entriesById(entries, table, db);
  // They were stored when the rows were inserted, and have been pruned since.
  const pruned = entries.filter(({ orderId }, index) => !isNew[index] && !existing.has(orderId));
  if (pruned.length > 0 && isRepeated) {
    throw new OutboxError('store', 'Another process deletes an entry with this Id. The order was not stored');
  }
  const repeated = pruned.length > 0 ? await insertEntries(pruned, table, engine, db, true) : [];
  return entries.map(({ orderId }, index) =>
    isNew[index] ? null : (existing.get(orderId) ?? repeated.shift() ?? null),
  );
}

async function entriesById(entries: readonly NewEntry[], table: string, db: Executor): Promise<Map<Guid, StoredEntry>> {
  const { rows } = await db.executeSql(
    `SELECT ${SELECTED} FROM ${table} WHERE order_id IN (SELECT json_array_elements_text($1::text::json))`,
    [JSON.stringify(entries.map(({ orderId }) => orderId))],
  );
  return new Map(rows.map(entryOfRow).map((entry) => [entry.orderId, entry]));
}
