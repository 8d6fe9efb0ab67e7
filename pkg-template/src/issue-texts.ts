/**
 * The texts of issues, which are in the core only. It returns an issue in short, as a key (`push_key` in
 * src/issue/found.rs) and an index, and all of it when it is asked for; the text of each key is stored here.
 */
import type { Fields } from './boundary.js';
import type { Issue } from './types.js';

/** Keys and indexes by turns. An index is -1 if there is none. */
export type ShortIssues = readonly (string | number)[];

/** Reads issues that the core returns in short. */
export function shortIssuesOf(fields: Fields): ShortIssues {
  const short: (string | number)[] = [];
  for (let count = fields.number(); count > 0; count--) short.push(fields.text(), fields.number() - 1);
  return short;
}

interface Text {
  readonly issue: Issue;
  /** The pointer before and after the index. */
  readonly before: string;
  readonly after: string;
}

const texts = new Map<string, Text>();
/** A key has the name of an unknown member, so there may be any number of them. */
const MOST_TEXTS = 1_000;

/** Returns the issues. `whole` returns the same with their texts, and is called only if one is new. */
export function issuesOf(short: ShortIssues, whole: () => Issue[]): Issue[] {
  const issues: Issue[] = [];
  for (let i = 0; i < short.length; i += 2) {
    const text = texts.get(short[i] as string);
    if (!text) return learnt(short, whole());
    issues.push(issueOf(text, short[i + 1] as number));
  }
  return issues;
}

/** Returns those that are not about the amounts. */
export function withoutAmounts(short: ShortIssues): ShortIssues {
  if (short.length === 0) return short;
  return short.filter((_, i) => !(short[i - (i % 2)] as string).startsWith('~'));
}

function issueOf({ issue, before, after }: Text, index: number): Issue {
  const copy = copyOfIssue(issue);
  if (index >= 0) {
    copy.path[1] = index;
    copy.pointer = before + index + after;
  }
  return copy;
}

function learnt(short: ShortIssues, issues: Issue[]): Issue[] {
  if (texts.size + issues.length > MOST_TEXTS) texts.clear();
  issues.slice(0, MOST_TEXTS).forEach((issue, i) => {
    const before = `/${issue.path[0]}/`;
    const after = issue.pointer.slice(`${before}${issue.path[1]}`.length);
    texts.set(short[2 * i] as string, { issue: copyOfIssue(issue), before, after });
  });
  return issues;
}

/** Copies an issue that is stored: a caller may change what it gets. */
export function copyOfIssue({ code, severity, message, pointer, path, hint, params }: Issue): Issue {
  // Not a spread of the issue, which takes several times as long. The members are in the order in which the core writes them.
  const copy =
    hint === undefined
      ? { code, severity, message, pointer, path: path.slice(), params: { ...params } }
      : { code, severity, message, pointer, path: path.slice(), hint, params: { ...params } };
  return copy as Issue;
}
