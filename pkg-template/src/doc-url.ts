import type { IssueCode } from './types.js';

/** The address of the documentation, which the build takes from `homepage` in Cargo.toml; undefined without one. */
declare const DOCUMENTATION: string | undefined;

/**
 * Returns the address of the page about an issue code: its meaning, and an order with it, corrected. Returns undefined in a
 * build whose documentation has no address; ISSUE-CODES.md of this package has the same. Errors have a member `docUrl`.
 *
 * @example
 * ```js
 * import { docUrl, validateOrder } from 'sales-order-intake';
 *
 * const { issues } = validateOrder('{}');
 * console.log(issues[0]?.code); // missing
 * if (issues[0]) console.warn(issues[0].message, docUrl(issues[0].code) ?? '');
 * ```
 */
export function docUrl(code: IssueCode): string | undefined {
  return pageUrl(`reference/issue-codes/${code}`);
}

/** Returns the address of a page of the documentation; undefined if the documentation has no address. */
export function pageUrl(path: string, anchor = ''): string | undefined {
  return DOCUMENTATION && new URL(`${path}.html${anchor}`, DOCUMENTATION).href;
}
