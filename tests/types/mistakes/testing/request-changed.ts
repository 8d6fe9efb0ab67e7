// Cannot assign to 'status' because it is a read-only property.
import type { TestService } from 'sales-order-intake/testing';

export function accept({ requests }: TestService): void {
  for (const request of requests) request.status = 200;
}
