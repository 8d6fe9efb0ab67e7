/** Orders of a tea shop, as files. */
import { minimalOrder } from '../node/orders.mjs';

export const MAPPING = {
  key: 'Order',
  namespace: '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b',
  order: {
    CompanyId: { value: 1000 },
    EntityId: 'Shop',
    IntegratorId: { value: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50' },
    Notes: 'Comment',
  },
  items: { Name: 'Product', CatalogItemId: 'Product id', Quantity: 'Qty', SellAtPricePerUnit: 'Price' },
};

const COLUMNS = 'Order,Shop,Product,Product id,Qty,Price,Comment';
export const TEA = 'Green tea,0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff';
export const BLEND = 'House blend,8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b';

/** A CSV file with these rows. */
export function csv(...rows) {
  return `${[COLUMNS, ...rows].join('\r\n')}\r\n`;
}

/** Order number `n` of many, with an Id of its own. */
export function numbered(n, changes = {}) {
  return minimalOrder({ Id: idOf(n), ...changes });
}

export function idOf(n) {
  return `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`;
}

/** `count` orders as NDJSON. */
export function ndjson(count) {
  return Array.from({ length: count }, (_, n) => `${JSON.stringify(numbered(n))}\n`).join('');
}
