/**
 * What the outbox uses of a client that `createClient` has made, beside its functions. The keys are registered symbols, because a
 * program may load this package in two formats.
 */
import type { Guid, Version } from '../types.js';
import type { OrderRequest } from './request.js';

declare const PACKAGE_VERSION: string;

/** The version of this package, which the build writes. */
export const packageVersion = PACKAGE_VERSION;

/** The version for orders that name none: the outbox prepares orders before it sends them through the client. */
export const clientVersion = Symbol.for('sales-order-intake.client-version');

/** The base URL: the outbox sends the orders of one service (D60). */
export const clientBaseUrl = Symbol.for('sales-order-intake.client-base-url');

/** {@link SendStored}, a member of `createOrder`: a function that a program puts in its place has no such member. */
export const sendStored = Symbol.for('sales-order-intake.send-stored');

/** The parts of a prepared order that are stored until it is sent. */
export type StoredRequest = Pick<OrderRequest, 'version' | 'orderId' | 'path' | 'body' | 'expected'>;

/**
 * Sends an order once, as it was stored: neither checks nor parses it. Does not retry, and neither waits for a pause of the client nor
 * causes one. Otherwise like `createOrder`.
 */
export type SendStored<Created> = (
  request: StoredRequest,
  options: { earlierAttempts: 'none' | 'unknown'; signal: AbortSignal },
) => Promise<Created>;

/** Returns the base URL, with a slash at its end; undefined if the object is not a client that `createClient` has made. */
export function baseUrlOf(client: object): string | undefined {
  return (client as { [clientBaseUrl]?: string })[clientBaseUrl];
}

/** Returns the version for orders that name none; undefined if the object is not a client that `createClient` has made. */
export function versionOf(client: object): Version | undefined {
  return (client as { [clientVersion]?: Version })[clientVersion];
}

/** Returns the function for stored orders; undefined if `createOrder` is not that of a client that `createClient` has made. */
export function sendStoredOf<Created extends { orderId: Guid }>(client: {
  createOrder(...parameters: never[]): Promise<Created>;
}): SendStored<Created> | undefined {
  return (client.createOrder as { [sendStored]?: SendStored<Created> })[sendStored];
}
