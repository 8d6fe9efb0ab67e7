// Cannot create an instance of an abstract class.
import { OrderIntakeError } from 'sales-order-intake/client';

export const error = new OrderIntakeError('x', {
  orderId: 'x',
  version: 'v3',
  attempts: 1,
  retryable: false,
  outcome: 'unknown',
});
