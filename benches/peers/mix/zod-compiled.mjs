/** Stack A for the mix with a compiled schema: `z.compile`, decimal.js, JSON.stringify. */
import * as z from 'zod';
import { totals } from './decimal-totals.mjs';
import { Order } from './zod.mjs';

const Compiled = z.compile(Order, { strict: true });

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, data, error } = Compiled.safeParse(order);
  if (!success) return { issues: error.issues };
  return { issues: [], ...totals(data), body: JSON.stringify(data) };
}
