/**
 * Loaded before an example of the documentation (`node --import`): `https://intake.example.com`, also with the
 * path `/orders`, is the reference service, and its token is `a-token`, so that the examples run unchanged. Anything else
 * that they fetch is refused.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The package as the example finds it.
const load = createRequire(join(process.cwd(), 'example.mjs'));
const { createTestService } = load('sales-order-intake/testing');

const originalFetch = globalThis.fetch;
/** Nothing is reached under `.test`; Mock Service Worker responds there, below fetch. */
const HARMLESS = /^(127\.0\.0\.1|localhost|\[::1\]|.*\.test)$/;
const service = createTestService({ baseUrl: 'https://intake.example.com' });

globalThis.fetch = async (input, init) => {
  const { protocol, hostname } = new URL(input instanceof Request ? input.url : input);
  if (protocol === 'data:' || protocol === 'file:' || HARMLESS.test(hostname)) return originalFetch(input, init);
  if (hostname !== 'intake.example.com') throw new Error(`no example may fetch from ${hostname}`);
  const request = new Request(input instanceof Request ? input : String(input).replace('.com/orders/', '.com/'), init);
  const isKnown = request.headers.get('Authorization') === 'Bearer a-token';
  request.headers.set('Authorization', `Bearer ${isKnown ? service.token : 'another'}`);
  return service.fetch(request);
};
