// Property 'push' does not exist on type 'readonly StoredOrder[]'.
import type { StoredOrder, TestService } from 'sales-order-intake/testing';

export const add = ({ orders }: TestService, order: StoredOrder) => orders.push(order);
