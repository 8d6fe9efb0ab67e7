/** Mistakes in programs that use sales-order-intake/testing. mistakes.test.mjs says how they are written. */
import { createTestService, type StoredOrder, type TestService } from 'sales-order-intake/testing';

// Argument of type '"teapot"' is not assignable to parameter of type 'Fault'.
export const faultUnknown = ({ failNext }: TestService) => failNext('teapot');

// Expected 1 arguments, but got 0.
export const handlersWithoutHttp = (service: TestService) => service.handlers();

// Argument of type '"latency=long"' is not assignable to parameter of type 'Fault'.
export const latencyWithoutNumber = ({ failNext }: TestService) => failNext('latency=long');

// 'url' does not exist in type 'TestServiceOptions'.
export function optionUnknown() {
  createTestService({ url: 'https://intake.test' });
}

// Property 'push' does not exist on type 'readonly StoredOrder[]'.
export const ordersPushed = ({ orders }: TestService, order: StoredOrder) => orders.push(order);

// Type '{ companies: never[]; }' is missing the following properties from type 'TestRegistry': integrators, tokens
export function registryIncomplete() {
  createTestService({ registry: { companies: [] } });
}

// Cannot assign to 'status' because it is a read-only property.
export function requestChanged({ requests }: TestService): void {
  for (const request of requests) request.status = 200;
}

// Argument of type '600' is not assignable to parameter of type 'Fault'.
export const statusAbove599 = ({ failNext }: TestService) => failNext(600);

// Argument of type '200' is not assignable to parameter of type 'Fault'.
export const statusOfSuccess = ({ failNext }: TestService) => failNext(200);

// Type '"Both"' is not assignable to type '"Exclusive" | "Inclusive" | undefined'.
export function taxPricingUnknown() {
  createTestService({
    registry: { companies: [{ id: 1, locations: [{ id: 2, taxPricing: 'Both' }] }], integrators: [], tokens: [] },
  });
}

// 'tokn' does not exist in type 'TestServiceOptions'. Did you mean to write 'token'?
export function tokenMisspelt() {
  createTestService({ tokn: 'x' });
}
