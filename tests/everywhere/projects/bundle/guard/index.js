/** Uses a guard; the bundle needs no part of the core or the client. */
import { isOrderValidationError } from 'sales-order-intake';
import { isConflictError } from 'sales-order-intake/client';

console.log([isOrderValidationError, isConflictError].map((is) => is(new Error('another'))).join());
