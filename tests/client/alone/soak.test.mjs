import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from './soak.mjs';

test('500 orders with faults on 30 % of the attempts: stored exactly once each, and never reported wrongly', {
  timeout: 600_000,
}, async () => {
  const { mistakes, faults, requests, failures } = await soak({ orders: 500, concurrency: 32 });
  assert.deepEqual(mistakes, []);
  assert.ok(faults > requests * 0.2);
  // Without failures, their reports would be untested.
  assert.ok(Object.keys(failures).length >= 3);
});
