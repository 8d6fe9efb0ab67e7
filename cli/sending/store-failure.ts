/** The meanings of codes of databases and of the system. The first match counts. */
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

/** Returns the meaning of a code; undefined if it is unknown. */
export function meaningOf(code: string): string | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(code))?.[1];
}

/** Returns why a store failed, in words and with its code, without the database's own message, which may name a user. */
export function storeFailure(code: string | null): string {
  return code === null ? 'the store failed' : `${meaningOf(code) ?? 'the store failed'} (${code})`;
}
