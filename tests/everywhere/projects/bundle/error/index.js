/** Uses error classes; the bundle needs no part of the core or the client. */
import { OrderValidationError } from 'sales-order-intake';
import { ConflictError } from 'sales-order-intake/client';

console.log([OrderValidationError, ConflictError].map((type) => new Error('another') instanceof type).join());
