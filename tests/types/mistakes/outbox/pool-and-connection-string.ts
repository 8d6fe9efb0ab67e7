// Argument of type '{ connectionString: string; pool: PgPool; }' is not assignable to parameter of type 'PostgresOptions'.
// Types of property 'pool' are incompatible.
import { postgresStore, type PostgresPool } from 'sales-order-intake/outbox/postgres';

export const store = (pool: PostgresPool) => postgresStore({ connectionString: 'postgres://x', pool });
