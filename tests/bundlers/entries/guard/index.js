/** Guards of errors: no part of the core or of the client is needed. */
import { isOrderValidationError } from 'sales-order-intake';
import { isConflictError } from 'sales-order-intake/client';

console.log([isOrderValidationError, isConflictError].map((is) => is(new Error('another'))).join());
