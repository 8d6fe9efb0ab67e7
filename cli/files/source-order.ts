import type { Issue, PreviewOptions, Severity } from 'sales-order-intake';
import type { IdSource } from './csv-mapping.js';
import codes from './file-codes.json';
import type { Part, Position, Span } from './position.js';

/** An order of a file. */
export interface SourceOrder {
  /** As `-` for standard input. */
  readonly file: string;
  /** JSON, with every digit as the file has it. */
  readonly json: string;
  /** The value of the mapping's key, which identifies the order in its file; null without a mapping, or if the cell is empty. */
  readonly key: string | null;
  /** Where the Id comes from; null if the file has it as a member of the order. */
  readonly idSource: IdSource | null;
  /** Where the order begins. */
  readonly start: Position;
  /** The mapping leaves it out. */
  readonly isSkipped: boolean;
  /** Issues of the file rather than of the order. An order with an error among them is not sent. */
  readonly fileIssues: readonly FileIssue[];
  /** Amounts that the mapping compares, and that are unknown in the order. */
  readonly unknownAmounts: number;
  /** Finds the value at a path, or the nearest record that contains it. */
  spanOf(path: readonly (string | number)[], part: Part): Span;
  /** Finds a character of `json` by its line and its code points in that line. */
  spanInJson(position: Position): Span;
  /** Replaces the hint of an issue if the file has another notation than JSON. */
  hintOf?(issue: Issue): string | undefined;
  /** Returns whether an issue of the order is also one of the file, which says more. */
  isReported?(issue: Issue): boolean;
}

/** The issue codes of files, by code: `check`, `send` and `explain` read them here. */
export const FILE_CODES = codes as Readonly<
  Record<keyof typeof codes, { severity: Severity; meaning: string; sources: readonly string[] }>
>;

/** An issue that only files can have. */
export interface FileIssue {
  code: keyof typeof FILE_CODES;
  severity: Severity;
  message: string;
  hint?: string | undefined;
  span: Span;
}

/** Creates an issue; with the option `strict`, a warning is an error. */
export function fileIssue(
  code: FileIssue['code'],
  message: string,
  span: Span,
  { strict = false }: PreviewOptions,
  hint?: string,
): FileIssue {
  return { code, severity: strict ? 'error' : FILE_CODES[code].severity, message, hint, span };
}

/** Returns the message about an order that has more rows at another line, behind those of other orders. */
export function rowsApart(line: number): string {
  return `Rows of this order are also at line ${line}: rows of one order must follow each other`;
}
