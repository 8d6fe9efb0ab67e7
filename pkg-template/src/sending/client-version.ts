import type { Version } from '../types.js';

/**
 * The key of a client's version, for the outbox, which prepares orders before it sends them through the client. A
 * registered symbol, because a program may load this package in two formats.
 */
export const clientVersion = Symbol.for('sales-order-intake.client-version');

/** The key of a client's base URL, for the outbox, which sends the orders of one service (D60). */
export const clientBaseUrl = Symbol.for('sales-order-intake.client-base-url');

/** Returns the base URL, with a slash at its end; undefined if the object is not a client that `createClient` has made. */
export function baseUrlOf(client: object): string | undefined {
  return (client as { [clientBaseUrl]?: string })[clientBaseUrl];
}

/** Returns the version for orders that name none; undefined if the object is not a client that `createClient` has made. */
export function versionOf(client: object): Version | undefined {
  return (client as { [clientVersion]?: Version })[clientVersion];
}
