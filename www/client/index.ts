/**
 * Sends sales orders by `fetch`, with the same Id and the same bytes on every attempt.
 *
 * Numbers in parentheses, such as (D18) or (§2.1), refer to DECISIONS.md in this package.
 *
 * @module
 */
export { createClient } from './client.js';
export * from './errors.js';
export type * from './options.js';
export type * from './results.js';
export type { AttemptTrace, OrderTrace } from '../../pkg-template/src/platform/tracing-channel.js';
export type { PreparedRequestInput } from '../../pkg-template/src/sending/request.js';
export type { Client } from './types.js';
