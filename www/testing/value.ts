import type { RuleOptions, SalesOrder } from 'sales-order-intake';

type JsonObject = Record<string, unknown>;

/**
 * Returns a string that equal orders share (D28): decimals and GUIDs count by value, null equals absent, and the order of
 * members does not count. The core has already normalised GUIDs, decimals and minus zero; numbers in unknown members are
 * compared as JavaScript numbers.
 *
 * @param order An order without errors, so that its lists and records have their types.
 */
export function comparableValue(order: SalesOrder, records: NonNullable<RuleOptions['records']>): string {
  const { Items, Discount, Taxes, ...others } = withoutNull(
    { ...order },
    'FirstName',
    'LastName',
    'CustomerId',
    'Discount',
    'Taxes',
  );
  const read = records === 'strict';
  return JSON.stringify(
    {
      ...others,
      Items: (Items as JsonObject[]).map((item) => plainest(item, 'Quantity', 'SellAtPricePerUnit')),
      Discount: read && Discount ? discountValue(Discount as JsonObject) : Discount,
      Taxes: read && Taxes ? (Taxes as JsonObject[]).map((tax) => plainest(tax, 'TaxAmount')) : Taxes,
    },
    sorted,
  );
}

function discountValue(discount: JsonObject): JsonObject {
  // Null becomes undefined, which equals absent.
  return {
    ...discount,
    InvoiceLevel: (discount.InvoiceLevel as JsonObject[] | null | undefined)?.map((entry) => plainest(entry, 'Value')),
  };
}

/** Returns a record whose decimals have no trailing zeros: `3.50` becomes `3.5`. */
function plainest(record: JsonObject, ...decimals: string[]): JsonObject {
  const plain = (text: unknown) => String(text).replace(/\.0*$|(\.\d*[1-9])0+$/, '$1');
  return { ...record, ...Object.fromEntries(decimals.map((name) => [name, plain(record[name])])) };
}

function withoutNull(record: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => value !== null || !names.includes(name)));
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([name], [other]) => (name < other ? -1 : 1)));
}
