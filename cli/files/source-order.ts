import type { Issue, PreviewOptions, Severity } from 'sales-order-intake';
import type { IdSource } from './csv-mapping.js';
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
  { strict = false }: PreviewOptions = {},
): FileIssue {
  return { code, severity: strict ? 'error' : FILE_CODES[code].severity, message, span };
}

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
  csv_keys_alike: {
    severity: 'warning',
    meaning:
      'The key looks like that of another order, and differs only in its Unicode form or in characters that are not visible. They are two orders, with two Ids.',
    sources: ['D2'],
  },
  csv_lookup_missing: {
    severity: 'error',
    meaning: 'The file in which the mapping looks a value up does not have it. Add it there, or correct the cell.',
    sources: [],
  },
  csv_amount_differs: {
    severity: 'warning',
    meaning:
      'An amount of the order differs from that of the system that wrote the file, which "expect" of the mapping names. Look for items, discounts, fees or taxes that the mapping leaves out.',
    sources: ['D58'],
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
