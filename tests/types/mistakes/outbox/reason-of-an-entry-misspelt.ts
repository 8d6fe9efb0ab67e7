// This comparison appears to be unintentional because the types 'EntryReason | null' and '"RejectedEror"' have no overlap.
import type { Client } from 'sales-order-intake/client';
import { createOutbox } from 'sales-order-intake/outbox';
import { sqliteStore } from 'sales-order-intake/outbox/sqlite';

export const make = (client: Client) =>
  createOutbox({ client, store: sqliteStore('orders.sqlite'), onSettled: ({ reason }) => reason === 'RejectedEror' });
