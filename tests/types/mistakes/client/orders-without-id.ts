// Argument of type 'SalesOrderInput[]' is not assignable to parameter of type
// Type 'SalesOrderInput' is not assignable to type
import type { SalesOrderInput } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client, carts: SalesOrderInput[]) => client.createOrders(carts);
