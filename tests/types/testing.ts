// A user's program with the test service (tests/types/compile.test.mjs). It is never run. The comments quote what the newest
// TypeScript says.
import { createClient } from 'sales-order-intake/client';
import {
  createTestService,
  type Fault,
  type MswHttp,
  type StoredOrder,
  type TestRegistry,
  type TestService,
  type TestServiceOptions,
} from 'sales-order-intake/testing';

const registry: TestRegistry = {
  companies: [{ id: 1, locations: [{ id: 2, taxPricing: 'Exclusive', inventoryHold: true }, { id: 3 }] }],
  integrators: [{ id: 'x', name: 'Storefront', records: 'passthrough' }],
  tokens: [{ token: 'x', companies: [1], integrators: ['x'] }],
};
const options: TestServiceOptions = { baseUrl: 'https://intake.test', registry, maxBodyBytes: 1000 };
const service: TestService = createTestService(options);
createTestService();
const fixed = {
  companies: [{ id: 1, locations: [{ id: 2, taxPricing: undefined }] }],
  integrators: [{ id: 'x', name: 'Storefront', records: undefined, allowEmptyTaxes: undefined }],
  tokens: [{ token: 'x', companies: [1], integrators: ['x'] }],
} as const;
createTestService({ registry: fixed, token: undefined });

// @ts-expect-error -- 'url' does not exist in type 'TestServiceOptions'.
createTestService({ url: 'https://intake.test' });
// @ts-expect-error -- Type '{ companies: never[]; }' is missing the following properties from type 'TestRegistry': integrators, tokens
createTestService({ registry: { companies: [] } });
// @ts-expect-error -- Type '"Both"' is not assignable to type '"Exclusive" | "Inclusive" | undefined'.
createTestService({ registry: { ...registry, companies: [{ id: 1, locations: [{ id: 2, taxPricing: 'Both' }] }] } });

const { baseUrl, token, fetch, failNext, orders, handlers, reset } = service;
createClient({ baseUrl, token, fetch });
createClient(service.clientOptions);
createClient({ ...service.clientOptions, retry: { baseMs: 0 } });
const fault: Fault = 'latency=100';
failNext('429', '500', '503', 'drop', 'drop-after', fault);
failNext(502, '422', 418, 'html', 'html=403', 'redirect');
// @ts-expect-error -- Argument of type '200' is not assignable to parameter of type 'Fault'.
failNext(200);
// @ts-expect-error -- Argument of type '"teapot"' is not assignable to parameter of type 'Fault'.
failNext('teapot');
// @ts-expect-error -- Argument of type '"latency=long"' is not assignable to parameter of type 'Fault'.
failNext('latency=long');
const stored: StoredOrder | undefined = orders[0];
// @ts-expect-error -- Property 'push' does not exist on type 'readonly StoredOrder[]'.
orders.push(stored!);

const [seen] = service.requests;
export const shown: [string, string, string | undefined, string | null, number | null] | undefined = seen && [
  seen.method,
  seen.url,
  seen.headers.authorization,
  seen.body,
  seen.status,
];
// @ts-expect-error -- Cannot assign to 'status' because it is a read-only property.
seen!.status = 200;

declare const http: MswHttp<'handler'>;
const handled: 'handler'[] = handlers(http);
// @ts-expect-error -- Expected 1 arguments, but got 0.
handlers();
void [stored?.order.ReceiptNumber, stored?.version === 'v3', handled, reset()];
