/**
 * Loaded before an example of the documentation (`node --import`): plays the services that the examples send to, so that
 * they run as they stand. Anything else that they fetch is refused.
 *
 * - `https://intake.example.com` is the test service; its token is `a-token`.
 * - `https://down.example.com` loses every connection after the order has been sent.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The package as the example finds it.
const load = createRequire(join(process.cwd(), 'example.mjs'));
const { createTestService } = load('sales-order-intake/testing');

const originalFetch = globalThis.fetch;
const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];
const service = createTestService({ baseUrl: 'https://intake.example.com' });

globalThis.fetch = async (input, init) => {
  const { protocol, hostname } = new URL(input instanceof Request ? input.url : input);
  if (protocol === 'data:' || protocol === 'file:' || LOCAL.includes(hostname)) return originalFetch(input, init);
  if (hostname === 'down.example.com') throw new TypeError('fetch failed', { cause: new Error('connection lost') });
  if (hostname !== 'intake.example.com') throw new Error(`no example may fetch from ${hostname}`);
  const request = new Request(input, init);
  const isKnown = request.headers.get('Authorization') === 'Bearer a-token';
  request.headers.set('Authorization', `Bearer ${isKnown ? service.token : 'another'}`);
  return service.fetch(request);
};
