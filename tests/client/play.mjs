/** Sends an order to a service that plays a script of faults, and returns what happened. */
import assert from 'node:assert/strict';
import { minimalOrder } from '../node/orders.mjs';
import { clientOf, ORDER_ID } from './clients.mjs';
import { startFaultServer } from './fault-server.mjs';

export const MINUTE = 60_000;
/** The waits in milliseconds, with jitter in the middle of its range. */
export const BACKOFFS = [500, 1000, 2000];

/** Sends one order to a service that plays a script; returns the result or the error, the waits and the requests. */
export async function play(script, options) {
  const server = await startFaultServer(...script);
  const waits = [];
  const hooks = { onRetry: ({ waitMs }) => waits.push(waitMs) };
  const outcome = await clientOf(server.baseUrl, { hooks, ...options })
    .createOrder(minimalOrder())
    .then(
      (created) => ({ created }),
      (error) => ({ error }),
    );
  checkRequests(server.requests);
  return {
    ...outcome,
    waits,
    sent: server.requests.length,
    requests: server.requests,
    stored: server.orders.get(ORDER_ID)?.creations ?? 0,
  };
}

/** Checks what every attempt must have, whatever happened before it. */
function checkRequests(requests) {
  for (const { method, url, headers, body } of requests) {
    assert.equal(`${method} ${url}`, `PUT /intake/v3/ServiceOrder(${ORDER_ID})`);
    assert.equal(headers.accept, 'application/json');
    assert.equal(headers['content-type'], 'application/json');
    assert.match(headers.authorization, /^Bearer \S+$/);
    assert.equal(body, requests[0].body);
  }
}

/** Asserts that two requests are `ms` apart. */
export function assertApart([first, second], ms) {
  assert.equal(second.at - first.at, ms);
}

/** Returns the members of an error that say what to do. */
export function inBrief({ name, attempts, outcome, retryable, status }) {
  return { name, attempts, outcome, retryable, status };
}
