import type { Issue, Severity } from 'sales-order-intake/slim';

/** An issue of the order, or one of the page's own: of an option, or of the key that the id is derived from. */
export interface PageIssue extends Omit<Issue, 'code' | 'params'> {
  code: Issue['code'] | 'invalid_option' | 'invalid_key';
  isFromService?: true;
}

/** Creates the issue of an option or a key that is not valid. */
export function optionIssue(pointer: string, message: string, code: PageIssue['code'] = 'invalid_option'): PageIssue {
  return { code, severity: 'error', message, pointer, path: pointer.split('/').slice(1) };
}

/** The worst first. */
const SEVERITIES: Severity[] = ['error', 'warning', 'notice'];

export const worstFirst = (issues: PageIssue[]): PageIssue[] =>
  SEVERITIES.flatMap((severity) => issues.filter((issue) => issue.severity === severity));

export const issuesAt = (issues: PageIssue[], pointer: string): PageIssue[] =>
  worstFirst(issues.filter((issue) => issue.pointer === pointer));

/** Groups the issues of the rows of a list, and of their members, by the index of the row. */
export function issuesByRow(issues: PageIssue[], list: string): Map<number, PageIssue[]> {
  const below = issues.filter(({ pointer }) => pointer.startsWith(`${list}/`));
  return Map.groupBy(below, ({ pointer }) => Number.parseInt(pointer.slice(list.length + 1), 10));
}

/** Returns "2 errors, 1 warning"; empty without issues. */
export function countOf(issues: readonly Pick<PageIssue, 'severity'>[]): string {
  return SEVERITIES.map((severity) => ({ severity, n: issues.filter((issue) => issue.severity === severity).length }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => `${n} ${severity}${n === 1 ? '' : 's'}`)
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
