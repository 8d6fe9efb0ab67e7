// Property 'created' does not exist on type 'Batch<IdentifiedOrder>'.
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';

export const created = (client: Client, orders: IdentifiedOrder[]) => client.createOrders(orders).created;
