import type { Column } from './csv-keys.js';
import type { Conditions } from './csv-mapping.js';
import type { CsvRow } from './csv-rows.js';

/** A column with the values that are meant; true for any value. */
export interface Condition extends Column {
  values: true | ReadonlySet<string>;
}

/** Finds the columns of conditions in a file. */
export function conditionsIn(names: readonly string[], conditions: Conditions): Condition[] {
  return Object.entries(conditions).map(([name, values]) => ({
    name,
    index: names.indexOf(name),
    // Cells have no spaces around them.
    values: values === true || new Set(values.map((value) => value.trim())),
  }));
}

export function isMet({ index, values }: Condition, { cells }: CsvRow): boolean {
  const text = cells[index] ?? '';
  return values === true ? text !== '' : values.has(text);
}
