/** Stores whose calls take time, may fail, and can be cut off between any two steps by the end of their process. */
import { memoryStore } from '../../outbox/memory-store.mjs';
import { dateOf } from './time.mjs';

export const EVERYTHING = { after: 0, limit: 1_000_000 };
const DISK_FULL = { errcode: 13, errstr: 'database or disk is full' };
/** How long a call may take, as the store on PostgreSQL limits its own (D59). */
export const STORE_MS = 5000;
const BUSY = { errcode: 5, errstr: 'database is locked' };

/** @typedef {{ isInTrouble: () => boolean, isSilent: () => boolean }} Faults Whether a call fails; whether it gets no response. */

/**
 * The stores that outlive the processes of a run.
 *
 * @typedef {object} Disk
 * @property {(process: any, faults: Faults) => any} open returns the store of a new process
 * @property {(process: any) => void} crash called when a process is killed
 * @property {() => Promise<any[]>} entries
 * @property {(orderId: string) => Promise<any[]>} history
 * @property {() => void} close
 */

/** The store in memory of the outbox's tests; what it has written survives the process. @returns {Disk} */
export function memoryDisk(scheduler) {
  const disk = memoryStore();
  const failure = () => Object.assign(new Error('the store failed'), { code: 'EIO' });
  return {
    open(process, { isInTrouble, isSilent }) {
      void recover(disk);
      const stepped =
        (name) =>
        async (/** @type {any[]} */ ...args) => {
          await scheduler.pause(scheduler.between(0, 5), process);
          const isLost = isSilent();
          const giveUp = async () => {
            await scheduler.pause(STORE_MS, process);
            // A store that can't close leaves its connections, as that on PostgreSQL does.
            if (name !== 'close') throw failure();
          };
          // Before or after it took effect. Entries that were taken and never returned would wait until the next start.
          if (isLost && (name === 'take' || scheduler.random() < 0.5)) await giveUp();
          const fails = name !== 'close' && isInTrouble();
          if (fails && (name === 'take' || scheduler.random() < 0.5)) throw failure();
          const result = await disk[name](...args);
          if (isLost) await giveUp();
          await scheduler.pause(scheduler.between(0, 5), process);
          if (fails) throw failure();
          return result;
        };
      const calls = Object.fromEntries(Object.keys(disk).map((name) => [name, stepped(name)]));
      // It only notes what the store is for.
      return { ...calls, bind: disk.bind };
    },
    crash() {},
    entries: () => disk.list(EVERYTHING),
    history: disk.history,
    close() {},
  };
}

/** As the store on SQLite does when it opens a database. */
async function recover(disk) {
  for (const { orderId, state, noticeAt } of await disk.list(EVERYTHING)) {
    const event = { what: 'attempt', at: 0, outcome: 'unknown' };
    if (state === 'sending') void disk.change(orderId, {}, { state: 'waiting', outcome: 'unknown', dueAt: 0, event });
    if (noticeAt > 0) void disk.change(orderId, {}, { noticeAt: 0 });
  }
}

const TABLES = ['outbox_entry', 'outbox_event', 'outbox_setting'];

/**
 * The store on SQLite, in a database in memory that survives the process. `copy` makes a backup, and `putBack` puts it in the place of
 * the database, which the next process opens as restored.
 *
 * @returns {Disk & { copy: () => void, putBack: () => void }}
 */
export function sqliteDisk(scheduler, { DatabaseSync, sqliteStoreOn }) {
  const database = new DatabaseSync(':memory:');
  const store = sqliteStoreOn(quiet, database);
  const rollBack = () => database.isTransaction && database.exec('ROLLBACK');
  const rowsOf = (table) => database.prepare(`SELECT * FROM ${table}`).all();
  let copies = TABLES.map(rowsOf);
  let isRestored = false;
  return {
    open(process, { isInTrouble }) {
      const connection = connectionOf(database, process, { scheduler, isInTrouble, rollBack });
      const opened = bound(sqliteStoreOn(process.platform, connection, { restored: isRestored }));
      isRestored = false;
      return { ...opened, connection };
    },
    copy() {
      copies = TABLES.map(rowsOf);
    },
    putBack() {
      for (const [index, table] of TABLES.entries()) {
        database.exec(`DELETE FROM ${table}`);
        for (const row of copies[index] ?? []) {
          const names = Object.keys(row);
          const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`;
          database.prepare(sql).run(...Object.values(row));
        }
      }
      isRestored = true;
    },
    crash: rollBack,
    entries: () => store.list(EVERYTHING),
    history: (orderId) => store.history(orderId),
    close: () => database.close(),
  };
}

/** Reading needs no time. */
export const quiet = {
  ...{ now: () => 0, date: () => dateOf(0), random: () => 0, uuid: () => '', after: () => () => {}, soon() {} },
};

export function bound(store, more = []) {
  const names = [
    ...['bind', 'add', 'take', 'settle', 'change', 'changeAll', 'get', 'history', 'list', 'count', 'sweep', 'close'],
  ];
  return Object.fromEntries([...names, ...more].map((name) => [name, (...args) => store[name](...args)]));
}

/** The connection of one process, which may die or find the disk full at each statement. */
function connectionOf(database, process, { scheduler, isInTrouble, rollBack }) {
  const step = (sql, run) => {
    if (!process.isAlive) throw new Error('killed');
    const isWrite = !/^\s*(SELECT|PRAGMA|ROLLBACK)/.test(sql);
    if (isWrite && process.statementsLeft-- <= 0) {
      // Before or after it took effect; what is not committed is rolled back when the database is opened again.
      if (scheduler.random() < 0.5) run();
      rollBack();
      process.die();
      throw new Error('killed');
    }
    if (/^BEGIN/.test(sql) && isInTrouble() && scheduler.random() < 0.3) throw Object.assign(new Error(), BUSY);
    if (isWrite && database.isTransaction && isInTrouble()) {
      rollBack();
      throw Object.assign(new Error(), DISK_FULL);
    }
    return run();
  };
  return {
    exec: (sql) => step(sql, () => database.exec(sql)),
    prepare(sql) {
      const statement = database.prepare(sql);
      const calls = ['run', 'get', 'all'].map((name) => [
        name,
        (...values) => step(sql, () => statement[name](...values)),
      ]);
      return { ...Object.fromEntries(calls), setReadBigInts: (isEnabled) => statement.setReadBigInts(isEnabled) };
    },
    open() {},
    close() {},
    get isTransaction() {
      return database.isTransaction;
    },
  };
}
