/**
 * The issues of orders in the fast lane: those that depend on the flags of an order alone, and the remarks of the judge
 * (src/plain/remarks.rs).
 *
 * Their texts come from the general path: it evaluates the first order that has one, and later orders get copies.
 */
import { copyOfIssue, type EvaluationHead, split } from '../core-response.js';
import { call } from '../loader.js';
import type { Issue } from '../types.js';
import { HAS_CUSTOMER, HAS_ID, HAS_TAXES, IS_UNPRICED } from './exchange.js';
import type { Remark } from './remarks.js';
import { jsonOf, type Setting } from './setting.js';

/** What the issues of an order depend on. */
interface Commented {
  flags: number;
  remarks: readonly Remark[];
  body: string;
  setting: Setting;
}

/** Issues by the flags of an order and the version. */
const constants = new Map<string, readonly Issue[]>();
/** Issues by the bit of their remark; those on items have some index. */
const templates: Issue[] = [];

/** Returns all issues of an order: of the rules, and of its totals. Call it last: the memory may grow, which ends the amounts. */
export function issuesOf({ flags, remarks, body, setting }: Commented): Issue[] {
  const isCommented = !(flags & HAS_ID) || flags & HAS_CUSTOMER || !(flags & HAS_TAXES);
  if (!isCommented && remarks.length === 0) return [];
  const key = `${setting.version} ${flags & (IS_UNPRICED - 1)}`;
  let constant = constants.get(key);
  if (!constant || remarks.some(({ bit }) => !templates[bit])) {
    const { issues } = split<EvaluationHead>(call('evaluateOrder', body, jsonOf(setting))).head as EvaluationHead;
    for (const { bit } of remarks) templates[bit] = issues.shift() as Issue;
    constant = issues;
    constants.set(key, issues);
  }
  return [...remarks.map(issueOf), ...constant.map(copyOfIssue)];
}

function issueOf({ bit, index }: Remark): Issue {
  const issue = copyOfIssue(templates[bit] as Issue);
  const { path } = issue;
  if (index < 0) return issue;
  path[1] = index;
  issue.pointer = `/Items/${index}/${path[2]}`;
  return issue;
}
