/**
 * PostgreSQL for the simulation: the real store on PGlite, in this process. It differs in this from a server that a shop uses:
 *
 * - It has one session: a statement waits for the end of the one before it, instead of for the rows that both change.
 * - Its clock is the simulation's: `now()` and its like are another function. All processes have the same. It ends no
 *   transaction that is idle in real time, which would be chance: a machine that stands still. PGlite would never
 *   return then.
 * - It has no disk that is slow or lost: fsync, which the store requires, is reported as on.
 * - It has no poolers and no roles.
 *
 * None of it is due to PGlite: a test has the same histories on a server, in one session
 * (`postgres/server/server.test.mjs`).
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/places.mjs';
import { bound, EVERYTHING, quiet } from './simulator/stores.mjs';
import { dateOf } from './simulator/time.mjs';

const SCHEMA = 'outbox_simulated';
const IDLE = /\b(idle_in_transaction_session_timeout = )\d+/g;
const CLOCK = /\b(?:pg_catalog\.)?(?:now|clock_timestamp|transaction_timestamp)\(\)/g;
/** A server ends a transaction that says nothing for so long: the setting of the store. */
const IDLE_MS = 3000;
/** The `queryTimeoutMs` of the store: less than the limit of the outbox, so that its error comes first. */
const TIMEOUT_MS = 4000;
const settingsWith = (pool) => ({ schema: SCHEMA, source: { pool }, queryTimeoutMs: TIMEOUT_MS, listen: false });
const LOST = { code: '57P01' };

/**
 * A database with one session.
 *
 * @typedef {object} Database
 * @property {(sql: string) => Promise<any[]>} exec executes statements, and returns the result of each
 * @property {(sql: string, values: any[]) => Promise<any>} query executes one
 */

let opened;
/** The database of this process; runs use it one after the other. */
export function pglite() {
  opened ??= (async () => {
    const require = createRequire(join(root, 'tests/package.json'));
    const { PGlite } = await import(pathToFileURL(require.resolve('@electric-sql/pglite')).href);
    return prepared(await PGlite.create());
  })();
  return opened;
}

/** Prepares a new database for runs. @param {Database} database */
export async function prepared(database) {
  await database.exec(`CREATE SCHEMA sim; CREATE FUNCTION sim.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT to_timestamp(current_setting('sim.now')::float8 / 1000) $$`);
  return database;
}

/** @returns {Promise<import('./simulator/stores.mjs').Disk>} */
export async function postgresDisk(scheduler, { PostgresStore }, database = pglite()) {
  const session = new Session(await database, scheduler);
  const store = new PostgresStore(quiet, settingsWith(session.pool));
  await session.empty(store);
  return {
    open(process, faults) {
      const opened = new PostgresStore(process.platform, settingsWith(session.poolOf(process, faults)));
      return bound(opened, ['now', 'start']);
    },
    crash: (process) => session.crash(process),
    entries: () => store.list(EVERYTHING),
    history: (orderId) => store.history(orderId),
    close: () => session.crash(),
  };
}

/** The one session, which transactions of all processes have in turn. */
class Session {
  #database;
  #scheduler;
  /** Who has it; undefined if nobody. */
  #owner;
  #waiting = [];
  #now = -1;
  /** Statements run one after the other, also those that nobody waits for any more. */
  #last = Promise.resolve();

  constructor(database, scheduler) {
    this.#database = database;
    this.#scheduler = scheduler;
  }

  /** Empties the tables, which the store creates before the first run. */
  async empty(store) {
    await store.count();
    await this.execute(`TRUNCATE ${SCHEMA}.outbox_entry, ${SCHEMA}.outbox_event, ${SCHEMA}.outbox_process RESTART IDENTITY;
      DELETE FROM ${SCHEMA}.outbox_setting WHERE name <> 'version'`);
  }

  /** A pool whose statements take no time. */
  get pool() {
    const query = (text, values) => this.execute(text, values);
    return { query, connect: async () => ({ query, release() {}, on() {}, removeListener() {} }) };
  }

  /** Executes statements at once. */
  execute(text, values) {
    const executed = this.#last.then(async () => {
      // Whatever else happens at this time comes first, however fast the database is.
      await new Promise(setImmediate);
      if (this.#now !== this.#scheduler.now) {
        this.#now = this.#scheduler.now;
        await this.#database.exec(`SET sim.now = '${dateOf(0) + this.#now}'`);
      }
      const sql = text.replace(CLOCK, 'sim.now()').replace(IDLE, '$10').replace("current_setting('fsync')", "'on'");
      if (values?.length > 0) return this.#database.query(sql, values);
      const results = await this.#database.exec(sql);
      return results.length > 1 ? results : (results[0] ?? { rows: [] });
    });
    this.#scheduler.statements++;
    this.#last = executed.catch(() => {}).finally(() => this.#scheduler.statements--);
    return executed;
  }

  /** A pool of node-postgres, as far as the store uses it. */
  poolOf(process, faults) {
    const connect = async () => {
      await this.#step(process);
      if (faults.isSilent()) await new Promise(() => {});
      if (faults.isInTrouble()) throw Object.assign(new Error('no connection'), LOST);
      const client = { process, isBroken: false };
      await this.#enter(client);
      return {
        query: (text, values) => this.#query(client, text, values, faults),
        // A connection that is destroyed within a transaction: the server rolls back.
        release: (isDestroyed) => (isDestroyed ? void this.#lose(client) : this.#leave(client)),
        on() {},
        removeListener() {},
      };
    };
    return {
      connect,
      async query(text, values) {
        const client = await connect();
        try {
          return await client.query(text, values);
        } finally {
          client.release();
        }
      },
    };
  }

  #step(process) {
    return this.#scheduler.pause(this.#scheduler.between(0.2, 3), process);
  }

  async #query(client, text, values, { isInTrouble, isSilent }) {
    const { process } = client;
    await this.#step(process);
    client.cancelIdle?.();
    if (client.isBroken) throw Object.assign(new Error('the connection is lost'), LOST);
    // Before or after it took effect.
    const isLost = isInTrouble();
    client.isSilent ||= isSilent();
    if (client.isSilent && this.#scheduler.random() < 0.5) {
      client.cancelIdle = this.#scheduler.in(IDLE_MS, null, () => void this.#lose(client));
      await new Promise(() => {});
    }
    if (isLost && this.#scheduler.random() < 0.5) throw await this.#lose(client);
    const result = await this.execute(text, values);
    if (isLost) throw await this.#lose(client);
    // On a server of its own clock, however long the process is frozen.
    client.cancelIdle = this.#scheduler.in(IDLE_MS, null, () => void this.#lose(client));
    if (client.isSilent) await new Promise(() => {});
    await this.#step(process);
    return result;
  }

  /** The server ends the session: what is not committed is rolled back. */
  async #lose(client) {
    if (this.#owner !== client) return undefined;
    client.isBroken = true;
    await this.execute('ROLLBACK');
    this.#leave(client);
    return Object.assign(new Error('the connection is lost'), LOST);
  }

  async #enter(client) {
    while (this.#owner) await new Promise((resolve) => void this.#waiting.push({ client, resolve }));
    this.#owner = client;
  }

  #leave(client) {
    client.cancelIdle?.();
    if (this.#owner !== client) return;
    this.#owner = undefined;
    this.#waiting = this.#waiting.filter(({ client: { process } }) => process.isAlive);
    this.#waiting.shift()?.resolve();
  }

  /** The connections of a process that was killed are closed. */
  async crash(process = this.#owner?.process) {
    if (this.#owner && this.#owner.process === process) await this.#lose(this.#owner);
  }
}
