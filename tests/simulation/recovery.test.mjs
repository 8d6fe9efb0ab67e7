/** Recovery after outages, on memory and SQLite; that the check finds pauses which are too long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, LATENCY_MS, MINUTE, RETRY, recovers, recovery } from './recovery.mjs';
import { system } from './sources.mjs';

recovers('memory', { waiting: 1000, longest: 6 * HOUR, lengths: [3000, 5 * MINUTE, 2 * HOUR] });
recovers('sqlite', { waiting: 10_000, longest: 6 * HOUR, lengths: [3000, 5 * MINUTE] });

test('the check finds pauses that grow beyond capMs', async () => {
  const plant = {
    file: 'pkg-template/src/sending/gate.ts',
    from: 'Math.min(capMs, baseMs * 2 ** doublings)',
    to: 'baseMs * 2 ** doublings',
  };
  const { afterMs } = await recovery(
    { store: 'memory', mode: 'unreachable', ms: 3 * HOUR, waiting: 60 },
    system([plant]),
  );
  assert.ok(afterMs > RETRY.capMs + LATENCY_MS, `${afterMs} ms`);
});
