/** The remarks of the judge (src/plain/remarks.rs): what it found wrong by itself. */
import { type Judgement, REMARKS } from './exchange.js';

/** The index of the first remarks among the numbers of the core. */
const FIRST = 18;
/** The remarks on one record; its number is in the bits above them. */
const BITS = 15;

/** A remark on a member of the order, or of the item with this index. */
export interface Remark {
  bit: number;
  /** -1 for the order. */
  index: number;
}

export function remarksOf({ flags, numbers }: Judgement): Remark[] {
  const remarks: Remark[] = [];
  for (let i = FIRST; i < FIRST + Math.floor(flags / REMARKS); i++) {
    const record = numbers[i] as number;
    for (let bit = 0; bit < BITS; bit++) {
      if (record & (1 << bit)) remarks.push({ bit, index: (record >>> BITS) - 1 });
    }
  }
  return remarks;
}

/** The members with remarks, in the order of a body. */
const MEMBERS = [
  ...['CompanyId', 'EntityId', 'IntegratorId', 'Items'],
  ...['CatalogItemId', 'Quantity', 'SellAtPricePerUnit'],
];

/** Returns true if the caller's objects have these members in the order of the body: issues are in the order of the members. */
export function areInOrder(remarks: readonly Remark[], order: unknown, items: readonly unknown[]): boolean {
  if (typeof order === 'string') return true;
  return hasOrder(order) && remarks.every(({ index }) => index < 0 || hasOrder(items[index]));
}

function hasOrder(record: unknown): boolean {
  let last = -1;
  for (const name in record as object) {
    const position = MEMBERS.indexOf(name);
    if (position >= 0 && position < last) return false;
    last = Math.max(last, position);
  }
  return true;
}
