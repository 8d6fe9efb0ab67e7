// 'orderId' does not exist in type 'BatchOptions<IdentifiedOrder>'.
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client, orders: IdentifiedOrder[]) => client.createOrders(orders, { orderId: 'x' });
