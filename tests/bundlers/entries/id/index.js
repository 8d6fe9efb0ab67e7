/** A new order id: neither the core nor the client is needed. */
import { newOrderId } from 'sales-order-intake';

console.log(newOrderId());
