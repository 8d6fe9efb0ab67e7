import type { Entry } from 'sales-order-intake/outbox';
import { changedOrderIssue } from './changed-order.js';
import { issueJson, placed } from './order-issue.js';
import type { PreparedOrder } from '../sending/prepared-order.js';
import type { Position } from './position.js';
import type { FileIssue, SourceOrder } from './source-order.js';

/** Where an order is in its file, and what is wrong with it there. */
export interface Row extends Position {
  file: string;
  key: string | null;
  issues: readonly object[];
}

/** Returns where an order is, and its issues in the package's form. */
export function rowOf(order: SourceOrder, { issues }: Pick<PreparedOrder, 'issues'>): Row {
  const { file, start, key } = order;
  return { file, ...start, key, issues: placed(order, issues).map(issueJson) };
}

/** Returns an order whose Id an earlier order has. */
export function repeatOf(order: SourceOrder, { request, issues }: PreparedOrder): Row {
  const repeated: FileIssue = {
    code: 'duplicate_order_id',
    message: 'An earlier order of the input has the same Id',
    hint: 'give each order an Id of its own',
    span: order.spanOf(['Id'], 'value'),
  };
  return rowOf({ ...order, fileIssues: [repeated, ...order.fileIssues] }, { issues: request ? [] : issues });
}

/** Adds that an earlier run sent other contents, or may have. */
export function withChange(row: Row, outcome: Entry['outcome']): Row {
  return { ...row, issues: [...placedAt(row, [changedOrderIssue(outcome)]), ...row.issues] };
}

/** Gives issues the position of the order: the service, which found them, knows no file. */
export function placedAt({ file, line, column }: Omit<Row, 'issues'>, issues: readonly object[]): object[] {
  return issues.map((issue) => ({ ...issue, file, line, column }));
}
