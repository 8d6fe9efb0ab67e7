import { every, type Platform } from '../../pkg-template/src/platform/platform.js';
import { isTraced, tracingChannel } from '../../pkg-template/src/platform/tracing-channel.js';
import type { Binding } from '../binding.js';
import { OutboxError } from '../errors.js';
import { Database, type Executor, type PgPool } from './database.js';
import { loadBoss, loadPool, type OwnClient, type OwnPool, type Job, type Lease, type PgBoss } from './pg-boss.js';
import { engineClock } from './engine-clock.js';
import { failureOf, guarded, NOTHING_WRITTEN } from './failure.js';
import { bind, findInstallation, install } from './installation.js';
import { listen } from './listener.js';
import type { PostgresPoolConfig, PostgresSettings } from './options.js';
import { QUEUE } from './schema.js';

const BEAT_MS = 3000;
/** How often this process looks for jobs of processes that died. */
const SUPERVISE_MS = 5000;
/** Adds are written together, so a process that only adds needs no more. */
const CONNECTIONS_TO_ADD = 1;
/** The engine fetches by descending priority, a 32-bit integer. */
const HIGHEST_PRIORITY = 2 ** 31 - 1;

/** Whether a statement waits for rows that another transaction has locked, or leaves them out. */
export type LockWait = '' | 'SKIP LOCKED';

/** An order to send, and when to send it. */
export interface Sending {
  orderId: string;
  location: string;
  dueAt: number;
  jobId: string;
}

interface EngineOptions extends PostgresSettings {
  platform: Platform;
  /** Called often enough for the heartbeat of jobs. */
  onBeat(): Promise<void>;
}

interface Opened {
  pool: PgPool;
  boss: PgBoss;
  db: Database;
  clock: ReturnType<typeof engineClock>;
}

/** The job engine, with the connections of this process; opened when it is first needed. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #platform: Platform;
  readonly #schema: string;
  #opening: Promise<Opened> | undefined;
  #opened: Opened | undefined;
  #ownPool: OwnPool | undefined;
  readonly #ownClients = new Set<OwnClient>();
  #isStarted = false;
  /** Makes this process look for jobs that are due. */
  #wake: (() => void) | undefined;
  #supervising: Promise<void> | undefined;
  #failure: Error | undefined;
  readonly #timers: (() => void)[] = [];
  /** Distinguishes this process from others. */
  readonly processId: string;
  /** The service that the tables are bound to before they are used. */
  binding: Binding | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#platform = options.platform;
    this.#schema = options.schema;
    this.processId = this.newJobId();
  }

  get #boss(): PgBoss {
    return (this.#opened as Opened).boss;
  }

  /** Opens the engine on the first call, and again after a failure. */
  async open(): Promise<Database> {
    this.#opening ??= this.#open().catch(async (error: unknown) => {
      await this.#ownPool?.end().catch(() => {});
      this.#ownPool = undefined;
      this.#opening = undefined;
      throw error;
    });
    return (await this.#opening).db;
  }

  /** Supervises jobs from now on, with all connections. Until then, this process only adds. */
  start(wake?: () => void): void {
    this.#wake ??= wake;
    if (this.#isStarted) return;
    this.#isStarted = true;
    if (this.#opened) this.#run(this.#opened);
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    for (const end of this.#timers) end();
    await this.#opened?.boss.stop(AT_ONCE).catch(() => {});
    await this.#ownPool?.end();
    this.#ownPool = undefined;
  }

  /** Closes the store's own connections, if any are left: those in use at once. The others do not keep the process alive. */
  disconnect(): void {
    for (const client of this.#ownClients) {
      if (this.#ownPool) void client.end().catch(() => {});
      client.unref();
    }
  }

  /** SQL that announces when the transaction commits that entries were added; null if nobody listens. */
  get announcement(): string | null {
    return this.#options.listen ? `pg_notify('${this.#schema}', '')::text AS announced` : null;
  }

  newJobId(): string {
    return this.#platform.uuid();
  }

  async send(entries: readonly Sending[], db: Executor): Promise<void> {
    if (entries.length === 0) return;
    const jobs = entries.map(({ orderId, location, dueAt, jobId }) => ({
      id: jobId,
      data: { orderId, location, dueAt },
      priority: priorityOf(dueAt),
      singletonKey: orderId,
      group: { id: location },
      startAfter: new Date(dueAt).toISOString(),
    }));
    await this.#boss.insert(QUEUE, jobs, { db });
  }

  /** Fetches jobs that are due, the earliest first. */
  async fetch(batchSize: number, ignoreGroups: readonly string[]): Promise<Job[]> {
    const jobs = await this.#boss.fetch(QUEUE, { batchSize, ignoreGroups });
    return jobs.sort((a, b) => a.data.dueAt - b.data.dueAt);
  }

  /** Returns the ids of those jobs that are still this process's. */
  async touch(jobs: readonly Lease[], db?: Executor): Promise<Set<string>> {
    const { settled = [] } = await this.#boss.touch(QUEUE, fences(jobs), db && { db });
    return new Set(settled);
  }

  /** Ends jobs. Returns the ids of those that were still this process's. */
  async complete(jobs: readonly Lease[], db: Executor): Promise<Set<string>> {
    const { settled = [] } = await this.#boss.complete(QUEUE, fences(jobs), null, { db });
    return new Set(settled);
  }

  /** Replaces jobs with new ones. */
  async exchange(ids: readonly string[], entries: readonly Sending[], db: Executor): Promise<void> {
    await this.#boss.deleteJob(QUEUE, ids, { db });
    await this.send(entries, db);
    if (this.announcement) await db.executeSql(`SELECT ${this.announcement}`);
  }

  /** Locks the jobs of entries until the transaction ends. Returns the ids of those that it could not lock. */
  async lock(entries: readonly { jobId: string | null }[], wait: LockWait, db: Executor): Promise<Set<string>> {
    const jobs = `SELECT id FROM ${this.#schema}.job WHERE name = '${QUEUE}' AND id = ANY (ARRAY(SELECT id FROM wanted))`;
    const sql = `WITH wanted AS MATERIALIZED (SELECT json_array_elements_text($1::text::json)::uuid AS id),
      locked AS (${jobs} FOR UPDATE ${wait}) ${jobs} AND id NOT IN (SELECT id FROM locked)`;
    const { rows } = await db.executeSql(sql, [JSON.stringify(entries.map(({ jobId }) => jobId))]);
    return new Set(rows.map(({ id }) => id as string));
  }

  /**
   * Reports the last failure of the background work, once. A failure loses nothing, but while failures go on, the jobs of
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

  async #open(): Promise<Opened> {
    const { PgBoss } = await loadBoss();
    const pool =
      'pool' in this.#options.source ? this.#options.source.pool : await this.#createPool(this.#options.source);
    const db = new Database(this.#platform, pool, this.#options.queryTimeoutMs, (error) => {
      this.#failure = failureOf('Its connection was closed', error);
    });
    const opened = await guarded(NOTHING_WRITTEN, async () => {
      await assertDurable(db);
      const found = await findInstallation(this.#schema, db);
      const clock = engineClock(this.#platform);
      const boss = new PgBoss({
        db: { executeSql: (text: string, values?: unknown[]) => db.executeSql(text, values) },
        clock,
        schema: this.#schema,
        createSchema: !found.hasSchema,
        schedule: false,
        // This process supervises by itself, once it delivers.
        supervise: false,
        monitorIntervalSeconds: SUPERVISE_MS / 1000,
        // The list of instances is not used.
        registerInstance: false,
        // Its spans are children of ours. Without these, every poll would have one.
        openTelemetry: { enabled: isTraced(tracingChannel('add')) },
      });
      boss.on('error', this.#fail);
      try {
        await install(this.#schema, found, boss, db);
        if (this.binding) await bind(this.#schema, this.binding, db);
        // Makes the engine read the queue now: later it would need a second connection while a transaction has the only one.
        await boss.getJobById(QUEUE, NO_JOB);
      } catch (error) {
        await boss.stop(AT_ONCE).catch(() => {});
        throw error;
      }
      return { pool, boss, db, clock };
    });
    this.#failure = undefined;
    this.#opened = opened;
    if (this.#isStarted) this.#run(opened);
    return opened;
  }

  async #createPool({ config, max }: { config: PostgresPoolConfig; max: number }): Promise<OwnPool> {
    const Pool = await loadPool();
    const pool = new Pool({
      application_name: 'sales-order-outbox',
      connectionTimeoutMillis: this.#options.queryTimeoutMs,
      // Without it, a connection that falls silent while it is being closed stays open for ever.
      keepAlive: true,
      ...config,
      max: this.#isStarted ? max : CONNECTIONS_TO_ADD,
    });
    // Without a listener a connection that breaks would end the process; the next statement reports it.
    pool.on('error', () => {});
    pool.on('connect', (client) => this.#ownClients.add(client));
    pool.on('remove', (client) => this.#ownClients.delete(client));
    this.#ownPool = pool;
    return pool;
  }

  #run({ pool, clock }: Opened): void {
    const { platform, source, queryTimeoutMs: timeoutMs, listen: isListening } = this.#options;
    if (this.#ownPool && 'max' in source) this.#ownPool.options.max = source.max + Number(isListening);
    clock.run();
    if (isListening) {
      this.#timers.push(listen({ platform, pool, channel: this.#schema, timeoutMs, wake: () => this.#wake?.() }));
    }
    this.#timers.push(
      every(platform, BEAT_MS, () => void this.#options.onBeat().catch(this.#fail)),
      every(platform, SUPERVISE_MS, () => void this.#supervise().catch(this.#fail)),
    );
  }

  /** At most once at a time. */
  async #supervise(): Promise<void> {
    this.#supervising ??= this.#boss.supervise(QUEUE).finally(() => {
      this.#supervising = undefined;
    });
    await this.#supervising;
  }

  readonly #fail = (error: unknown): void => {
    this.#failure = failureOf('Jobs may not be supervised', error);
  };
}

const NO_JOB = '00000000-0000-0000-0000-000000000000';
const AT_ONCE = { graceful: false, close: false };

/** Returns a higher priority for an earlier second, until 2106; within a second, the engine fetches the oldest job first. */
function priorityOf(dueAt: number): number {
  const seconds = Math.floor(dueAt / 1000);
  return HIGHEST_PRIORITY - Math.max(0, Math.min(seconds, 2 * HIGHEST_PRIORITY));
}

/** @throws OutboxError if a crash of the database's machine could lose what it has committed. */
async function assertDurable(db: Executor): Promise<void> {
  const { rows } = await db.executeSql(`SELECT current_setting('fsync') AS fsync`);
  if (rows[0]?.fsync !== 'off') return;
  const problem = 'PostgreSQL runs with fsync = off: a crash of its machine could lose accepted orders';
  throw new OutboxError('unsupported', `${problem}. Set fsync = on.`);
}

function fences(jobs: readonly Lease[]): Lease[] {
  return jobs.map(({ id, retryCount }) => ({ id, retryCount }));
}
