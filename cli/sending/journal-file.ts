/** The file of a journal: what a user has named, found out before anything is created or changed. */
import { closeSync, existsSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';
import { resolved } from '../files/distinct-files.js';
import { EXIT, Problem, usageProblem } from '../problem.js';
import { DISK_ERRORS, isDamage, meaningOf, openProblem } from './journal-problem.js';
import { builtinModule } from '../../pkg-template/src/platform/builtin-module.js';

const MAGIC = 'SQLite format 3\0';
const OTHER_FILE = 'Name another file, such as orders.sqlite: it is created if it does not exist.';

export function journalOf(file: string): string {
  return `${file}.outbox.sqlite`;
}

/** Returns the journal, and the files that SQLite and the outbox keep beside it. */
export function filesOfJournal(journal: string): string[] {
  const marker = join(dirname(journal), `.${basename(journal)}.outbox-marker`);
  return [...['', '-wal', '-shm', '-journal', '.outbox-lock'].map((end) => journal + end), marker];
}

/** Returns true if a process has left changes beside a database, or has it open. */
function hasLog(file: string): boolean {
  return (statSync(`${resolved(file)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Changes nothing. @throws Problem if the file is neither a journal nor new or empty: it says what the file is, and what to do. */
export function assertJournal(file: string): void {
  if (file === ':memory:') {
    const problem = '--outbox :memory: would lose its orders when the process ends';
    throw usageProblem(problem, OTHER_FILE);
  }
  if (/^(file|postgres(ql)?):/i.test(file)) throw usageProblem('--outbox takes a path, not a URL', OTHER_FILE);
  const stats = attempt(file, () => statSync(file, { throwIfNoEntry: false }));
  if (!stats) {
    const folder = dirname(resolved(file));
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw usageProblem(`there is no folder ${folder} for the journal`, 'Create it first.');
  } else if (!isEmpty(stats)) {
    const tables = tablesOf(file, stats);
    // A process that was killed may leave a database without tables.
    if (tables.length > 0 && !tables.includes(OF_OUTBOX)) throw unrelated(file, describedTables(tables));
  }
}

/** Changes nothing. @throws Problem if the file has no outbox. */
function assertOutbox(file: string): void {
  const stats = attempt(file, () => statSync(file));
  const tables = tablesOf(file, stats);
  if (!tables.includes(OF_OUTBOX)) throw unrelated(file, describedTables(tables));
}

/** Returns the journal that a user names by its own name, or by that of the file that was sent. Changes nothing. */
export function existingJournal(file: string): string {
  const stats = attempt(file, () => statSync(file, { throwIfNoEntry: false }));
  if (stats?.isFile() && isDatabase(file)) {
    assertOutbox(file);
    return file;
  }
  if (existsSync(journalOf(file))) {
    assertOutbox(journalOf(file));
    return journalOf(file);
  }
  if (!stats) throw usageProblem(`there is no file ${file}`, 'send makes the journal: FILE.outbox.sqlite.');
  throw usageProblem(`${file} is not a journal of send, and there is no ${journalOf(file)}`);
}

/** Returns the path of a journal that a backup takes the place of: it may be missing, or damaged. Changes nothing. */
export function placeOfJournal(file: string): string {
  const stats = attempt(file, () => statSync(file, { throwIfNoEntry: false }));
  if (!stats) return existsSync(journalOf(file)) ? journalOf(file) : file;
  if (!stats.isFile()) throw unrelated(file, stats.isDirectory() ? 'a folder' : 'a device or a pipe');
  // What an outbox keeps beside its file is also there if the file is damaged.
  const wasJournal = filesOfJournal(file).some((each) => each !== file && existsSync(each));
  if (isEmpty(stats) || isDatabase(file) || wasJournal) return file;
  if (isText(file)) return journalOf(file);
  throw unrelated(file, 'not an SQLite database');
}

/** Changes nothing. @throws Problem if the database is damaged. */
export function assertSound(file: string): void {
  const database = openDatabase(file, hasLog(file));
  try {
    const [result] = Object.values(database.prepare('PRAGMA quick_check(1)').get() as object);
    if (result !== 'ok')
      throw usageProblem(`${file} is damaged: ${result}`, 'Restore a backup: outbox FILE restore FROM.');
  } finally {
    database.close();
  }
}

/** Returns the result of a function of the file system. @throws Problem if it fails. */
function attempt<Result>(file: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const problem = `${file} can't be used as a journal: ${meaningOf(code) ?? 'the system failed'} (${code})`;
    throw DISK_ERRORS.includes(code) ? new Problem(problem, EXIT.unknown) : usageProblem(problem, OTHER_FILE);
  }
}

const isEmpty = (stats: Stats) => stats.isFile() && stats.size === 0;

const OF_OUTBOX = 'outbox_entry';

/** Returns the tables of a database. @throws Problem if the file is none. */
function tablesOf(file: string, stats: Stats): string[] {
  if (stats.isDirectory()) {
    throw usageProblem(`${file} is a folder, not a journal`, `Name a file in it: ${join(file, 'orders.sqlite')}.`);
  }
  if (!stats.isFile()) throw unrelated(file, 'a device or a pipe');
  if (!isDatabase(file)) throw unrelated(file, isText(file) ? 'a text file' : 'not an SQLite database');
  const database = openQuietly(file);
  try {
    const sql = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
    return (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  } catch (error) {
    // The log may belong to another file (D68), which the store recognises.
    if (isDamage(error) && hasLog(file)) return [OF_OUTBOX];
    throw openProblem(file, error);
  } finally {
    database.close();
  }
}

/**
 * Opens a database, and leaves nothing of that connection: SQLite deletes the files that readers need beside a database when the
 * last connection that may write is closed. If a process has left a log, it is not this one's to write into the database.
 */
export function openQuietly(file: string): SqliteDatabase {
  const database = openDatabase(file, hasLog(file));
  database.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 5000');
  return database;
}

function describedTables(tables: readonly string[]): string {
  const names = tables.slice(0, 3).join(', ');
  const more = tables.length > 3 ? ' and others' : '';
  return tables.length === 0
    ? 'an SQLite database without tables'
    : `an SQLite database with other tables (${names}${more})`;
}

function unrelated(file: string, is: string): Problem {
  return usageProblem(`${file} is ${is}, and no journal; it was not changed`, OTHER_FILE);
}

const isDatabase = (file: string) => beginningOf(file, MAGIC.length).toString('latin1') === MAGIC;

function isText(file: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these.
  return !/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/.test(beginningOf(file, 512).toString().slice(0, -1));
}

/** Reads the first bytes, before the database is opened: reading it afterwards would break its lock. */
function beginningOf(file: string, most: number): Buffer {
  return attempt(file, () => {
    const bytes = Buffer.alloc(most);
    const descriptor = openSync(file, 'r');
    try {
      return bytes.subarray(0, readSync(descriptor, bytes, 0, most, 0));
    } finally {
      closeSync(descriptor);
    }
  });
}

type Sqlite = { DatabaseSync: new (file: string, options: { readOnly: boolean }) => SqliteDatabase };

const sqlite = () => builtinModule<Sqlite>('node:sqlite');

/** @throws Problem if this Node has no SQLite; the commands that need no journal run without. */
export function assertSqlite(command: string): void {
  silenceExperimentalWarning();
  if (sqlite()) return;
  const problem = `${command} needs Node 22.13 or later, for its journal in SQLite; this is Node ${process.version.slice(1)}`;
  throw new Problem(problem, EXIT.usage, 'check, preview, request, mapping, serve, id and explain run here.');
}

/** Opens a file. Call {@link assertSqlite} before. */
export function openDatabase(file: string, isReadOnly = false): SqliteDatabase {
  return new (sqlite() as Sqlite).DatabaseSync(file, { readOnly: isReadOnly });
}

/** Hides the warning of Node 22 about SQLite, which the user can't act on. */
function silenceExperimentalWarning(): void {
  const original = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(original, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
}
