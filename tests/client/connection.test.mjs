/** Tests connections that fail, with real servers: what is certain about the order, and what people read (D31). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { listen } from '../../scripts/ports.mjs';
import { projects } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';
import { client } from './clients.mjs';
import { checkConnections } from './connection-cases.mjs';

test('a connection that fails before the request is sent is not-created, one that fails later unknown; both say why', async () => {
  const program = readFileSync(new URL('../everywhere/programs/connections.mjs', import.meta.url), 'utf8');
  await checkConnections([process.execPath, '--input-type=module', '--eval', program], projects().esmProject);
});

test('an empty 201 without headers counts as complete where the platform may hide them, and from a fetch of your own', async (t) => {
  const server = createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 201 Created\r\n\r\n')));
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  t.after(() => server.close());
  const statusOf = (options) =>
    client
      .createClient({ baseUrl, token: 'a-token', maxRetries: 0, ...options })
      .createOrder(minimalOrder())
      .then(
        ({ status }) => status,
        ({ name }) => name,
      );
  assert.equal(await statusOf({}), 'UnexpectedResponseError');
  assert.equal(await statusOf({ fetch: async () => new Response(null, { status: 201 }) }), 201);
  for (const global of ['document', 'EdgeRuntime']) {
    globalThis[global] = 'of this test';
    assert.equal(await statusOf({}), 201, global);
    delete globalThis[global];
  }
});

test('a response that is not HTTP is the reason of the failure, whatever the version of Node', async (t) => {
  const server = createServer((socket) => socket.once('data', () => socket.end('not HTTP\r\n\r\n')));
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  t.after(() => server.close());
  const sending = client.createClient({ baseUrl, token: 'a-token', maxRetries: 0 }).createOrder(minimalOrder());
  await assert.rejects(sending, { outcome: 'unknown', failure: /^the response is not HTTP/ });
});
