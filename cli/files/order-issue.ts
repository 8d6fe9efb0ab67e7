import type { Issue, Severity } from 'sales-order-intake';
import { FILE_CODES } from './file-issue-codes.js';
import type { Part, Span } from './position.js';
import type { FileIssue, SourceOrder } from './source-order.js';

/** An issue, with the position in the file that it is about. */
export interface OrderIssue {
  /** As the package reports it; issues of the file itself have the same members, with a code of their own. */
  issue: Issue | FileIssueData;
  file: string;
  span: Span;
}

/** An issue of the file in the package's form: it is about no member of the order. */
export interface FileIssueData extends Omit<FileIssue, 'span'> {
  severity: Severity;
  pointer: '';
  path: [];
  params: Record<string, never>;
}

/** Issues about a member as such, not about its value. */
const ABOUT_NAMES = ['unknown_member', 'duplicate_member', 'line_level_pricing', 'read_only_member', 'unused_member'];

export function placed(order: SourceOrder, issues: readonly Issue[]): OrderIssue[] {
  const ofFile = order.fileIssues.map(({ span, ...issue }): OrderIssue => {
    return { issue: fileIssueData(issue), file: order.file, span };
  });
  const ofOrder = issues.map((issue) => {
    const hint = order.hintOf?.(issue);
    return { issue: hint === undefined ? issue : { ...issue, hint }, file: order.file, span: spanOf(order, issue) };
  });
  return [...ofFile, ...ofOrder];
}

export function fileIssueData({ code, message, hint }: Omit<FileIssue, 'span'>): FileIssueData {
  const { severity } = FILE_CODES[code];
  return { code, severity, message, pointer: '', path: [], ...(hint === undefined ? {} : { hint }), params: {} };
}

/** The package's own form, with the position. */
export function issueJson({ issue, file, span: { line, column } }: OrderIssue): object {
  return { ...issue, file, line, column };
}

function spanOf(order: SourceOrder, issue: Issue): Span {
  if (issue.code === 'not_json') {
    const { line = 1, column = 1 } = issue.params;
    return order.spanInJson({ line, column });
  }
  const part: Part = ABOUT_NAMES.includes(issue.code) ? 'name' : 'value';
  return order.spanOf(issue.path, part);
}
