import { OutboxError } from './errors.js';

/** The version of the tables of both stores. A store of an earlier version is updated, one of a later version refused. */
export const SCHEMA_VERSION = 1;

/** The service that an outbox sends to, and the one whose orders it takes over (D60): see `OutboxStore.bind`. */
export interface Binding {
  baseUrl: string;
  movedFrom: string | null;
}

/** @throws OutboxError if the tables have a version that this package does not know. */
export function assertKnown(version: number, where: string): void {
  if (version <= SCHEMA_VERSION) return;
  const problem = `${where} has version ${version}, and this version of sales-order-intake knows ${SCHEMA_VERSION}`;
  throw new OutboxError('unsupported', `${problem}: update the package in this process`);
}

/** @throws OutboxError if the store has another base URL. Its `code` says the reason in events, which have no message. */
export function assertBound(stored: unknown, { baseUrl }: Binding): void {
  if (stored === baseUrl) return;
  const problem = `This outbox has the orders for ${stored}, not for ${baseUrl}`;
  const advice = 'Use another store for another service, or move this one: movedFrom of createOutbox';
  throw new OutboxError('wrong-service', `${problem}. Nothing was sent or written. ${advice}`, {
    code: 'wrong-service',
  });
}
