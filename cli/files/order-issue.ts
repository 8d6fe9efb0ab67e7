import {
  type Guid,
  type Issue,
  OrderValidationError,
  type PreparedRequest,
  prepareRequest,
  type PreviewOptions,
} from 'sales-order-intake';
import type { Part, Position, Span } from './position.js';
import { FILE_CODES, type FileIssue, fileIssue, rowsApart, type SourceOrder } from './source-order.js';
import type { Entry } from 'sales-order-intake/outbox';

/** An issue, with the position in the file that it is about. */
export interface OrderIssue {
  /** As the package reports it; issues of the file itself have the same members, with a code of their own. */
  issue: Issue | FileIssueData;
  file: string;
  /** The key of the order; null if the file has no mapping. */
  key: string | null;
  span: Span;
}

/** An issue of the file in the package's form: it is about no member of the order. */
interface FileIssueData extends Omit<FileIssue, 'span'> {
  pointer: '';
  path: [];
  params: Record<string, never>;
}

/** Issues about a member as such, not about its value. */
const ABOUT_NAMES = ['unknown_member', 'duplicate_member', 'line_level_pricing', 'read_only_member', 'unused_member'];

/** Adds the positions of issues. `fileIssues` are those of the file, which come first. */
export function placed(
  order: SourceOrder,
  issues: readonly Issue[],
  fileIssues: readonly FileIssue[] = order.fileIssues,
): OrderIssue[] {
  const { file, key } = order;
  const ofOrder = issues
    .filter((issue) => !order.isReported?.(issue))
    .map((issue): OrderIssue => {
      const hint = order.hintOf?.(issue);
      return { issue: hint === undefined ? issue : { ...issue, hint }, file, key, span: spanOf(order, issue) };
    });
  return [...fileIssues.map((issue) => ({ issue: fileIssueData(issue), file, key, span: issue.span })), ...ofOrder];
}

function fileIssueData({ code, severity, message, hint }: Omit<FileIssue, 'span'>): FileIssueData {
  return { code, severity, message, pointer: '', path: [], ...(hint === undefined ? {} : { hint }), params: {} };
}

/** The package's own form, with the position. */
export function issueJson({ issue, file, key, span: { line, column } }: OrderIssue): object {
  return { ...issue, file, line, column, ...keyOf({ key }) };
}

/** Returns the key of an order as a member, if it has one. */
export function keyOf({ key }: Pick<SourceOrder, 'key'>): { key?: string } {
  return key === null ? {} : { key };
}

function spanOf(order: SourceOrder, issue: Issue): Span {
  if (issue.code === 'not_json') {
    const { line = 1, column = 1 } = issue.params;
    return order.spanInJson({ line, column });
  }
  const part: Part = ABOUT_NAMES.includes(issue.code) ? 'name' : 'value';
  const found = issue.code === 'duplicate_member' ? issue.params.found : undefined;
  // A member that is there in two cases (D63): the file may have only other cases of its name.
  return order.spanOf(found === undefined ? issue.path : [...issue.path.slice(0, -1), found], part);
}

/** Of an order that an earlier run sent, or may have sent, with other contents (D54). */
const CHANGED: Record<Entry['outcome'], { message: string; hint: string }> = {
  created: {
    message: 'The order at the point of sale has the earlier contents: it was created before it was changed here',
    hint: 'correct it at the point of sale; under a new Id or key there would be a second one',
  },
  unknown: {
    message: 'The order is or may be at the point of sale with its earlier contents; the changed one was not sent',
    hint: 'look for it at the point of sale first; under a new Id or key there may be a second one',
  },
  'not-created': {
    message: 'The order was being sent with its earlier contents, and was not created; the changed one was not sent',
    hint: 'run the command again to send the changed order',
  },
};

/** The position of an order in its file, and its issues. */
export interface Row extends Position {
  file: string;
  key: string | null;
  issues: readonly object[];
}

/** Returns the position of an order, and its issues in the package's form. */
export function rowOf(order: SourceOrder, issues: readonly Issue[], fileIssues?: readonly FileIssue[]): Row {
  const { file, start, key } = order;
  return { file, ...start, key, issues: placed(order, issues, fileIssues).map(issueJson) };
}

/** Returns a function that returns the issue of an order if an earlier one has its Id. */
export function repeatFinder(): (order: SourceOrder, id: Guid | null) => FileIssue[] {
  /** Where the orders are; they themselves are not stored. */
  const seen = new Map<bigint, Pick<SourceOrder, 'file' | 'start'>>();
  return (order, id) => {
    if (id === null) return [];
    // The string would keep the response of the core that it is a slice of.
    const digits = BigInt(`0x${id.replaceAll('-', '')}`);
    const earlier = seen.get(digits);
    const { file, start } = earlier ?? order;
    if (earlier) return [repeatIssue(order, `Id is also that of the order at ${file}:${start.line}:${start.column}`)];
    seen.set(digits, { file, start });
    return [];
  };
}

function repeatIssue(order: SourceOrder, message: string): FileIssue {
  return fileIssue(
    'duplicate_order_id',
    message,
    order.spanOf(['Id'], 'value'),
    {},
    'give each order an Id of its own',
  );
}

/** Returns the row of an order if an earlier one has its Id. */
export function repeatOf(order: SourceOrder, { request, issues }: PreparedOrder): Row {
  const issue = repeatIssue(order, 'An earlier order of the input has the same Id');
  return rowOf(order, request ? [] : issues, [issue, ...order.fileIssues]);
}

/** Adds the issue that an earlier run sent other contents, or may have sent them. */
export function withChange(row: Row, outcome: Entry['outcome']): Row {
  return withIssue(row, 'order_changed', CHANGED[outcome]);
}

/** Adds the issue that more rows of an order follow at a line behind those of other orders. */
export function withRowsApart(row: Row, line: number): Row {
  return withIssue(row, 'csv_rows_apart', { message: rowsApart(line), hint: 'sort the file by the key' });
}

/** Adds the issue that an earlier run sent an order that the mapping skips now, or may have sent it. */
export function withSkip(row: Row, outcome: Entry['outcome']): Row {
  const where = outcome === 'created' ? 'is' : 'is or may be';
  const message = `The order is skipped now, but it ${where} at the point of sale`;
  return withIssue(row, 'order_changed', { message, hint: 'cancel it at the point of sale' });
}

function withIssue(row: Row, code: FileIssue['code'], about: { message: string; hint: string }): Row {
  const issue = fileIssueData({ code, severity: FILE_CODES[code].severity, ...about });
  return { ...row, issues: [...placedAt(row, [issue]), ...row.issues] };
}

/** Adds the position of the order to issues of the service, which does not know the file. */
export function placedAt({ file, line, column, key }: Omit<Row, 'issues'>, issues: readonly object[]): object[] {
  return issues.map((issue) => ({ ...issue, file, line, column, ...keyOf({ key }) }));
}

/** An order of a file. */
interface PreparedOrder {
  /** Null if it has no valid one. */
  orderId: Guid | null;
  /** Null if the order is invalid, or its part of the file is. */
  request: PreparedRequest | null;
  /** Those of the order, without those of the file. */
  issues: readonly Issue[];
}

/** Returns the request of an order that only the option `strict` makes invalid; null if another error does. */
export function requestIfNotStrict({ json, fileIssues }: SourceOrder, options: PreviewOptions): PreparedRequest | null {
  if (fileIssues.some(({ code, severity }) => severity === 'error' && FILE_CODES[code].severity === 'error'))
    return null;
  return preparedOrder({ json, fileIssues: [] }, { ...options, strict: false }).request;
}

/** Prepares the request of an order. */
export function preparedOrder(order: Pick<SourceOrder, 'json' | 'fileIssues'>, options: PreviewOptions): PreparedOrder {
  try {
    const request = prepareRequest(order.json, options);
    const { orderId, issues } = request;
    const isBroken = order.fileIssues.some(({ severity }) => severity === 'error');
    return { orderId, request: isBroken ? null : request, issues };
  } catch (error) {
    if (!(error instanceof OrderValidationError)) throw error;
    const { orderId, issues } = error;
    return { orderId, request: null, issues };
  }
}
