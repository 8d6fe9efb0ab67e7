/** New order ids. Imports nothing of the core, so that a page that only makes ids does not load it. */
import type { Guid } from './types.js';

/**
 * Returns a new order Id: a GUID of version 4 from the platform's secure random source (D2). Make it once, before the first
 * attempt to send, and store it with the order: by its Id, the service can recognise a retry.
 *
 * @throws Error if the platform has no secure random source (`crypto.getRandomValues`).
 *
 * @example
 * ```js
 * import { newOrderId, parseGuid } from 'sales-order-intake';
 *
 * const id = newOrderId();
 * console.log(parseGuid(id) === id); // true
 * ```
 */
export function newOrderId(): Guid {
  const { crypto } = globalThis;
  // Pages without https have no randomUUID.
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID();
  const bytes = randomBytes(crypto);
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? 0x40 | (byte & 0x0f) : index === 8 ? 0x80 | (byte & 0x3f) : byte;
    return value.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function randomBytes(crypto: Crypto | undefined): Uint8Array {
  try {
    return (crypto as Crypto).getRandomValues(new Uint8Array(16));
  } catch (cause) {
    throw new Error('this platform has no secure random source (crypto.getRandomValues) for an order Id', { cause });
  }
}
