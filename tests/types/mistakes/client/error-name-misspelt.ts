// Type '"ConflictEror"' is not comparable to type '"AbortedError" | "AuthenticationError" | "ConflictError" |
import { OrderIntakeError } from 'sales-order-intake/client';

export function isConflict(error: unknown): boolean {
  if (!(error instanceof OrderIntakeError)) return false;
  switch (error.name) {
    case 'ConflictEror':
      return true;
    default:
      return false;
  }
}
