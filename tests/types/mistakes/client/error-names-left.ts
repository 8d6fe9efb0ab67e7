// Type 'AbortedError | AuthenticationError | ConflictError |
// does not satisfy the expected type 'never'.
import type { SendError } from 'sales-order-intake/client';

export function advice(error: SendError): string {
  switch (error.name) {
    case 'OrderValidationError':
      return 'correct the order';
    default:
      error satisfies never;
      return '';
  }
}
