/** One function of the core: the client is not needed. */
import { newOrderId } from 'sales-order-intake';

console.log(newOrderId());
