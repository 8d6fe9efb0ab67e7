/** relay: senders, and a receiver of notifications, that take too long. The limits of senders are those of the reference service. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { NEVER, NOBODY, until } from '../../program.mjs';
import { logOf, put, PUT, relayed } from '../relays.mjs';
import { notifying, receiverOf } from '../webhooks.mjs';

describe('slow requests end in time', { concurrency: true }, () => {
  for (const [what, begun, seconds] of [
    ['headers', `GET /ready HTTP/1.1\r\nHost: localhost\r\nX-Slow: `, 10],
    [
      'body',
      `PUT ${PUT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      30,
    ],
  ]) {
    test(`a ${what} of one byte a second is 408 after ${seconds} seconds`, async (t) => {
      const relay = await relayed(t, { baseUrl: NOBODY });
      const startedAt = performance.now();
      const text = await new Promise((resolve) => {
        const socket = connect(Number(new URL(relay.url).port), '127.0.0.1', () => socket.write(String(begun)));
        const timer = setInterval(() => socket.write('x'), 1000);
        let shown = '';
        socket.on('data', (data) => {
          shown += data;
        });
        socket.on('error', () => {});
        socket.on('close', () => {
          clearInterval(timer);
          resolve(shown);
        });
      });
      assert.match(text, /^HTTP\/1\.1 408 /);
      assert.match(text, /urn:sales-order-intake:problem:slow-request/);
      assert.ok(performance.now() - startedAt >= Number(seconds) * 1000 - 500);
    });
  }

  test('a notification without a response has failed after 15 seconds', async (t) => {
    const { url } = await receiverOf(t, () => NEVER);
    const { relay } = await notifying(t, url);
    await put(relay);
    await until(() => logOf(relay.child, 'notify').length > 0, 'the failure');
    const [{ status, failure }] = logOf(relay.child, 'notify');
    assert.deepEqual([status, failure], [null, 'no response within 15 s']);
  });
});
