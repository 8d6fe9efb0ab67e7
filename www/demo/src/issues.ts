import type { Issue, Severity } from 'sales-order-intake/slim';

/** An issue of the order, or one of the page's own: of an option, or of the key that the id is derived from. */
export interface PageIssue extends Omit<Issue, 'code' | 'params'> {
  code: Issue['code'] | 'invalid_option' | 'invalid_key';
  isFromService?: true;
}

/** Creates the issue of an option or a key that is not valid. */
export function optionIssue(
  pointer: string,
  message: string,
  code: 'invalid_option' | 'invalid_key' = 'invalid_option',
): PageIssue {
  return { code, severity: 'error', message, pointer, path: pointer.split('/').slice(1) };
}

export const SEVERITY_NAMES: Record<Severity, [one: string, more: string]> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  notice: ['notice', 'notices'],
};

export const SEVERITIES = Object.keys(SEVERITY_NAMES) as Severity[];

export const worstFirst = (issues: PageIssue[]): PageIssue[] =>
  SEVERITIES.flatMap((severity) => issues.filter((issue) => issue.severity === severity));

export const issuesAt = (issues: PageIssue[], pointer: string): PageIssue[] =>
  worstFirst(issues.filter((issue) => issue.pointer === pointer));

/** Returns the issues of a row and of its members. */
export const issuesWithin = (issues: PageIssue[], pointer: string): PageIssue[] =>
  issues.filter((issue) => issue.pointer === pointer || issue.pointer.startsWith(`${pointer}/`));

/** Groups the issues of items by the index of the item. */
export function issuesByItem(issues: PageIssue[]): Map<number, PageIssue[]> {
  const lists = new Map<number, PageIssue[]>();
  for (const issue of issues) {
    const [list, index] = issue.path;
    if (list !== 'Items' || typeof index !== 'number') continue;
    const known = lists.get(index);
    if (known) known.push(issue);
    else lists.set(index, [issue]);
  }
  return lists;
}

/** Returns "2 errors, 1 warning"; empty without issues. */
export function countOf(issues: PageIssue[]): string {
  return SEVERITIES.map((severity) => ({ severity, n: issues.filter((issue) => issue.severity === severity).length }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => `${n} ${SEVERITY_NAMES[severity][n === 1 ? 0 : 1]}`)
    .join(', ');
}

/** Moves the focus to the field that an issue is about, or to the nearest element around it. */
export function goTo(pointer: string): void {
  for (let target = pointer; ; target = target.slice(0, target.lastIndexOf('/'))) {
    const element = document.getElementById(target || '/');
    if (element) {
      element.scrollIntoView({ block: 'center' });
      element.focus({ preventScroll: true });
      return;
    }
    if (target === '') return;
  }
}
