// 'error.status' is possibly 'undefined'.
import { OrderIntakeError } from 'sales-order-intake/client';

export function isOfServer(error: unknown): boolean {
  return error instanceof OrderIntakeError && error.status >= 500;
}
