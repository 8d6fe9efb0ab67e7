// 'connectionstring' does not exist in type 'PostgresOptions'. Did you mean to write 'connectionString'?
import { postgresStore } from 'sales-order-intake/outbox/postgres';

export const store = postgresStore({ connectionstring: 'postgres://x' });
