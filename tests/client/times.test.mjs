/** Tests how long one order takes: the waits that a service asks for, time-outs, and the total time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platform } from './clock.mjs';
import { answer, stallsBeforeHeaders } from './fault-server.mjs';
import { assertApart, inBrief, MINUTE, play } from './play.mjs';

test('Retry-After in seconds sets the wait, plus up to a second', async () => {
  for (const [status, asked] of [
    [429, '7'],
    // Node leaves the space in the value.
    [503, '7 '],
  ]) {
    const { created, waits, requests } = await play([answer(status, '', { 'Retry-After': asked })]);
    assert.equal(created.attempts, 2);
    assert.deepEqual(waits, [7500]);
    assertApart(requests, 7500);
  }
});

test('Retry-After as a date sets the wait, by the clock of the service', async () => {
  // The clock of the service is a day slow.
  const dayAgo = Date.now() - 86_400_000;
  const headers = { Date: new Date(dayAgo).toUTCString(), 'Retry-After': new Date(dayAgo + 9000).toUTCString() };
  const { created, waits } = await play([answer(429, '', headers)]);
  assert.equal(created.attempts, 2);
  assert.deepEqual(waits, [9500]);
});

test('Retry-After: 0, or a date in the past, still backs off', async () => {
  for (const asked of ['0', new Date(Date.now() - 60_000).toUTCString()]) {
    const { created, waits } = await play([
      answer(429, '', { 'Retry-After': asked }),
      answer(503, '', { 'Retry-After': asked }),
    ]);
    assert.equal(created.attempts, 3);
    assert.deepEqual(waits, [500, 1000]);
  }
});

test('an invalid Retry-After leaves the wait to the backoff', async () => {
  const { waits } = await play([answer(503, '', { 'Retry-After': 'try in 5 minutes: soon' })]);
  assert.deepEqual(waits, [500]);
});

test('a Retry-After beyond the total time fails at once, and the error has the wait', async () => {
  const { error, sent, waits } = await play([answer(429, '', { 'Retry-After': '600' })]);
  assert.equal(sent, 1);
  assert.deepEqual(waits, []);
  assert.deepEqual(inBrief(error), {
    name: 'RateLimitError',
    attempts: 1,
    outcome: 'not-created',
    retryable: true,
    status: 429,
  });
  assert.equal(error.retryAfterMs, 600_000);
  assert.match(error.message, /asks to wait 600 s/);
});

// ---------------------------------------------------------------- time

test('a wait that would exceed the total time is not started: the last error is thrown at once', async () => {
  const startedAt = platform.now();
  const retry = { baseMs: 120_000, capMs: 120_000 };
  const { error, sent } = await play(new Array(9).fill(answer(500)), { totalTimeoutMs: 50_000, maxRetries: 8, retry });
  assert.equal(sent, 1);
  assert.equal(error.name, 'ServerError');
  assert.equal(platform.now(), startedAt);
});

test('the total time ends an attempt before its own time-out', async () => {
  const startedAt = platform.now();
  const { error, sent } = await play([stallsBeforeHeaders], { totalTimeoutMs: 10_000 });
  assert.equal(platform.now() - startedAt, 10_000);
  assert.equal(sent, 1);
  assert.deepEqual(inBrief(error), {
    name: 'TimeoutError',
    attempts: 1,
    outcome: 'unknown',
    retryable: true,
    status: undefined,
  });
});

test('all attempts together may take three minutes', async () => {
  const startedAt = platform.now();
  const { error, sent } = await play(new Array(9).fill(stallsBeforeHeaders));
  assert.deepEqual([error.name, error.outcome, sent], ['TimeoutError', 'unknown', 3]);
  assert.equal(platform.now() - startedAt, 3 * MINUTE);
});

test('maxRetries: 0 means one attempt', async () => {
  const { error, sent } = await play([answer(503)], { maxRetries: 0 });
  assert.equal(sent, 1);
  assert.equal(error.name, 'ServerError');
});
