/** The checker finds every kind of wrong history, and nothing in a right one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check } from './checker.mjs';

const orderId = '00000000-0000-4000-8000-000000000001';
const P = { process: '0.1' };
const RIGHT = {
  added: { what: 'added', ...P, orderId, body: 'A', state: 'waiting' },
  attempt: { what: 'attempt', ...P, orderId, location: 1 },
  request: { what: 'request', ...P, orderId, body: 'A', number: 1 },
  stored: { what: 'stored', orderId, body: 'A', number: 1 },
  response: { what: 'response', ...P, orderId, number: 1, status: 201 },
  result: { what: 'result', ...P, orderId, state: 'created', outcome: 'created' },
  handed: { what: 'handed', ...P, orderId, state: 'created', outcome: 'created', alreadyThere: false },
};
const ENTRY = { orderId, state: 'created', outcome: 'created', noticeAt: null };

/** Returns the problems of a history: events without a time happen 10 ms after those before them. */
function problemsOf(events, { entries = [ENTRY], plan = {}, order = {}, others = /** @type {number[]} */ ([]) } = {}) {
  let at = 0;
  const history = events.map((event) => {
    at = event.at ?? at + 10;
    return { ...event, at };
  });
  const ids = [orderId, ...others.map((n) => orderId.slice(0, -1) + n)];
  const orders = ids.map((id) => ({ orderId: id, isThere: 'no', ...order }));
  const found = check({
    plan: { handler: 'returns', concurrency: 4, retry: { baseMs: 100, capMs: 5000 }, ...plan },
    orders,
    history,
    entries,
  });
  return found.map(({ problem }) => problem).join('\n');
}

/** Returns the right history with some of its events changed, or left out (null). */
function changed(changes) {
  return Object.entries({ ...RIGHT, ...changes }).flatMap(([, event]) => event ?? []);
}

const refused = { state: 'refused', outcome: 'not-created' };
const refusal = { what: 'refused', orderId, number: 1 };
const REFUSED = changed({
  stored: refusal,
  response: { ...RIGHT.response, status: 422 },
  result: { ...RIGHT.result, ...refused },
  handed: { ...RIGHT.handed, ...refused },
});

/**
 * A history with suspect responses to an order at these times, and the creation of another one before each but the
 * first.
 */
function suspects(times, hasCreations = true) {
  const another = { ...P, what: 'response', orderId: `${orderId.slice(0, -1)}2`, number: 99, status: 201 };
  const { added, attempt, request, response, result, handed } = RIGHT;
  const responses = times.flatMap((at, index) => [
    ...(hasCreations && index > 0 ? [{ ...another, at: at - 1 }] : []),
    ...[attempt, { ...request, number: 2 + index }].map((event) => ({ ...event, at })),
    { ...response, number: 2 + index, status: 404, at },
  ]);
  return [added, ...responses, { ...result, ...refused }, { ...handed, ...refused }];
}
const UNKNOWN = { state: 'waiting', outcome: 'unknown' };

/** A history of an order that is stored, and then gets a 409 at these times. */
function conflicts(times) {
  const { added, attempt, request, stored, handed } = RIGHT;
  const again = times.flatMap((at, index) => [
    ...[attempt, { ...request, number: 2 + index }].map((event) => ({ ...event, at })),
    { ...RIGHT.response, number: 2 + index, status: 409, at },
  ]);
  const stalled = { ...handed, state: 'stalled', outcome: 'unknown', reason: 'ConflictError' };
  return [added, attempt, request, stored, ...again, stalled];
}

const SUSPECT = { plan: { suspectMs: 600_000 }, entries: [{ ...ENTRY, ...refused }], others: [2] };

describe('the checker of histories', () => {
  test('finds nothing wrong with an order that is created, or refused by the service', () => {
    assert.equal(problemsOf(changed({})), '');
    assert.equal(problemsOf(REFUSED, { entries: [{ ...ENTRY, ...refused }] }), '');
  });

  test('finds nothing wrong with an order that is refused after five suspect responses in ten minutes', () => {
    assert.equal(problemsOf(suspects([1e5, 2e5, 3e5, 4e5, 7e5]), SUSPECT), '');
  });

  test('finds nothing wrong with another result after a call of retryAll that began before the first result', () => {
    const again = [RIGHT.attempt, { ...RIGHT.request, number: 2 }, { ...RIGHT.stored, number: 2 }];
    const end = [{ ...RIGHT.response, number: 2 }, RIGHT.result, RIGHT.handed];
    const retryAll = { what: 'retryAll', ...P, orderId };
    const retried = { what: 'retried', ...P, orderId, count: 1 };
    const [handed, ...first] = REFUSED.toReversed();
    assert.equal(problemsOf([...first.toReversed(), retryAll, handed, retried, ...again, ...end]), '');
    assert.match(
      problemsOf([...first.toReversed(), retryAll, retried, handed, ...again, ...end]),
      /handed over as refused, and then as created/,
    );
  });

  test('finds nothing wrong with one attempt a minute during a long pause', () => {
    const again = [61_000, 121_000, 182_000].map((at) => ({ ...RIGHT.attempt, at }));
    const paused = changed({ response: { ...RIGHT.response, asked: { ms: 600_000 } } });
    assert.equal(problemsOf([...paused, ...again]), '');
  });

  test('finds nothing wrong with an order that is stalled after ten minutes of 409', () => {
    const entries = [{ ...ENTRY, state: 'stalled', outcome: 'unknown' }];
    assert.equal(problemsOf(conflicts([1000, 300_000, 601_000]), { entries }), '');
  });

  const wrong = {
    'an order that is created, and the service never stored it': [changed({ stored: null }), /never stored it/],
    'an order that is not created, and the service stored it': [
      [...REFUSED.slice(0, 3), RIGHT.stored, ...REFUSED.slice(3)],
      /outcome not-created, and the service stored it/,
      { entries: [{ ...ENTRY, ...refused }] },
    ],
    'an order that is not created, and is stored later by a request that was on its way': [
      [...REFUSED, RIGHT.stored],
      /outcome not-created, and the service stored it/,
      { entries: [{ ...ENTRY, ...refused }] },
    ],
    'an Id that nobody has made': [
      changed({ request: { ...RIGHT.request, orderId: `${orderId.slice(0, -1)}9` } }),
      /nobody has added/,
    ],
    'other bytes than those of the order': [changed({ request: { ...RIGHT.request, body: 'B' } }), /other bytes/],
    'two contents under one Id': [
      [...changed({}), { what: 'replace', orderId, body: 'B' }, { ...RIGHT.stored, body: 'B' }],
      /different contents/,
    ],
    'a page that settles an order': [
      REFUSED.filter(({ what }) => what !== 'refused').map((event) =>
        event.what === 'response' ? { ...event, status: 403 } : event,
      ),
      /has not refused it \(D51\)/,
      { entries: [{ ...ENTRY, ...refused }] },
    ],
    'a 404 in JSON that settles an order before anything proves the way': [
      REFUSED.map((event) => (event.what === 'response' ? { ...event, status: 404 } : event)),
      /has not refused it \(D51\)/,
      { entries: [{ ...ENTRY, ...refused }] },
    ],
    'an order that four suspect responses settle': [
      suspects([1e5, 2e5, 3e5, 7e5]),
      /has not refused it \(D51\)/,
      SUSPECT,
    ],
    'an order that five suspect responses in nine minutes settle': [
      suspects([1e5, 2e5, 3e5, 4e5, 6.4e5]),
      /has not refused it \(D51\)/,
      SUSPECT,
    ],
    'an order that suspect responses settle without a creation between them': [
      suspects([1e5, 2e5, 3e5, 4e5, 7e5], false),
      /has not refused it \(D51\)/,
      SUSPECT,
    ],
    'an order that is stalled because of a redirect that came once': [
      changed({
        stored: null,
        response: { ...RIGHT.response, status: 302 },
        result: null,
        handed: { ...RIGHT.handed, state: 'stalled', outcome: 'unknown', reason: 'UnexpectedResponseError' },
      }),
      /is stalled, and the service has not refused it \(D51\)/,
      { plan: { suspectMs: 600_000 }, entries: [{ ...ENTRY, state: 'stalled', outcome: 'unknown' }] },
    ],
    'an order that is stalled without a reason': [
      changed({
        result: null,
        handed: { ...RIGHT.handed, state: 'stalled', outcome: 'not-created', reason: 'TimeoutError' },
      }),
      /is stalled because of TimeoutError/,
    ],
    'an order that was already there, and nobody sent it before': [
      changed({ handed: { ...RIGHT.handed, alreadyThere: true } }),
      /already there/,
    ],
    'a result that is taken back': [
      [...changed({}), { ...RIGHT.handed, state: 'stalled', outcome: 'unknown', reason: 'ConflictError' }],
      /handed over as created, and then as stalled/,
    ],
    'an order that is sent after it was cancelled': [
      [RIGHT.added, { what: 'cancel done', ...P, orderId, outcome: 'not-created' }, RIGHT.attempt, RIGHT.request],
      /was sent after it had been cancelled/,
      { entries: [{ ...ENTRY, state: 'cancelled', outcome: 'not-created' }] },
    ],
    'an accepted order that is lost': [changed({}), /is lost/, { entries: [] }],
    'an order that waits for ever': [
      changed({ result: null, handed: null }),
      /is waiting for ever/,
      { entries: [{ ...ENTRY, state: 'waiting', outcome: 'unknown' }] },
    ],
    'a result that the handler is never told': [changed({ handed: null }), /never handed over/],
    'an order of a transaction that was rolled back': [
      [{ what: 'rolled back', ...P, orderId }, RIGHT.attempt, RIGHT.request],
      /rolled back/,
      { entries: [] },
    ],
    'a wait that takes longer than its time-out': [
      [RIGHT.added, { what: 'settled?', ...P, orderId }, { what: 'settled', ...P, orderId, at: 9000, state: null }],
      /time-out of 2,000 ms took/,
    ],
    'a call that throws what it should not': [
      [...changed({}), { what: 'threw', ...P, error: 'TypeError' }],
      /threw what it should not/,
    ],
    'an outbox that is never quiet': [[...changed({}), { what: 'busy', events: 9 }], /more than 9 events/],
    'a call that never returns': [[...changed({}), { what: 'never returned' }], /never returned/],
    'a call that takes longer than its limit': [
      [...changed({}), { what: 'late', ...P, call: 'add', ms: 9 }],
      /add has not ended within 9 ms/,
    ],
    'a stop that takes longer than its time': [
      [...changed({}), { what: 'stops', ...P, at: 1000, timeoutMs: 500 }, { what: 'stopped', ...P, at: 5000 }],
      /a stop with a time-out of 500 ms took 4000 ms/,
    ],
    'a deadline by the clock of a process that is ahead': [
      [
        { what: 'add', ...P, orderId, body: 'A' },
        ...changed({ handed: { ...RIGHT.handed, state: 'stalled', reason: 'Deadline', outcome: 'unknown' } }),
      ],
      /because of its deadline 70 ms after it was added/,
      { plan: { store: 'postgres', deadlineMs: 600_000 } },
    ],
    'an outbox that does not end': [[...changed({}), { what: 'never stopped' }], /did not end/],
    'two calls of the token function at the same time': [
      [{ what: 'token asked', ...P }, { what: 'token asked', ...P }, ...changed({})],
      /token function was called/,
    ],
    'an attempt while the gate is closed': [
      [{ what: 'gate', ...P, scope: 'service', isOpen: false, waitMs: 500 }, ...changed({})],
      /while the gate of service was closed/,
    ],
    'several probes in one pause': [
      [{ what: 'gate', ...P, scope: 'service', isOpen: false, waitMs: 0 }, RIGHT.attempt, ...changed({})],
      /2 attempts had started/,
    ],
    'a stampede after an outage': [
      [
        ...[1, 2, 3, 4].map(() => ({ what: 'gate', ...P, scope: 'service', isOpen: false, waitMs: 0 })),
        { what: 'gate', ...P, scope: 'service', isOpen: true, waitMs: 0 },
        ...Array.from({ length: 8 }, () => RIGHT.attempt),
        ...changed({}),
      ],
      /attempts had started by .* just after an outage/,
    ],
    'an attempt in the pause that the service asked for': [
      [...changed({ response: { ...RIGHT.response, asked: { ms: 1000 } } }), RIGHT.attempt],
      /asked at .* for a pause/,
    ],
    'two attempts in the same minute of a long pause': [
      [
        ...changed({ response: { ...RIGHT.response, asked: { ms: 600_000 } } }),
        { ...RIGHT.attempt, at: 61_000 },
        { ...RIGHT.attempt, at: 119_000 },
      ],
      /an attempt started at 119000 ms, although the service had asked/,
    ],
    'an unknown outcome of an order that was never sent': [
      changed({ request: null, stored: null, response: null, result: { ...RIGHT.result, ...UNKNOWN }, handed: null }),
      /nothing of it was ever sent/,
      { entries: [{ ...ENTRY, ...UNKNOWN }] },
    ],
    'attempts that were not sent, and count': [
      changed({}),
      /has 2 attempts, and was sent 1 times/,
      { entries: [{ ...ENTRY, attempts: 2 }] },
    ],
    'an order that a 409 stalls before ten minutes are over': [
      conflicts([1000, 300_000, 599_000]),
      /a 409 that was not repeated for ten minutes/,
      { entries: [{ ...ENTRY, state: 'stalled', outcome: 'unknown' }] },
    ],
    'a request of a batch in the pause that the service asked for': [
      [
        ...changed({ attempt: null, response: { ...RIGHT.response, status: 503, asked: { ms: 1000 } } }),
        { ...RIGHT.request, number: 2 },
      ],
      /a request started at/,
    ],
  };
  for (const [what, [events, found, setting]] of Object.entries(wrong)) {
    test(`finds ${what}`, () => {
      assert.match(
        problemsOf(/** @type {any[]} */ (events), /** @type {any} */ (setting)),
        /** @type {RegExp} */ (found),
      );
    });
  }
});
