/**
 * The reference service as a `fetch`, for tests without a network.
 *
 * Numbers in parentheses, such as (D18) or (§2.1), refer to DECISIONS.md in this package.
 *
 * @module
 */
export { createTestService } from './service.js';
export type { MswHttp } from './msw.js';
export type { SeenRequest } from './seen-request.js';
export type { ErrorStatus, Fault, RequestedFault, TestClientOptions, TestService } from './service.js';
export type { TestIntegrator, TestLocation, TestRegistry, TestServiceOptions } from './settings.js';
export type { StoredOrder } from './store.js';
