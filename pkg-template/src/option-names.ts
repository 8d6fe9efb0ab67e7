/** The names of options, and what is said of an unknown one (D48): "did you mean" for every entry and the command line. */
import type { CoreFunction } from './boundary.js';
import { OptionError } from './errors.js';
import type { DecimalNotation } from './amounts.js';
import type { PreviewOptions, TaxRate } from './types.js';

/** A list of names that TypeScript compares with a type: none is missing, and none is unknown. */
function namesOf<Options>(names: Record<keyof Options, 0>): readonly string[] {
  return Object.keys(names);
}

/** The options that all functions of the core take: each uses what concerns it. */
export const ORDER_OPTIONS = /* @__PURE__ */ namesOf<PreviewOptions>({
  version: 0,
  locationTaxPricing: 0,
  allowEmptyTaxes: 0,
  records: 0,
  discountValueTypes: 0,
  orderId: 0,
  id: 0,
  scale: 0,
  rounding: 0,
  roundTaxPer: 0,
  taxRates: 0,
  explain: 0,
});
const TAX_RATE = /* @__PURE__ */ namesOf<TaxRate>({ id: 0, name: 0, rate: 0, type: 0, layer: 0, catalogItemIds: 0 });
const VALUE_TYPES = /* @__PURE__ */ namesOf<NonNullable<PreviewOptions['discountValueTypes']>>({
  amount: 0,
  percent: 0,
});
const NOTATION = /* @__PURE__ */ namesOf<DecimalNotation>({ decimal: 0, thousands: 0 });

/**
 * Creates the error of an unknown option. Its message has the option that was probably meant, and the options that there are.
 *
 * @param advice What else may have been meant.
 */
export function unknownOption(option: string, name: string, names: readonly string[], advice?: string): OptionError {
  const meant = similarName(name, names);
  const hint = meant === undefined ? '.' : `; did you mean ${meant}?`;
  const list = [`The options are ${names.join(', ')}`, advice].filter(Boolean).join('; ');
  return new OptionError(`option ${option} is unknown${hint} ${list}`, option);
}

/** Creates the error of an option that a function of the core refuses, which names no other options. */
export function refusedOption(of: CoreFunction, message: string, option: string): OptionError {
  const [, owner = '', escaped] = /^(.*)\/([^/]*)$/s.exec(option) ?? [];
  const names = namesIn(of, owner);
  const name = escaped?.replaceAll('~1', '/').replaceAll('~0', '~');
  return name === undefined || !names || names.includes(name)
    ? new OptionError(message, option)
    : unknownOption(option, name, names);
}

/** Returns the names of the members of an option; undefined if it has no names. */
function namesIn(of: CoreFunction, owner: string): readonly string[] | undefined {
  if (of === 'readDecimal') return NOTATION;
  // Their pointers are positions in a list of amounts.
  if (of === 'compareAmounts' || of === 'sumAmounts') return undefined;
  if (owner === '') return ORDER_OPTIONS;
  if (owner === '/discountValueTypes') return VALUE_TYPES;
  return /^\/taxRates\/\d+$/.test(owner) ? TAX_RATE : undefined;
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
