// Argument of type '{}' is not assignable to parameter of type 'PostgresOptions'.
import { postgresStore } from 'sales-order-intake/outbox/postgres';

export const store = postgresStore({});
