import type { Issue } from 'sales-order-intake';
import type { FILE_CODES } from './file-issue-codes.js';
import type { Part, Position, Span } from './position.js';
import type { IdSource } from './id-source.js';

/** An order of a file. */
export interface SourceOrder {
  /** As `-` for standard input. */
  file: string;
  /** JSON, with every digit as the file has it. */
  json: string;
  /** What identifies the order in its file, as the mapping's key has it; null if there is no mapping, or the cell is empty. */
  key: string | null;
  /** Where the Id comes from; null if the file has it as a member of the order. */
  idSource: IdSource | null;
  /** Where the order begins. */
  start: Position;
  /** What is wrong with the file rather than with the order. An order with such an issue is not sent. */
  fileIssues: readonly FileIssue[];
  /** Finds the value at a path, or what comes nearest to it. */
  spanOf(path: readonly (string | number)[], part: Part): Span;
  /** Finds a character of `json`, by its line there and its code points in that line. */
  spanInJson(position: Position): Span;
  /** Replaces the hint of an issue where the file has another notation than JSON. */
  hintOf?(issue: Issue): string | undefined;
}

/** An issue that only files can have. */
export interface FileIssue {
  code: keyof typeof FILE_CODES;
  message: string;
  hint?: string;
  span: Span;
}
