import { OutboxError } from '../errors.js';
import type { Executor, PgClient, PgPool } from './database.js';

/** A connection of {@link OwnPool}. */
export interface OwnClient extends PgClient {
  end(): Promise<void>;
  unref(): void;
}

/** A pool that this store has created. */
export interface OwnPool extends PgPool {
  options: { max?: number };
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
  on(event: 'connect' | 'remove', listener: (client: OwnClient) => void): unknown;
}

/** A job that this process has fetched. */
export interface Job {
  id: string;
  retryCount: number;
  data: { orderId: string; location: string; dueAt: number };
}

export interface NewJob {
  id: string;
  data: Job['data'];
  priority: number;
  singletonKey: string;
  group: { id: string };
  startAfter: string;
}

/** A job that one process has fetched: the count changes when another process gets it. */
export type Lease = Pick<Job, 'id' | 'retryCount'>;
type Settled = Promise<{ settled?: string[] }>;

/** The part of pg-boss that this store uses. */
export interface PgBoss {
  start(): Promise<unknown>;
  stop(options: { graceful: boolean; close: boolean }): Promise<void>;
  on(event: 'error', listener: (error: unknown) => void): void;
  schemaVersion(): Promise<number | null>;
  supervise(queue: string): Promise<void>;
  getQueue(name: string): Promise<unknown>;
  createQueue(name: string, options: object): Promise<unknown>;
  getJobById(name: string, id: string): Promise<unknown>;
  insert(name: string, jobs: readonly NewJob[], options: { db: Executor }): Promise<unknown>;
  fetch(name: string, options: { batchSize: number; ignoreGroups: readonly string[] }): Promise<Job[]>;
  touch(name: string, jobs: readonly Lease[], options?: { db: Executor }): Settled;
  complete(name: string, jobs: readonly Lease[], data: null, options?: { db: Executor }): Settled;
  deleteJob(name: string, ids: readonly string[], options: { db: Executor }): Promise<unknown>;
}

interface BossModule {
  PgBoss: new (options: object) => PgBoss;
  getConstructionPlans(schema: string): string;
  getMigrationPlans(schema: string, version: number): string;
}

type PoolConstructor = new (options: object) => OwnPool;

/** Loads pg-boss. @throws OutboxError if it is missing or too old. */
export async function loadBoss(): Promise<BossModule> {
  const module = (await load('pg-boss')) as Partial<BossModule>;
  if (module.PgBoss) return module as BossModule;
  throw new OutboxError('unsupported', `postgresStore needs pg-boss 12.38 or later; ${INSTALL}`);
}

/** Loads the pool of node-postgres. @throws OutboxError if it is missing. */
export async function loadPool(): Promise<PoolConstructor> {
  const module = await load('pg');
  const { Pool } = (module.default ?? module) as { Pool?: PoolConstructor };
  if (Pool) return Pool;
  throw new OutboxError('unsupported', `postgresStore needs pg 8 or later; ${INSTALL}`);
}

const INSTALL = 'install it with: npm install pg-boss@12 pg@8 (Node 22.12 or later)';

async function load(name: string): Promise<Record<string, unknown>> {
  try {
    // Not a literal: bundlers and compilers must not look for an optional package.
    return (await import(name)) as Record<string, unknown>;
  } catch (cause) {
    const { code } = (cause ?? {}) as { code?: string };
    const problem = /MODULE_NOT_FOUND/.test(code ?? '') ? 'is not installed' : 'cannot be loaded here';
    throw new OutboxError('unsupported', `postgresStore needs ${name}, which ${problem}; ${INSTALL}`, { cause });
  }
}
