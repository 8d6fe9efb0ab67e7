/** Uses newOrderId; the bundle needs neither the core nor the client. */
import { newOrderId } from 'sales-order-intake';

console.log(newOrderId());
