import { parseGuid } from 'sales-order-intake';
import type { CsvMapping } from './csv-mapping.js';

/** What a mapping makes the Ids of orders from. With another one, the same rows have other Ids. */
export interface IdSource {
  /** Ids are derived in it; null if a column has them. */
  namespace: string | null;
  /** The columns of the key, or the one that has the Ids; empty if the mapping has a constant. */
  columns: readonly string[];
}

export function idSourceOf({ namespace, key, order }: CsvMapping): IdSource {
  if (namespace !== undefined) return { namespace: parseGuid(namespace), columns: key };
  const origin = order.Id;
  return { namespace: null, columns: origin && 'column' in origin ? [origin.column] : [] };
}

export function isSameSource(one: IdSource, other: IdSource): boolean {
  return one.namespace === other.namespace && JSON.stringify(one.columns) === JSON.stringify(other.columns);
}

/** Describes a source, for a sentence. */
export function sourceText({ namespace, columns }: IdSource): string {
  const names = columns.map((name) => `"${name}"`).join(', ');
  if (namespace !== null) return `the key ${names} in the namespace ${namespace}`;
  return columns.length > 0 ? `the column ${names}` : 'a constant';
}
