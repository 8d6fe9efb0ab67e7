import { columnsOf, fitted } from './printable-text.js';

export interface Column {
  /** @default left */
  align?: 'left' | 'right';
  /** The most columns of the terminal that it takes. */
  most?: number;
}

const GAP = '  ';

/** Lays out rows below each other; texts that are too long are cut. */
export function textTable(rows: readonly (readonly string[])[], columns: readonly Column[]): string[] {
  const cells = rows.map((row) => columns.map(({ most = 200 }, index) => fitted(row[index] ?? '', most)));
  const widths = columns.map((_, index) => Math.max(0, ...cells.map((row) => columnsOf(row[index] ?? ''))));
  return cells.map((row) =>
    row
      .map((cell, index) => {
        const space = ' '.repeat((widths[index] ?? 0) - columnsOf(cell));
        return columns[index]?.align === 'right' ? space + cell : cell + space;
      })
      .join(GAP)
      .trimEnd(),
  );
}
