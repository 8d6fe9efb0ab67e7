// Argument of type '{ schema: string; }' is not assignable to parameter of type 'PostgresOptions'.
// Property 'pool' is missing
import { postgresStore } from 'sales-order-intake/outbox/postgres';

export const store = postgresStore({ schema: 'shop' });
