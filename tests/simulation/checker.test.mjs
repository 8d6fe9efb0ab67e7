/** The checker finds the kinds of wrong history that no planted bug makes, and nothing in a right one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check } from './checker.mjs';
import { PERSON } from './past.mjs';
import { dateOf } from './simulator/time.mjs';

const orderId = '00000000-0000-4000-8000-000000000001';
const P = { process: '0.1' };
const RIGHT = {
  added: { what: 'added', ...P, orderId, body: 'A', state: 'waiting' },
  attempt: { what: 'attempt', ...P, orderId, location: 1 },
  request: { what: 'request', ...P, orderId, body: 'A', number: 1 },
  stored: { what: 'stored', orderId, body: 'A', number: 1 },
  response: { what: 'response', ...P, orderId, number: 1, status: 201 },
  result: { what: 'result', ...P, orderId, state: 'created', outcome: 'created', status: 201, startedAt: 0 },
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

/** What the outbox says happened to the order of `RIGHT`. */
const PAST = {
  added: { what: 'added' },
  attempt: { what: 'attempt', at: new Date(dateOf(0)), status: 201, outcome: 'created', durationMs: 5 },
  settled: { what: 'settled', outcome: 'created' },
};

describe('the checker of histories', () => {
  test('finds nothing wrong with an order that is created, or refused by the service', () => {
    assert.equal(problemsOf(changed({}), { entries: [{ ...ENTRY, reason: null, past: Object.values(PAST) }] }), '');
    assert.equal(problemsOf(REFUSED, { entries: [{ ...ENTRY, ...refused }] }), '');
  });

  test('finds nothing wrong with an order that is refused after five suspect responses in ten minutes', () => {
    assert.equal(problemsOf(suspects([1e5, 2e5, 3e5, 4e5, 7e5]), SUSPECT), '');
  });

  test('finds nothing wrong with another result after a call that began before the first result', () => {
    const again = [RIGHT.attempt, { ...RIGHT.request, number: 2 }, { ...RIGHT.stored, number: 2 }];
    const end = [{ ...RIGHT.response, number: 2 }, RIGHT.result, RIGHT.handed];
    const [handed, ...first] = REFUSED.toReversed();
    for (const [call, returned] of [
      ['retryAll', 'retried'],
      ['replace', 'replaced'],
      ['retry', 'retry done'],
    ]) {
      const [asked, done] = [call, returned].map((what) => ({ what, ...P, orderId, body: 'A', count: 1 }));
      assert.equal(problemsOf([...first.toReversed(), asked, handed, done, ...again, ...end]), '');
      assert.match(
        problemsOf([...first.toReversed(), asked, done, handed, ...again, ...end]),
        /handed over as refused, and then as created/,
      );
    }
  });

  test('finds nothing wrong with an order that is replaced while it is cancelled', () => {
    const calls = ['replace', 'cancel', 'cancel done', 'replaced'].map((what) => ({ what, ...P, orderId, body: 'A' }));
    const { added, ...sent } = RIGHT;
    assert.equal(problemsOf([added, ...calls, ...Object.values(sent)]), '');
    const [replace, cancel, done, replaced] = calls;
    assert.match(
      problemsOf([added, replace, replaced, cancel, done, ...Object.values(sent)]),
      /was sent after it had been cancelled/,
    );
  });

  test('finds nothing wrong with a result that is reported after the next attempt has started', () => {
    const { added, attempt, ...next } = RIGHT;
    const early = { ...RIGHT.result, at: 30, startedAt: 20, state: 'waiting', outcome: 'not-created' };
    const late = { ...early, at: 40, startedAt: 30 };
    const before = [added, { ...attempt, at: 20 }, { ...attempt, at: 30 }];
    assert.equal(problemsOf([...before, { ...next.request, at: 30 }, early, ...Object.values(next).slice(1)]), '');
    assert.match(
      problemsOf([...before, { ...next.request, at: 30 }, late, ...Object.values(next).slice(1)]),
      /outcome not-created, and the service stored it/,
    );
  });

  test('finds nothing wrong with a history that was deleted with a result that is reported later', () => {
    const call = { what: 'forget', ...P, orderId };
    const done = { ...call, what: 'forget done' };
    const { result, handed, ...first } = RIGHT;
    const entries = [{ ...ENTRY, reason: null, past: [PAST.added, { what: 'forget', by: PERSON }] }];
    const before = Object.values(first);
    assert.equal(problemsOf([...before, call, done, result, handed], { entries }), '');
    assert.equal(problemsOf([...before, call, result, done, handed], { entries }), '');
    const late = { ...result, startedAt: 80 };
    assert.match(problemsOf([...before, call, done, late, handed], { entries }), /lacks {"what":"attempt"/);
  });

  test('finds nothing wrong with one attempt a minute during a long pause', () => {
    const again = [61_000, 121_000, 182_000].map((at) => ({ ...RIGHT.attempt, at }));
    const paused = changed({ response: { ...RIGHT.response, asked: { ms: 600_000 } } });
    assert.equal(problemsOf([...paused, ...again]), '');
  });

  test('finds nothing wrong with orders of a batch that wait for a token when a pause begins', () => {
    const { added, request, stored, response, result, handed } = RIGHT;
    const asked = [
      { ...request, number: 2 },
      { ...response, number: 2, status: 429, asked: { ms: 60_000 } },
    ];
    const token = ['token asked', 'token given'].map((what) => ({ what, ...P }));
    const rest = [stored, response, result, handed];
    const on = { plan: { concurrency: 1 } };
    assert.equal(problemsOf([added, token[0], ...asked, token[1], { ...request, at: 50 }, ...rest], on), '');
    for (const late of [
      [token[0], ...asked, token[1], request],
      [token[0], ...asked, token[1], { ...request, at: 50, number: 3 }, { ...request, at: 50 }],
      [...asked, ...token, { ...request, at: 50 }],
    ])
      assert.match(problemsOf([added, ...late, ...rest], on), /a request started at \d+ ms/);
  });

  test('finds nothing wrong with a batch that tries a minute after the first of several requests to pause', () => {
    const { added, request, stored, response, result, handed } = RIGHT;
    const requests = [1, 2, 3].map((number) => ({ ...request, number }));
    const asked = { ...response, status: 503, asked: { ms: 600_000 } };
    const responses = [asked, { ...response, number: 2, status: 409 }, { ...asked, number: 3 }];
    const tried = (at) => [{ ...request, at, number: 4 }, stored, { ...response, number: 4 }, result, handed];
    const before = [added, ...requests, ...responses];
    assert.equal(problemsOf([...before, ...tried(60_050)]), '');
    assert.match(problemsOf([...before, ...tried(60_040)]), /a request started at 60040 ms/);
  });

  test('finds nothing wrong with an order that is stalled after ten minutes of 409', () => {
    const entries = [{ ...ENTRY, state: 'stalled', outcome: 'unknown' }];
    assert.equal(problemsOf(conflicts([1000, 300_000, 601_000]), { entries }), '');
  });

  const wrong = {
    'an order that is not created, and is stored later by a request that was on its way': [
      [...REFUSED, RIGHT.stored],
      /outcome not-created, and the service stored it/,
      { entries: [{ ...ENTRY, ...refused }] },
    ],
    'two contents under one Id': [
      [...changed({}), { what: 'replace', orderId, body: 'B' }, { ...RIGHT.stored, body: 'B' }],
      /different contents/,
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
    'a call that never returns': [[...changed({}), { what: 'never returned' }], /never returned/],
    'an outbox that does not end': [[...changed({}), { what: 'never stopped' }], /did not end/],
    'an attempt while the gate is closed': [
      [{ what: 'gate', ...P, scope: 'service', isOpen: false, waitMs: 500 }, ...changed({})],
      /while the gate of service was closed/,
    ],
    'several probes in one pause': [
      [{ what: 'gate', ...P, scope: 'service', isOpen: false, waitMs: 0 }, RIGHT.attempt, ...changed({})],
      /2 attempts had started/,
    ],
    'a request of a batch in the pause that the service asked for': [
      [
        ...changed({ attempt: null, response: { ...RIGHT.response, status: 503, asked: { ms: 1000 } } }),
        { ...RIGHT.request, number: 2 },
      ],
      /a request started at/,
    ],
  };
  const retried = [
    { what: 'retry', ...P, orderId },
    { what: 'retry done', ...P, orderId },
  ];
  const pasts = {
    'does not begin when': [{ added: null }],
    'has 1 attempts that ended, and 0 were made': [{}, changed({ attempt: null, request: null, result: null })],
    'has the status 503 more often than': [{ attempt: { ...PAST.attempt, status: 503 } }],
    'has an attempt without a result': [{ more: { what: 'attempt', outcome: 'unknown' } }],
    'has a retry that nobody': [{ more: { what: 'retry', by: PERSON } }],
    'does not say who': [{ more: { what: 'retry' } }, [...changed({}), ...retried]],
    'lacks a retry': [{}, [...changed({}), ...retried]],
    'ends with': [{ settled: { what: 'settled', outcome: 'unknown' } }],
    'has 0 attempts, and the service saw 1': [{ attempt: null }],
    'lacks {"what":"attempt"': [{ attempt: { ...PAST.attempt, at: new Date(dateOf(5)) } }],
    'lacks {"what":"settled"': [{ attempt: PAST.settled, settled: PAST.attempt }],
  };
  for (const [problem, [changes, events = changed({})]] of Object.entries(pasts)) {
    test(`finds an entry whose history ${problem} …`, () => {
      const past = Object.values({ ...PAST, ...changes }).filter((event) => event !== null);
      const found = problemsOf(/** @type {any[]} */ (events), { entries: [{ ...ENTRY, reason: null, past }] });
      assert.ok(found.includes(`has a history that ${problem}`), found);
    });
  }

  for (const [what, [events, found, setting]] of Object.entries(wrong)) {
    test(`finds ${what}`, () => {
      assert.match(
        problemsOf(/** @type {any[]} */ (events), /** @type {any} */ (setting)),
        /** @type {RegExp} */ (found),
      );
    });
  }
});
