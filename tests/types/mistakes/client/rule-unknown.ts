// 'strict' does not exist in type 'SendOptions'.
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client, order: IdentifiedOrder) => client.createOrder(order, { strict: true });
