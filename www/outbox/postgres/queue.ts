import { OutboxError } from '../errors.js';
import {
  failureOf,
  guarded,
  inTransaction,
  loadEngine,
  type Executor,
  type Job,
  type Lease,
  type PgBoss,
  type PgPool,
} from './engine.js';
import { schemaOf } from './schema.js';

const QUEUE = 'order';
/** The shortest that the engine has: a process that is silent for longer has lost its jobs. */
const HEARTBEAT_SECONDS = 10;
const BEAT_MS = 3000;
const DAY_SECONDS = 86_400;
/** A transaction of this process that hangs would keep the engine from taking its jobs away. */
const IDLE_IN_TRANSACTION_MS = 3000;

const QUEUE_OPTIONS = {
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

/** An order to send, and when to send it. */
export interface Sending {
  orderId: string;
  location: string;
  dueAt: number;
  jobId: string;
}

/** The job engine, with the connections of this process; opened when it is first needed. */
export class Engine {
  readonly #schema: string;
  readonly #connection: object;
  readonly #onBeat: () => Promise<void>;
  #opening: Promise<void> | undefined;
  #boss: PgBoss | undefined;
  #pool: PgPool | undefined;
  #failure: OutboxError | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;

  /** @param onBeat Called often enough for the heartbeat of jobs. */
  constructor(schema: string, connection: object, onBeat: () => Promise<void>) {
    this.#schema = schema;
    this.#connection = connection;
    this.#onBeat = onBeat;
  }

  get pool(): PgPool {
    return this.#pool as PgPool;
  }

  /** Opens the engine on the first call, and again after a failure. */
  async open(): Promise<this> {
    this.#opening ??= this.#open().catch(async (error: unknown) => {
      this.#opening = undefined;
      await this.#pool?.end().catch(() => {});
      this.#pool = undefined;
      throw error;
    });
    await this.#opening;
    return this;
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    await this.#opening?.catch(() => {});
    await this.#boss?.stop({ graceful: false, close: false }).catch(() => {});
    await this.#pool?.end();
    this.#pool = undefined;
  }

  async send(entries: readonly Sending[], db: Executor): Promise<void> {
    const now = Date.now();
    const jobs = entries.map(({ orderId, location, dueAt, jobId }) => ({
      id: jobId,
      data: { orderId, location },
      singletonKey: orderId,
      group: { id: location },
      // From now on by the database's clock, so that those of the processes need not agree.
      startAfter: Math.max(0, Math.round(dueAt - now)) / 1000,
    }));
    await (this.#boss as PgBoss).insert(QUEUE, jobs, { db });
  }

  fetch(batchSize: number, ignoreGroups: readonly string[]): Promise<Job[]> {
    return (this.#boss as PgBoss).fetch(QUEUE, { batchSize, ignoreGroups });
  }

  /** Returns the ids of those jobs that are still this process's. */
  async touch(jobs: readonly Lease[], db?: Executor): Promise<Set<string>> {
    const { settled = [] } = await (this.#boss as PgBoss).touch(QUEUE, fences(jobs), db && { db });
    return new Set(settled);
  }

  /** Ends jobs. Returns the ids of those that were still this process's. */
  async complete(jobs: readonly Lease[], db: Executor): Promise<Set<string>> {
    const { settled = [] } = await (this.#boss as PgBoss).complete(QUEUE, fences(jobs), null, { db });
    return new Set(settled);
  }

  async remove(ids: readonly string[], db: Executor): Promise<void> {
    if (ids.length > 0) await (this.#boss as PgBoss).deleteJob(QUEUE, ids, { db });
  }

  /** Locks a job, if it exists, until the transaction ends. */
  async lock(id: string, db: Executor): Promise<void> {
    await db.executeSql(`SELECT 1 FROM ${this.#schema}.job WHERE name = '${QUEUE}' AND id = $1 FOR UPDATE`, [id]);
  }

  /**
   * Reports the last failure of what runs in the background, once. Nothing is lost by one, but while they go on, the jobs of
   * processes that died are not given to others.
   *
   * @throws OutboxError
   */
  reportFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure;
  }

  /** SQL that selects the job of an id, unless it has ended. */
  jobOf(id: string): string {
    return `SELECT 1 FROM ${this.#schema}.job WHERE name = '${QUEUE}' AND id = ${id} AND state < 'completed'`;
  }

  async #open(): Promise<void> {
    const { Pool, PgBoss } = await loadEngine();
    const pool = new Pool({
      application_name: 'sales-order-outbox',
      connectionTimeoutMillis: 10_000,
      ...this.#connection,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    });
    this.#pool = pool;
    // Without a listener a connection that breaks would end the process; the next statement reports it.
    pool.on('error', () => {});
    // The same for a connection in use: a process that was frozen finds its transaction ended.
    pool.on('connect', (client) => client.on('error', () => {}));
    const db: Executor = { executeSql: (text, values) => pool.query(text, values) };
    const boss = new PgBoss({
      ...{ db, schema: this.#schema, schedule: false, superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 },
      openTelemetry: { enabled: false },
    });
    const fail = (error: unknown) => {
      this.#failure = failureOf('Jobs may not be supervised', error);
    };
    boss.on('error', fail);
    await guarded(async () => {
      await assertDurable(pool);
      await boss.start();
      await boss.createQueue(QUEUE, QUEUE_OPTIONS);
      await inTransaction(pool, async (tx) => {
        // Two processes that start together would both create the table.
        await tx.executeSql(`SELECT pg_advisory_xact_lock(hashtext('${this.#schema}.outbox_entry'))`);
        await tx.executeSql(schemaOf(this.#schema));
      });
    });
    this.#boss = boss;
    this.#beat = setInterval(() => this.#onBeat().catch(fail), BEAT_MS);
  }
}

/** @throws OutboxError if a crash of the database's machine could lose what it has committed. */
async function assertDurable(pool: PgPool): Promise<void> {
  const { rows } = await pool.query(`SELECT current_setting('fsync') AS fsync`);
  if (rows[0]?.fsync !== 'off') return;
  throw new OutboxError(
    'unsupported',
    'PostgreSQL runs with fsync = off: a crash of its machine could lose accepted orders. Set fsync = on.',
  );
}

function fences(jobs: readonly Lease[]): Lease[] {
  return jobs.map(({ id, retryCount }) => ({ id, retryCount }));
}
