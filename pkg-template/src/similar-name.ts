/** "Did you mean": the message about an unknown name, for every entry and the command line. Imports nothing. */

/**
 * Returns what is wrong with an unknown name: "is unknown; did you mean …? The options are …".
 *
 * @param advice What else may have been meant.
 */
export function unknownName(name: string, names: readonly string[], advice?: string): string {
  const meant = similarName(name, names);
  const hint = meant === undefined ? '.' : `; did you mean ${meant}?`;
  return `is unknown${hint} The options are ${names.join(', ')}${advice === undefined ? '' : `; ${advice}`}`;
}

/**
 * Returns the name that was probably meant by another one, or undefined if none is similar or several are equally so. In this
 * order: the same letters, without a unit (`timeout` for `timeoutMs`); a few typing errors; the beginning or the end of a name
 * (`retries` for `maxRetries`); a name and more (`accessToken` for `token`).
 */
export function similarName(name: string, names: readonly string[]): string | undefined {
  const given = lettersOf(name);
  const ranks = names.map((known) => rankOf(given, lettersOf(known)));
  const best = Math.min(...ranks);
  const isOnly = best < NOT_SIMILAR && ranks.filter((rank) => rank === best).length === 1;
  return isOnly ? names[ranks.indexOf(best)] : undefined;
}

/** Returns the letters that count: `timeout` for `timeoutMs` and `--time-out`. */
function lettersOf(name: string): string {
  const withoutUnit = name.replace(/(Ms|MS|[-_]ms)$/, '');
  return withoutUnit.replaceAll(/[-_\s]/g, '').toLowerCase();
}

const MOST_EDITS = 3;
const NOT_SIMILAR = 8;

/** Ranks a name by what it has in common with a known one: 0 if it is the same. */
function rankOf(given: string, known: string): number {
  // Three errors in a long name, one in a short one, none in `id`.
  const most = Math.min(MOST_EDITS, Math.floor(known.length / 3));
  for (let edits = 0; edits <= most; edits++) if (isWithin(edits, given, known)) return edits;
  const [part, whole] = given.length < known.length ? [given, known] : [known, given];
  // A smaller part may be a part of anything: `taxes` is not allowEmptyTaxes. A hook such as onRetry is not the option retry.
  if (part.length < 3 || part.length * 3 <= whole.length || given.startsWith(`on${known}`)) return NOT_SIMILAR;
  const rank = whole.startsWith(part) ? 4 : whole.endsWith(part) ? 5 : NOT_SIMILAR;
  return part === given || rank === NOT_SIMILAR ? rank : rank + 2;
}

/** Returns true if inserting, deleting, replacing or swapping this number of letters is enough (optimal string alignment). */
function isWithin(edits: number, a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const [left, right] = [a.slice(same), b.slice(same)];
  if (edits === 0 || left === right) return left === right;
  const [left1, right1] = [left.slice(1), right.slice(1)];
  return (
    isWithin(edits - 1, left1, right) ||
    isWithin(edits - 1, left, right1) ||
    isWithin(edits - 1, left1, right1) ||
    (left[0] === right[1] && left[1] === right[0] && isWithin(edits - 1, left.slice(2), right.slice(2)))
  );
}
