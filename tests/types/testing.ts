// A user's program with the test service (tests/types/compile.test.mjs). It is never run.
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

// @ts-expect-error there is no such option
createTestService({ url: 'https://intake.test' });
// @ts-expect-error a registry has integrators and tokens too
createTestService({ registry: { companies: [] } });
// @ts-expect-error the tax pricing is Exclusive, Inclusive or null
createTestService({ registry: { ...registry, companies: [{ id: 1, locations: [{ id: 2, taxPricing: 'Both' }] }] } });

const { baseUrl, token, fetch, failNext, orders, handlers, reset } = service;
createClient({ baseUrl, token, fetch });
createClient(service.clientOptions);
createClient({ ...service.clientOptions, retry: { baseMs: 0 } });
const fault: Fault = 'latency=100';
failNext('429', '500', '503', 'drop', 'drop-after', fault);
failNext(502, '422', 418, 'html', 'html=403', 'redirect');
// @ts-expect-error 200 is not the status of an error
failNext(200);
// @ts-expect-error there is no such fault
failNext('teapot');
// @ts-expect-error a latency is in milliseconds
failNext('latency=long');
const stored: StoredOrder | undefined = orders[0];
// @ts-expect-error only the service adds orders
orders.push(stored!);

declare const http: MswHttp<'handler'>;
const handled: 'handler'[] = handlers(http);
// @ts-expect-error the http of Mock Service Worker is needed
handlers();
void [stored?.order.ReceiptNumber, stored?.version === 'v3', handled, reset()];
