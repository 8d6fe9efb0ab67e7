/** Keeps the cart in this tab: its id, articles and quantities. Names, notes and card numbers are never stored. */
import { newOrderId } from 'sales-order-intake';
import type { Line } from '../shared/shop.ts';

const KEY = 'old-mill-tea.cart';

/** The id is made once: the backend derives the order's Id from it. */
export type Cart = { id: string; lines: Line[] };

export const newCart = (): Cart => ({ id: newOrderId(), lines: [] });

export function storeCart(cart: Cart): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(cart));
  } catch {
    // Storage is forbidden: the cart lives as long as the page.
  }
}

export function restoreCart(): Cart {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '') as Cart;
  } catch {
    return newCart();
  }
}
