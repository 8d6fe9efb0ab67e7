// Type 'SalesOrderInput' is not assignable to type 'IdentifiedOrder'.
import type { SalesOrderInput } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client, cart: SalesOrderInput) => client.createOrder(cart);
