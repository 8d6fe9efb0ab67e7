// Type 'AbortController' is
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client, order: IdentifiedOrder) =>
  client.createOrder(order, { signal: new AbortController() });
