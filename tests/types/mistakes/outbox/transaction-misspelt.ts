// 'transacton' does not exist in type 'AddOptions<PostgresTransaction>'. Did you mean to write 'transaction'?
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { PostgresClient, PostgresTransaction } from 'sales-order-intake/outbox/postgres';

export const accept = (outbox: Outbox<PostgresTransaction>, order: IdentifiedOrder, connection: PostgresClient) =>
  outbox.add(order, { transacton: connection });
