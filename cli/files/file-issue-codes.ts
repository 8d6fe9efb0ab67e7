import type { Severity } from 'sales-order-intake';

/** What is documented about the code of an issue that only files can have. */
export interface FileCode {
  severity: Severity;
  meaning: string;
  /** Decisions, such as `D54`. */
  sources: readonly string[];
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
    meaning: 'Rows of one order differ in a column of the order, such as its location. They must have the same there.',
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
} as const satisfies Record<string, FileCode>;
