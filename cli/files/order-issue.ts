import {
  type Guid,
  type Issue,
  OrderValidationError,
  type PreparedRequest,
  prepareRequest,
  type PreviewOptions,
  type Severity,
} from 'sales-order-intake';
import type { Part, Position, Span } from './position.js';
import type { FileIssue, SourceOrder } from './order-source.js';
import type { Entry } from 'sales-order-intake/outbox';

/** The issue codes of files: `check`, `send` and `explain` read them here. */
export const FILE_CODES = {
  duplicate_order_id: {
    severity: 'error',
    meaning:
      'An earlier order of the input has the same Id. The second one is not sent: give each order an Id, or a key, of its own.',
    sources: ['D28'],
  },
  order_changed: {
    severity: 'error',
    meaning:
      'An earlier run of send has sent the order, or may have, and the file has other contents now. They are not sent: correct the order at the point of sale.',
    sources: ['D54'],
  },
  body_over_max_bytes: {
    severity: 'warning',
    meaning:
      'The request of the order has more bytes than --max-bytes, so a service with this limit refuses it with 413.',
    sources: [],
  },
  csv_row_differs: {
    severity: 'error',
    meaning:
      'Rows of one order differ in a column of the order, such as its location. They must have the same there, or nothing.',
    sources: [],
  },
  csv_rows_apart: {
    severity: 'error',
    meaning: 'There are other orders between the rows of one order. Sort the file by the key.',
    sources: [],
  },
  csv_key_empty: {
    severity: 'error',
    meaning: 'The row has no key, so nothing says which order it belongs to.',
    sources: ['D2'],
  },
  csv_key_rounded: {
    severity: 'error',
    meaning:
      'The key is in scientific notation, such as 1.00025E+17: a spreadsheet has dropped digits, and two orders may have become one. Format the column as text before the file is saved.',
    sources: ['D69'],
  },
  csv_cells: {
    severity: 'error',
    meaning:
      'The row has more or fewer cells than the file has columns. Put a cell that has the delimiter into quotes.',
    sources: [],
  },
  csv_order_long: {
    severity: 'error',
    meaning: 'The rows of the order have more than 32 Mi characters. Split it into several orders.',
    sources: [],
  },
  csv_decimal_unclear: {
    severity: 'warning',
    meaning:
      'A quantity such as 1.000 may be one or a thousand, and the mapping says nothing about decimals, so it is one. Set "decimal", or "decimal" and "thousands", in the mapping.',
    sources: ['D55'],
  },
} as const satisfies Record<string, { severity: Severity; meaning: string; sources: readonly string[] }>;

/** An issue, with the position in the file that it is about. */
export interface OrderIssue {
  /** As the package reports it; issues of the file itself have the same members, with a code of their own. */
  issue: Issue | FileIssueData;
  file: string;
  span: Span;
}

/** An issue of the file in the package's form: it is about no member of the order. */
interface FileIssueData extends Omit<FileIssue, 'span'> {
  severity: Severity;
  pointer: '';
  path: [];
  params: Record<string, never>;
}

/** Issues about a member as such, not about its value. */
const ABOUT_NAMES = ['unknown_member', 'duplicate_member', 'line_level_pricing', 'read_only_member', 'unused_member'];

export function placed(order: SourceOrder, issues: readonly Issue[]): OrderIssue[] {
  const { file } = order;
  const ofOrder = issues.map((issue): OrderIssue => {
    const hint = order.hintOf?.(issue);
    return { issue: hint === undefined ? issue : { ...issue, hint }, file, span: spanOf(order, issue) };
  });
  return [...order.fileIssues.map((issue) => ({ issue: fileIssueData(issue), file, span: issue.span })), ...ofOrder];
}

function fileIssueData({ code, message, hint }: Omit<FileIssue, 'span'>): FileIssueData {
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
export function rowOf(order: SourceOrder, issues: readonly Issue[]): Row {
  const { file, start, key } = order;
  return { file, ...start, key, issues: placed(order, issues).map(issueJson) };
}

/** Returns the issue of an order if an earlier one has its Id. */
export function repeatIssue(order: SourceOrder, message: string): FileIssue {
  const span = order.spanOf(['Id'], 'value');
  return { code: 'duplicate_order_id', message, hint: 'give each order an Id of its own', span };
}

/** Returns the row of an order if an earlier one has its Id. */
export function repeatOf(order: SourceOrder, { request, issues }: PreparedOrder): Row {
  const issue = repeatIssue(order, 'An earlier order of the input has the same Id');
  return rowOf({ ...order, fileIssues: [issue, ...order.fileIssues] }, request ? [] : issues);
}

/** Adds the issue that an earlier run sent other contents, or may have sent them. */
export function withChange(row: Row, outcome: Entry['outcome']): Row {
  const issue = fileIssueData({ code: 'order_changed', ...CHANGED[outcome] });
  return { ...row, issues: [...placedAt(row, [issue]), ...row.issues] };
}

/** Adds the position of the order to issues of the service, which does not know the file. */
export function placedAt({ file, line, column }: Omit<Row, 'issues'>, issues: readonly object[]): object[] {
  return issues.map((issue) => ({ ...issue, file, line, column }));
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

/** Prepares the request of an order. */
export function preparedOrder(order: SourceOrder, options: PreviewOptions): PreparedOrder {
  try {
    const request = prepareRequest(order.json, options);
    const { orderId, issues } = request;
    const isBroken = order.fileIssues.some(({ code }) => FILE_CODES[code].severity === 'error');
    return { orderId, request: isBroken ? null : request, issues };
  } catch (error) {
    if (!(error instanceof OrderValidationError)) throw error;
    const { orderId, issues } = error;
    return { orderId, request: null, issues };
  }
}
