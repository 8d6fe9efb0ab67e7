import { newOrderId } from 'sales-order-intake';
import { createOutbox, type Outbox, OutboxError, type OutboxOptions } from 'sales-order-intake/outbox';
import { type PostgresPool, postgresStore, type PostgresTransaction } from 'sales-order-intake/outbox/postgres';
import { openJournal, useJournal } from '../sending/journal.js';
import { writeProblem, storeFailure } from '../sending/journal-problem.js';
import { assertSqlite } from '../sending/journal-file.js';
import { Problem, usageProblem } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import { CALLED, shellWord } from '../arguments/program.js';

/** The argument for a URL that has a password, which SALES_ORDER_OUTBOX then has. */
const OF_ENVIRONMENT = 'postgres:';
const MONTH_MS = 30 * 86_400_000;
/** The limit of statements on a database that has fallen silent; those of the outbox have the same limit (D59). */
const LIMIT_MS = 10_000;
const POOL = { connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS, keepAlive: true };

/** The outbox of a relay, in SQLite or PostgreSQL. */
export interface RelayStore {
  outbox: Outbox;
  /** Writes like an order. Rejects if that fails. */
  probe(): Promise<unknown>;
  /** Waits for the orders in flight. */
  close(): Promise<void>;
}

/** Opens a file, or a PostgreSQL database by its URL. @throws Problem if it can't be used. */
export async function openStore(
  fileOrUrl: string,
  baseUrl: string,
  options: Omit<OutboxOptions, 'store'>,
): Promise<RelayStore> {
  if (isPostgresUrl(fileOrUrl)) return openPostgres(fileOrUrl, options);
  assertSqlite('an outbox in a file');
  const journal = await openJournal(fileOrUrl, { ...options, keepCreatedMs: MONTH_MS, isOfSend: false });
  const close = () => journal.close();
  try {
    await useJournal(fileOrUrl, journal, baseUrl, null);
  } catch (error) {
    await close();
    throw writeProblem(fileOrUrl, error);
  }
  const { outbox, tables } = journal;
  // A commit that reaches the disk, and one of the outbox, which checks that the file is still in its place.
  const probe = () => tables.setBaseUrl(baseUrl).then(() => outbox.cancel(newOrderId()).catch(expectNotFound));
  return { outbox, probe, close };
}

export function isPostgresUrl(fileOrUrl: string): boolean {
  return /^postgres(ql)?:\/\//i.test(fileOrUrl);
}

function expectNotFound(error: unknown): void {
  if (!(error instanceof OutboxError && error.reason === 'not-found')) throw error;
}

/** The part of node-postgres that is used. */
type Pool = PostgresPool & {
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
  on(event: 'error', listener: () => void): unknown;
  on(event: 'connect', listener: (client: Pick<Pool, 'on'>) => void): unknown;
  end(): Promise<void>;
};

/** Opens a database by its URL. Without `creates`, one without an outbox is a mistake. @throws Problem if it can't be used. */
export async function openPostgres(
  connectionString: string,
  options: Omit<OutboxOptions, 'store'>,
  creates = true,
): Promise<RelayStore> {
  const pool = new (await poolClass())({ connectionString, ...POOL });
  // Without a listener, a connection that breaks would end the process, idle or just opened; the next statement reports it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const outbox = createOutbox({ ...options, store: postgresStore({ pool }) });
  const probe = () => inVain(pool, (transaction) => outbox.add(probeOrder(), { transaction }));
  const close = () => outbox.stop().then(() => pool.end());
  // A database that is down may come up: until then the relay is not ready. One that refuses the credentials does not change.
  const error = await (creates ? probe() : assertOutbox(pool)).catch((each: unknown) => each);
  const { reason = '', code } = (error ?? {}) as { reason?: string; code?: string };
  const isFinal = /^(28|3D)/.test(code ?? '') || ['unsupported', 'wrong-service'].includes(reason);
  if (error === undefined || (creates && !isFinal)) return { outbox, probe, close };
  await close();
  const name = hasPassword(connectionString) ? OF_ENVIRONMENT : shellWord(connectionString);
  const advice = `If the service has moved: ${CALLED} outbox ${name} move --base-url URL.`;
  throw error instanceof Problem ? error : databaseProblem(error, reason === 'wrong-service' ? advice : undefined);
}

async function assertOutbox(pool: Pool): Promise<void> {
  const { rows } = await pool.query(`SELECT to_regclass('sales_order_outbox.outbox_entry') AS found`);
  if (!rows[0]?.found) throw usageProblem('the database has no outbox', 'A relay creates it when it starts.');
}

/** Returns the problem of a database that can't be used, without its own message, which may name a user. */
export function databaseProblem(error: unknown, hint?: string): Problem {
  const { code = null, message } = error as { code?: string | null; message: string };
  const isOfOutbox = error instanceof OutboxError && error.reason !== 'store';
  const why = isOfOutbox && !/^(28|3D)/.test(code ?? '') ? message : storeFailure(code);
  return usageProblem(`the outbox can't be used: ${why}`, hint);
}

/**
 * Returns the file, or the URL of the database, that an argument names; without one, and for `postgres:`, that of SALES_ORDER_OUTBOX.
 *
 * @throws Problem if an argument has a password.
 */
export function outboxOf(invocation: Invocation, given = invocation.text('outbox')): string | undefined {
  if (given !== undefined && hasPassword(given)) {
    const problem = 'an argument takes no password: other users of this machine could see it, and the shell stores it';
    const hint = 'Set SALES_ORDER_OUTBOX to the URL with the password; or PGPASSWORD, or a file .pgpass.';
    throw usageProblem(problem, hint);
  }
  const isNamed = given !== undefined && given !== OF_ENVIRONMENT;
  const outbox = isNamed ? given : invocation.variable('SALES_ORDER_OUTBOX');
  if (given !== undefined && outbox === undefined)
    throw usageProblem('postgres: is the database of SALES_ORDER_OUTBOX, which is not set');
  return outbox;
}

function hasPassword(url: string): boolean {
  if (!isPostgresUrl(url)) return false;
  return /^[^/]*\/\/[^/?#]*:[^/?#]*@/.test(url) || /[?&](ssl)?password=/i.test(url);
}

function probeOrder() {
  const item = { Name: 'Probe', CatalogItemId: newOrderId(), Quantity: 1, SellAtPricePerUnit: '1.00' };
  return { Id: newOrderId(), CompanyId: 1, EntityId: 1, IntegratorId: newOrderId(), Items: [item] };
}

/** Runs work in a transaction that is rolled back. */
async function inVain(pool: PostgresPool, work: (transaction: PostgresTransaction) => Promise<unknown>): Promise<void> {
  const client = await pool.connect();
  client.on('error', () => {});
  try {
    await client.query('BEGIN');
    await work({ executeSql: (text, values) => client.query(text, values) });
  } finally {
    // Closes the connection, which rolls the transaction back.
    client.release(true);
  }
}

async function poolClass(): Promise<new (options: object) => Pool> {
  // Not a literal: the package is optional.
  const name = 'pg';
  const module = await import(name).catch(() => {
    throw usageProblem('an outbox in PostgreSQL needs pg', 'Install it with: npm install pg@8');
  });
  return (module.default ?? module).Pool;
}
