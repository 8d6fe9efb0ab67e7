import type { Issue, Severity } from 'sales-order-intake/slim';

/** `byService` marks what came back from the service. */
export type Said = Issue & { byService?: true };

export const WORDS: Record<Severity, [one: string, more: string]> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  notice: ['notice', 'notices'],
};

export const SEVERITIES = Object.keys(WORDS) as Severity[];

export const worstFirst = (issues: Said[]): Said[] =>
  SEVERITIES.flatMap((severity) => issues.filter((issue) => issue.severity === severity));

export const at = (issues: Said[], pointer: string): Said[] =>
  worstFirst(issues.filter((issue) => issue.pointer === pointer));

/** Those of a row and of its members. */
export const within = (issues: Said[], pointer: string): Said[] =>
  issues.filter((issue) => issue.pointer === pointer || issue.pointer.startsWith(`${pointer}/`));

const NONE: Said[] = [];

/** By item. Lists that say the same stay the same object, so that their rows need not be drawn again. */
export function byItem(issues: Said[], before: Map<number, Said[]>): Map<number, Said[]> {
  const lists = new Map<number, Said[]>();
  for (const issue of issues) {
    const [list, index] = issue.path;
    if (list === 'Items' && typeof index === 'number') lists.set(index, [...(lists.get(index) ?? NONE), issue]);
  }
  for (const [index, list] of lists) {
    const had = before.get(index);
    if (had && had.length === list.length && list.every((issue, i) => isSame(issue, had[i]))) lists.set(index, had);
  }
  return lists;
}

export const ofItem = (lists: Map<number, Said[]>, index: number): Said[] => lists.get(index) ?? NONE;

const isSame = (one: Said, other: Said | undefined) =>
  one.pointer === other?.pointer &&
  one.code === other.code &&
  one.message === other.message &&
  one.byService === other.byService;

export function counted(issues: Said[]): string {
  const parts = SEVERITIES.map(
    (severity) => [severity, issues.filter((issue) => issue.severity === severity).length] as const,
  );
  return parts
    .filter(([, n]) => n > 0)
    .map(([severity, n]) => `${n} ${WORDS[severity][n === 1 ? 0 : 1]}`)
    .join(', ');
}

/** Brings a person to the field an issue is about, or to the nearest thing around it. */
export function goTo(pointer: string): void {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    const element = document.getElementById(place || '/');
    if (element) {
      element.scrollIntoView({ block: 'center' });
      element.focus({ preventScroll: true });
      return;
    }
    if (place === '') return;
  }
}
