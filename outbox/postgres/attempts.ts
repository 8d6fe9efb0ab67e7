import { SELECTED, entryOfRow } from '../columns.js';
import type { Settlement, TakenEntry } from '../store/index.js';
import type { Executor } from './database.js';
import type { Job, Lease } from './engine.js';
import type { Engine } from './queue.js';
import { rowOf } from './rows.js';
import { ROW } from './schema.js';

/**
 * Records an attempt for each job. Jobs that another process has by now, or whose order is settled, are dropped: this
 * process has nothing more to do with them.
 */
export async function beginAttempts(
  jobs: readonly Job[],
  table: string,
  engine: Engine,
  db: Executor,
): Promise<{ entries: TakenEntry[]; dropped: Job[] }> {
  const ours = await engine.touch(jobs, db);
  const mine = jobs.filter(({ id }) => ours.has(id));
  const { rows } = await db.executeSql(
    `UPDATE ${table} SET state = 'sending', attempts = attempts + 1,
       outcome = CASE state WHEN 'sending' THEN 'unknown' ELSE outcome END
     FROM json_to_recordset($1::text::json) AS job ("jobId" uuid, "ofOrder" text)
     WHERE order_id = "ofOrder" AND job_id = "jobId" AND (state IN ('waiting', 'sending')) IS TRUE
     RETURNING job_id, ${SELECTED}`,
    // Found by the Ids of their orders: there is no index by job, and IS TRUE keeps the planner from the one by state, which
    // seems to find nothing for a while after many entries were retried.
    [JSON.stringify(mine.map(({ id, data }) => ({ jobId: id, ofOrder: data.orderId })))],
  );
  const taken = new Map(rows.map((row) => [row.job_id as string, row]));
  const done = mine.filter(({ id }) => !taken.has(id));
  if (done.length > 0) await engine.complete(done, db);
  const entries = mine.flatMap(({ id, retryCount }) => {
    const { job_id: _, ...row } = taken.get(id) ?? {};
    return taken.has(id) ? [{ ...entryOfRow(row), lease: { id, retryCount } }] : [];
  });
  return { entries, dropped: jobs.filter(({ id }) => !taken.has(id)) };
}

/** Writes results, with the jobs of the attempts that follow. Returns false for an attempt that another process has by now. */
export async function settleAttempts(
  items: readonly [TakenEntry, Settlement][],
  table: string,
  engine: Engine,
  db: Executor,
): Promise<boolean[]> {
  const leases = items.map(([{ lease }]) => lease as Lease);
  const ours = await engine.complete(leases, db);
  const mine = items.flatMap(([entry, settlement], index) => {
    const lease = leases[index] as Lease;
    if (!ours.has(lease.id)) return [];
    const isWaiting = settlement.state === 'waiting';
    const jobId: string = isWaiting ? engine.newJobId() : lease.id;
    return [{ ...settlement, orderId: entry.orderId, location: entry.location, jobId }];
  });
  if (mine.length > 0) {
    await db.executeSql(
      `UPDATE ${table} AS entry SET state = row.state, outcome = row.outcome, attempts = row.attempts,
         due_at = row.due_at, settled_at = row.settled_at, notice_at = row.notice_at, reason = row.reason,
         status = row.status, request_id = row.request_id, detail = row.detail, issues = row.issues,
         received = row.received, already_there = row.already_there, job_id = row.job_id
       FROM json_to_recordset($1::text::json) AS row (${ROW}) WHERE entry.order_id = row.order_id`,
      [JSON.stringify(mine.map(rowOf))],
    );
    const again = mine.filter(({ state }) => state === 'waiting');
    if (again.length > 0) await engine.send(again, db);
  }
  return leases.map(({ id }) => ours.has(id));
}
