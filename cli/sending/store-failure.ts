/** What codes of databases and of the system mean. The first that matches counts. */
const MEANINGS: readonly [pattern: RegExp, meaning: string][] = [
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
];

/** Returns what a code means; undefined if that is not known. */
export function meaningOf(code: string): string | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(code))?.[1];
}

/** Says why a store failed, in words and with its code: nothing of a database's own message, which may name a user. */
export function storeFailure(code: string | null): string {
  return code === null ? 'the store failed' : `${meaningOf(code) ?? 'the store failed'} (${code})`;
}
