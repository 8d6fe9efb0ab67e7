// Type 'number' is not assignable to type 'string'.
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client, order: IdentifiedOrder) => client.createOrder(order, { headers: { 'X-Cart': 7 } });
