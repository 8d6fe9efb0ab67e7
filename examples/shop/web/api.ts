/** Asks the backend. Every request can be repeated, the one that orders too. */
import type { SaleRequest } from '../server/sale-request.ts';
import type { Objection, Sale, Shop } from '../shared/shop.ts';

export const getShop = (): Promise<Shop> => ask('/api/shop');

/** Returns null if the cart has not been ordered. */
export const getSale = (cartId: string): Promise<Sale | null> => ask(`/api/sales/${cartId}`);

/** Returns the sale that is stored. */
export const postSale = (sale: SaleRequest): Promise<Sale | Objection> =>
  ask('/api/sales', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sale) });

/** Rejects if there is no response, or not one to go on with. */
async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(15_000) });
  if (!response.ok && response.status !== 409) throw new Error(`${path}: ${response.status}`);
  return response.json();
}
