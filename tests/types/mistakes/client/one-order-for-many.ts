// Argument of type 'IdentifiedOrder' is not assignable to parameter of type
// Iterable<
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client, order: IdentifiedOrder) => client.createOrders(order);
