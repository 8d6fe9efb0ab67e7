/** Tests the handlers for Mock Service Worker in the two newest major versions, one after the other: each replaces fetch. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as msw3 from 'msw';
import * as msw2 from 'msw-2';
import * as node2 from 'msw-2/node';
import * as node3 from 'msw/node';
import { installed } from '../node/installed.mjs';
import { behavesAsTheService } from './behaviour.mjs';
import { newId, order } from './harbour.mjs';
import { behindMsw } from './targets.mjs';

const { client, testing } = await installed();
/** @type {Record<string, any>} */
const versions = {
  3: { ...msw3, ...node3, strict: { onUnhandledFrame: 'error' } },
  2: { ...msw2, ...node2, strict: { onUnhandledRequest: 'error' } },
};

for (const [version, { http, HttpResponse, setupServer, strict }] of Object.entries(versions)) {
  describe(`Mock Service Worker ${version}`, () => {
    const server = setupServer();
    before(() => server.listen(strict));
    after(() => server.close());

    behavesAsTheService('The reference service behind it', (options) => behindMsw({ http, server }, options));

    test('its handlers respond to the global fetch, and do not affect other handlers', async () => {
      const service = testing.createTestService();
      const elsewhere = http.get('https://elsewhere.test/', () => HttpResponse.text('elsewhere'));
      server.use(...service.handlers(http), elsewhere);
      service.failNext('drop', '429');
      const { baseUrl, token } = service;
      const sender = client.createClient({ baseUrl, token, retry: { baseMs: 0, capMs: 0 } });
      const { status, attempts } = await sender.createOrder(order(newId()));
      assert.deepEqual([status, attempts, service.orders.length], [201, 3, 1]);
      assert.equal(await (await fetch('https://elsewhere.test/')).text(), 'elsewhere');
    });
  });
}
