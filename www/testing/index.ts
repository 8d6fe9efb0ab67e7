export { createTestService } from './service.js';
export type { Fault } from './fault.js';
export type { MswHttp } from './msw.js';
export type { TestIntegrator, TestLocation, TestRegistry } from './registry.js';
export type { SeenRequest } from './seen-request.js';
export type { TestService, TestServiceOptions } from './service.js';
export type { StoredOrder } from './store.js';
