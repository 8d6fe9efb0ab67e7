/** Files of orders, as CSV with a mapping and as NDJSON. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderOf } from './orders.mjs';

/** The orders have 1 to 5 lines. */
const MOST_LINES = 5;
const MAPPING = {
  key: 'Order',
  namespace: '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b',
  decimal: '.',
  order: {
    CompanyId: { value: 293892 },
    EntityId: 'Shop',
    IntegratorId: { value: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
    FirstName: 'First name',
    LastName: 'Last name',
    IsDelivery: 'Delivery',
    Notes: 'Comment',
  },
  items: { Name: 'Product', CatalogItemId: 'Product id', Quantity: 'Qty', SellAtPricePerUnit: 'Price' },
  taxes: [{ TaxId: { value: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4' }, TaxAmount: 'GST' }],
};
const COLUMNS = 'Order,Shop,First name,Last name,Delivery,Comment,GST,Product,Product id,Qty,Price';

/**
 * Writes orders.csv, mapping.json and orders.ndjson into a folder.
 *
 * @param {(order: any, number: number) => void} change Called with each order.
 */
export function writeOrderFiles(folder, count, change = () => {}) {
  const orders = Array.from({ length: count }, (_, number) => {
    const order = orderOf(1 + (number % MOST_LINES), number);
    order.Id = `2a8f5d33-eec9-4864-8b49-${number.toString(16).padStart(12, '0')}`;
    change(order, number);
    return order;
  });
  write(folder, 'orders.csv', [COLUMNS, ...orders.flatMap(rowsOf)]);
  write(folder, 'mapping.json', [JSON.stringify(MAPPING)]);
  write(
    folder,
    'orders.ndjson',
    orders.map((order) => JSON.stringify(order)),
  );
}

/** Returns a row for each line of an order. A name with a comma is in quotes. */
function rowsOf({ Id, EntityId, FirstName, LastName, Notes, Taxes, Items }) {
  return Items.map(({ Name, CatalogItemId, Quantity, SellAtPricePerUnit }) =>
    [
      Id,
      EntityId,
      FirstName,
      LastName,
      'no',
      Notes,
      Taxes[0].TaxAmount,
      Name,
      CatalogItemId,
      Quantity,
      SellAtPricePerUnit,
    ]
      .map((cell) => (`${cell}`.includes(',') ? `"${cell}"` : cell))
      .join(','),
  );
}

function write(folder, name, lines) {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
}
