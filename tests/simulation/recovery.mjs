/**
 * However long an outage was, and however many orders wait: the first one is at the service within `capMs` of its return.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { system } from './sources.mjs';
import { simulateOutbox } from './worlds/outbox.mjs';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** The defaults of an outbox. */
export const RETRY = { baseMs: 1000, capMs: 20_000 };
/** A request and its response take so long; and if probes hang, another one starts after 5 × baseMs. */
export const LATENCY_MS = 1000;
const HANGING_MS = 5 * RETRY.baseMs;
const loaded = system();

/** Returns how long after the end of the outage the first order is `created`, and how many were waiting then. */
export async function recovery({ store, mode, ms, waiting }, sources = loaded) {
  const outage = { fromMs: 0, ms, location: null, mode, retryAfterS: 0, share: 1 };
  const order = { nature: 'good', isThere: 'no', via: 'add', changes: [], atMs: 500, location: 1 };
  const plan = {
    ...{ seed: 7, store, workers: 1, concurrency: 16, retry: RETRY, timeoutMs: MINUTE, suspectMs: 20_000 },
    ...{ hasReplays: true, hasEmptyBodies: false, deadlineMs: 72 * HOUR, handler: 'none', burst: waiting },
    ...{ orders: [order], outages: [outage], clocks: [{ byMs: 0, driftMs: 0 }] },
    ...{ ends: [], rotations: [], restores: [], tokenSilences: [], headerFailures: [] },
    ...{ troubles: [], silences: [] },
    // Nothing happens for a while after the outage that could wake the outbox.
    jumps: [{ worker: 0, atMs: ms + 5 * MINUTE, byMs: 0 }],
  };
  const { history } = await simulateOutbox(plan, await sources);
  // The service may have stored it during the outage, and said something else.
  const created = history.find(({ what, state, at }) => what === 'result' && state === 'created' && at >= ms);
  const added = history.filter(({ what, at }) => what === 'added' && at < ms).length;
  return { afterMs: (created?.at ?? Number.POSITIVE_INFINITY) - ms, added };
}

/**
 * Tests a store with this many orders waiting after a long outage, and with few after others of these lengths.
 *
 * @param {'memory' | 'sqlite' | 'postgres'} store
 * @param {{ waiting: number, longest: number, lengths: number[] }} load
 */
export function recovers(store, { waiting, longest, lengths }) {
  describe(`the first order is delivered within capMs of the service's return, on ${store}`, () => {
    test(`after ${longest / MINUTE} minutes without a connection, with ${waiting} waiting`, async () => {
      const { afterMs, added } = await recovery({ store, mode: 'unreachable', ms: longest, waiting });
      assert.ok(afterMs <= RETRY.capMs + LATENCY_MS, `${afterMs} ms`);
      assert.equal(added, waiting + 1);
    });

    for (const mode of ['reset', 'silent', 'page 200', 'json 404', 'redirect', 'status 500', 'status 503']) {
      for (const ms of lengths) {
        test(`${mode}, for ${ms / 1000} seconds`, async () => {
          const { afterMs } = await recovery({ store, mode, ms, waiting: 60 });
          const mostMs = RETRY.capMs + (mode === 'silent' ? HANGING_MS : LATENCY_MS);
          assert.ok(afterMs <= mostMs, `${afterMs} ms`);
        });
      }
    }
  });
}
