/** Why a journal can't be opened or written, in words. */
import { basename } from 'node:path';
import { type ErrorEvent, OutboxError } from 'sales-order-intake/outbox';
import { CALLED } from '../arguments/program.js';
import { EXIT, Problem, usageProblem } from '../problem.js';

const BUSY = 5;
/** A disk that fails or is full: codes of SQLite, and of the system. */
export const DISK_ERRORS: readonly (number | string)[] = [10, 13, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'];
/** The file is damaged, or none of SQLite. */
const DAMAGE = [11, 26];
/** A file, or a folder, that can't be written, or not opened. */
const RIGHTS_ERRORS = [8, 14];

/** Returns the problem of a journal that can't be opened; any other error as it is. `effect` begins the sentence. */
export function openProblem(file: string, error: unknown, effect = `${file} can't be used`): unknown {
  const { errcode, errstr, code = '' } = sqliteError(error);
  const isLocked = error instanceof OutboxError ? error.reason === 'locked' : primary(errcode) === BUSY;
  if (isLocked) return usageProblem(`${file} is in use by another process`, 'Wait until that has ended.');
  if (DISK_ERRORS.includes(primary(errcode))) return unwritable(file, errcode, errstr);
  if (DISK_ERRORS.includes(code)) return unwritable(file, errcode, meaningOf(code) ?? code);
  if (error instanceof OutboxError) {
    const hint = error.reason === 'restored' ? `If it is meant: ${CALLED} outbox ${file} restore.` : undefined;
    return usageProblem(`${effect}: ${error.message}`, hint);
  }
  if (RIGHTS_ERRORS.includes(primary(errcode))) {
    const hint = `Check the rights of the file and of its folder, in which SQLite keeps ${basename(file)}-wal and ${basename(file)}-shm.`;
    return usageProblem(`${file} can't be opened: ${errstr}`, hint);
  }
  return errcode === undefined ? error : usageProblem(`${file} can't be used as a journal: ${errstr}`);
}

/** Returns true if a file is no sound database. */
export function isDamage(error: unknown): boolean {
  return DAMAGE.includes(primary(sqliteError(error).errcode));
}

/** Returns the problem of a journal that can't be read any further; any other error as it is. */
export function readProblem(file: string, error: unknown): unknown {
  const { errcode, errstr } = sqliteError(error);
  if (errcode === undefined) return error;
  const hint = 'If a backup was put back, the log beside it may belong to the previous file: outbox FILE restore.';
  return usageProblem(`${file} can't be read: ${errstr}`, isDamage(error) ? hint : undefined);
}

/** Returns a Problem with exit code 5 if an open journal can't be written, on a full disk for example; else the error (D62). */
export function writeProblem(file: string, error: unknown): unknown {
  const { errcode, errstr } = sqliteError(error);
  const isOfStore = error instanceof OutboxError ? error.reason === 'store' : errcode !== undefined;
  return isOfStore ? unwritable(file, errcode, errstr) : error;
}

/** As {@link writeProblem}, for errors that the outbox retries for ever. Returns null if another process has locked the file. */
export function retriedProblem(file: string, { operation, code }: ErrorEvent): Problem | null {
  const [, digits] = /^SQLITE_(\d+)$/.exec(code ?? '') ?? [];
  const errcode = digits === undefined ? undefined : Number(digits);
  const isOfStore = operation !== 'handler' && operation !== 'send' && primary(errcode) !== BUSY;
  return isOfStore ? unwritable(file, errcode) : null;
}

/** Returns a Problem for a failure of the disk or the file, not of the command: the next run may find space. */
function unwritable(file: string, errcode: number | undefined, text?: string): Problem {
  const other = errcode === undefined ? 'it may have been deleted or replaced' : `SQLite ${errcode}`;
  const meaning = meaningOf(`SQLITE_${primary(errcode)}`) ?? text ?? other;
  return new Problem(`${file} can't be written: ${meaning}`, EXIT.unknown);
}

/** Returns the error of SQLite, which may be the cause of an error of the outbox. */
function sqliteError(error: unknown): { errcode?: number; errstr?: string; code?: string } {
  return ((error instanceof OutboxError ? error.cause : error) ?? {}) as ReturnType<typeof sqliteError>;
}

/** Returns the primary code of an extended one. */
function primary(errcode = 0): number {
  return errcode & 0xff;
}

/** The meanings of codes of databases and of the system. The first match counts. */
const MEANINGS: readonly [pattern: RegExp, meaning: string][] = [
  [/^wrong-service$/, 'the outbox was moved to another base URL'],
  [/^28/, 'the database refuses the user or the password'],
  [/^3D/, 'there is no such database'],
  [/^42501$/, 'the user lacks rights in the database'],
  [/^25006$/, 'the database is read-only'],
  [/^53300$/, 'the database takes no more connections'],
  [/^53100$|^SQLITE_13$|^ENOSPC$/, 'the disk is full'],
  [/^57P/, 'the database is stopping or starting'],
  [/^57014$/, 'the database ended a statement'],
  [/^08|^ECONNRESET$|^EPIPE$/, 'the connection to the database was lost'],
  [/^ECONNREFUSED$/, 'the database refuses connections'],
  [/^ENOTFOUND$|^EAI_AGAIN$/, 'the host of the database was not found'],
  [/^ETIMEDOUT$|^EHOSTUNREACH$|^ENETUNREACH$/, 'the host of the database cannot be reached'],
  [/^SQLITE_10$/, 'disk I/O error'],
  [/^SQLITE_5$/, 'another process has locked the file'],
  [/^EACCES$|^EPERM$/, 'this user may not read it, or not write there'],
  [/^EROFS$/, 'it is on a disk that is read-only'],
  [/^ENOTDIR$/, 'a part of its path is a file, not a folder'],
  [/^ELOOP$/, 'its link leads to itself'],
  [/^ENAMETOOLONG$/, 'its name is too long'],
];

/** Returns the meaning of a code; undefined if it is unknown. */
export function meaningOf(code: string): string | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(code))?.[1];
}

/** Returns the code of an error of an outbox, or of SQLite. */
export function codeOf(error: unknown): string | null {
  const { errcode, code = null } = error as { errcode?: number; code?: string | null };
  return errcode === undefined ? code : `SQLITE_${primary(errcode)}`;
}

/** Returns why a store failed, in words and with its code, without the database's own message, which may name a user. */
export function storeFailure(code: string | null): string {
  return code === null ? 'the store failed' : `${meaningOf(code) ?? 'the store failed'} (${code})`;
}
