import { OutboxError } from './errors.js';

/** The version of the tables of both stores. A store of another version is refused. */
export const SCHEMA_VERSION = 2;

/** How many of the first and of the latest events of an entry are stored (D66). */
export const KEPT_EVENTS = 100;

/** The service that an outbox sends to, and the one whose orders it takes over (D60): see `OutboxStore.bind`. */
export interface Binding {
  baseUrl: string;
  movedFrom: string | null;
}

/** @throws OutboxError if the tables have another version than those of this package. */
export function assertKnown(version: number, where: string): void {
  if (version === SCHEMA_VERSION) return;
  const problem = `${where} has version ${version}, and this version of sales-order-intake knows ${SCHEMA_VERSION}`;
  const advice =
    version > SCHEMA_VERSION
      ? 'update the package in this process'
      : 'deliver its orders with the package that made it, then begin another one';
  throw new OutboxError('unsupported', `${problem}: ${advice}`);
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
