// A user's program with the reference service (tests/types/compile.test.mjs). It is never run.
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

const { baseUrl, token, fetch, failNext, orders, handlers, reset } = service;
createClient({ baseUrl, token, fetch });
createClient(service.clientOptions);
createClient({ ...service.clientOptions, retry: { baseMs: 0 } });
const fault: Fault = 'latency=100';
failNext('429', '500', '503', 'drop', 'drop-after', fault);
failNext(502, '422', 418, 'html', 'html=403', 'redirect');
const stored: StoredOrder | undefined = orders[0];

const [seen] = service.requests;
export const shown: [string, string, string | undefined, string | null, number | null] | undefined = seen && [
  seen.method,
  seen.url,
  seen.headers.authorization,
  seen.body,
  seen.status,
];

declare const http: MswHttp<'handler'>;
const handled: 'handler'[] = handlers(http);
void [stored?.order.ReceiptNumber, stored?.version === 'v3', handled, reset()];
