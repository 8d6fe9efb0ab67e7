// Argument of type '{ pool: PgPool; max: number; }' is not assignable to parameter of type 'PostgresOptions'.
// Types of property 'max' are incompatible.
import { postgresStore, type PostgresPool } from 'sales-order-intake/outbox/postgres';

export const store = (pool: PostgresPool) => postgresStore({ pool, max: 4 });
