/**
 * Caches the texts of issues, which only the core has. The core returns an issue in short form, as a key (`push_key` in
 * src/issue/found.rs) and an index, and in full on request; the text of each key is stored here.
 */
import type { Fields } from './fields.js';
import type { Issue } from './types.js';

/** An issue that the core has found. */
export interface FoundIssue {
  readonly text: Text;
  /** The index in the pointer; -1 if it has none. */
  readonly index: number;
}

interface Text {
  readonly issue: Issue;
  /** The pointer before and after the index. */
  readonly before: string;
  readonly after: string;
  readonly isOfAmounts: boolean;
}

const texts = new Map<string, Text>();
/** A key can contain the name of an unknown member, so there may be any number of keys. */
const MOST_TEXTS = 1_000;

/** Reads issues in short form. `whole` returns the same issues with their texts, and is called only if a key is new. */
export function foundIssuesOf(fields: Fields, whole: () => Issue[]): FoundIssue[] {
  const found: FoundIssue[] = [];
  let issues: Issue[] | undefined;
  const count = fields.number();
  for (let i = 0; i < count; i++) {
    const key = fields.text();
    let text = texts.get(key);
    if (!text) {
      issues ??= whole();
      text = learnt(key, issues[i] as Issue);
    }
    found.push({ text, index: fields.number() - 1 });
  }
  return found;
}

function learnt(key: string, issue: Issue): Text {
  const before = `/${issue.path[0]}/`;
  const after = issue.pointer.slice(`${before}${issue.path[1]}`.length);
  const text = { issue, before, after, isOfAmounts: key.startsWith('~') };
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(key, text);
  return text;
}

/** Makes the issues, which the caller may change. */
export function issuesOf(found: readonly FoundIssue[]): Issue[] {
  return found.map(issueOf);
}

/** Makes those issues that are not about the amounts. */
export function issuesOfRules(found: readonly FoundIssue[]): Issue[] {
  return issuesOf(found.filter(({ text }) => !text.isOfAmounts));
}

/** Copies an issue that is stored: a caller may change what it gets. */
function issueOf({ text: { issue, before, after }, index }: FoundIssue): Issue {
  const { code, severity, message, pointer, path, hint, params } = issue;
  // Not a spread of the issue, which takes several times as long. The members are in the order in which the core writes them.
  const copy = (
    hint === undefined
      ? { code, severity, message, pointer, path: path.slice(), params: { ...params } }
      : { code, severity, message, pointer, path: path.slice(), hint, params: { ...params } }
  ) as Issue;
  if (index >= 0) {
    copy.path[1] = index;
    copy.pointer = before + index + after;
  }
  return copy;
}
