// 'host' does not exist in type 'PostgresOptions'.
import { postgresStore } from 'sales-order-intake/outbox/postgres';

export const store = postgresStore({ host: 'x' });
