/** Tests the life of an order in the outbox, with a store in memory and a service on loopback that plays faults. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  afterStoring,
  answer,
  creates,
  refuses,
  resetsBeforeHeaders,
  startFaultServer,
} from '../client/fault-server.mjs';
import {
  PERSONAL,
  clientOf,
  collected,
  core,
  createOutbox,
  createOutboxOn,
  rejection,
  numbered,
  sqliteStore,
} from './harness.mjs';
import { memoryStore } from './memory-store.mjs';
import { setUp } from './set-up.mjs';
import { simulatedTime } from './simulated-time.mjs';

describe('add', () => {
  test('accepts an order before it is sent', async (t) => {
    const { outbox, server } = await setUp(t);
    const { Id } = numbered(1);
    assert.deepEqual(await outbox.add(numbered(1)), { orderId: Id, state: 'waiting', isNew: true, issues: [] });
    const entry = await outbox.get(Id.toUpperCase());
    assert.equal(entry.state, 'waiting');
    assert.equal(entry.outcome, 'not-created');
    assert.equal(entry.attempts, 0);
    assert.deepEqual([entry.companyId, entry.entityId], [1000, 2000]);
    assert.equal(entry.deadlineAt - entry.addedAt, 72 * 3_600_000);
    assert.equal(server.requests.length, 0);
  });

  test('accepts the same order again, in every form, and reports its state, and that it is not new', async (t) => {
    const { outbox, settled, server } = await setUp(t);
    await outbox.add(numbered(1));
    const again = async (order) => Object.values(await outbox.add(order)).slice(1, 3);
    assert.deepEqual(await again(core.prepareRequest(numbered(1))), ['waiting', false]);
    outbox.start();
    await settled(numbered(1).Id);
    assert.deepEqual(await again(numbered(1)), ['created', false]);
    assert.equal(server.requests.length, 1);
  });

  test('rejects another order with the same Id', async (t) => {
    const { outbox } = await setUp(t);
    await outbox.add(numbered(1));
    const error = await rejection(outbox.add(numbered(1, { Notes: 'no, at the violet door' })));
    assert.equal(error.name, 'OutboxError');
    assert.equal(error.reason, 'duplicate');
    assert.equal(error.orderId, numbered(1).Id);
    assert.doesNotMatch(error.message, PERSONAL);
  });

  test('rejects an order with errors, or without an Id', async (t) => {
    const { outbox } = await setUp(t);
    assert.equal((await rejection(outbox.add(numbered(1, { Items: [] })))).name, 'OrderValidationError');
    assert.equal((await rejection(outbox.add(numbered(1, { Id: undefined })))).name, 'OrderValidationError');
    assert.match((await rejection(outbox.add(numbered(1), { version: 'v9' }))).name, /^(Option|Type)Error$/);
  });

  test('applies its options to a prepared request, too', async (t) => {
    const { outbox } = await setUp(t);
    const request = core.prepareRequest(numbered(1));
    assert.equal((await rejection(outbox.add(request, { edition: 'v2' }))).option, '/edition');
    const { name } = await rejection(outbox.add(request, { orderId: numbered(2).Id }));
    assert.equal(name, 'OrderValidationError');
    assert.equal(await outbox.get(numbered(1).Id), null);
  });
});

test('earlierAttempts and deadlineMs of an order: it may be created already, and has a deadline of its own', async (t) => {
  const { outbox, settled, server } = await setUp(t);
  const { Id } = numbered(1);
  await outbox.add(numbered(1), { earlierAttempts: 'unknown', deadlineMs: 60_000.4 });
  const entry = await outbox.get(Id);
  assert.deepEqual([entry.outcome, entry.can.cancel, entry.can.replace], ['unknown', false, false]);
  assert.equal(entry.deadlineAt - entry.addedAt, 60_000);
  assert.match((await rejection(outbox.cancel(Id))).message, /which is waiting: it was sent, or may have been$/);
  // The other program was faster: its order is this very one.
  await clientOf(server.baseUrl).createOrder(numbered(1));
  outbox.start();
  const created = await settled(Id);
  assert.deepEqual([created.state, created.alreadyThere], ['created', false]);
  for (const [options, option] of [
    [{ earlierAttempts: 'some' }, '/earlierAttempts'],
    [{ deadlineMs: 0 }, '/deadlineMs'],
  ])
    assert.equal((await rejection(outbox.add(numbered(2), options))).option, option);
});

describe('the version of the service', () => {
  test('is that of the client, unless the call names another one', async (t) => {
    const { outbox, settled, server } = await setUp(t, { client: { version: 'v2' } });
    await outbox.add(numbered(1));
    await outbox.add(numbered(2), { version: 'v3' });
    await outbox.add(core.prepareRequest(numbered(3)));
    outbox.start();
    for (const [n, version] of [
      [1, 'v2'],
      [2, 'v3'],
      [3, 'v3'],
    ]) {
      assert.equal((await settled(numbered(n).Id)).version, version);
      const { url } = server.requests.find(({ body }) => JSON.parse(body).Id === numbered(n).Id);
      assert.match(url, new RegExp(`/${version}/`));
    }
  });

  test('is that of the client if this is copied into another object; v3 if it is not known', async (t) => {
    const copied = await setUp(t, { client: { version: 'v2' }, wrap: (client) => ({ ...client }) });
    await copied.outbox.add(numbered(1));
    assert.equal((await copied.outbox.get(numbered(1).Id)).version, 'v2');
    const wrap = ({ createOrder }) => ({ createOrder });
    const unknown = await setUp(t, { client: { version: 'v2' }, wrap });
    await unknown.outbox.add(numbered(1));
    assert.equal((await unknown.outbox.get(numbered(1).Id)).version, 'v3');
  });
});

describe('delivery', () => {
  test('ends as created, with the received order', async (t) => {
    const { outbox, settled } = await setUp(t, { script: [answer(500), resetsBeforeHeaders] });
    await outbox.add(numbered(1));
    outbox.start();
    const entry = await settled(numbered(1).Id);
    assert.equal(entry.state, 'created');
    assert.equal(entry.outcome, 'created');
    assert.equal(entry.attempts, 3);
    assert.equal(entry.order.ReceiptNumber, 'R-1');
    assert.equal(entry.nextAttemptAt, null);
    assert.ok(entry.settledAt >= entry.addedAt);
  });

  test('keeps the response that created the order as the service wrote it', async (t) => {
    const received = JSON.stringify(numbered(1)).replace('"Quantity":2', '"Quantity": 2.0, "LineTotal": 39.980');
    const { outbox, settled } = await setUp(t, { script: [answer(201, received)] });
    await outbox.add(numbered(1));
    outbox.start();
    const entry = await settled(numbered(1).Id);
    assert.deepEqual([entry.received, entry.order.Items[0].Quantity], [received, '2.0']);
  });

  test('sends the same bytes in every attempt', async (t) => {
    const { outbox, settled, server } = await setUp(t, { script: [answer(500), afterStoring(resetsBeforeHeaders)] });
    await outbox.add(numbered(1));
    outbox.start();
    await settled(numbered(1).Id);
    assert.equal(new Set(server.requests.map(({ body, url }) => url + body)).size, 1);
    assert.equal(server.requests[0].body, core.prepareRequest(numbered(1)).body);
  });

  test('ends as refused if the service rejects the order, which delays no other', async (t) => {
    const { outbox, settled } = await setUp(t, { script: [answer(400, '{"Message":"EntityId is unknown"}')] });
    await outbox.add(numbered(1));
    await outbox.add(numbered(2));
    outbox.start();
    const entry = await settled(numbered(1).Id);
    assert.deepEqual([entry.state, entry.outcome, entry.status], ['refused', 'not-created', 400]);
    assert.equal(entry.reason, 'RejectedError');
    assert.equal(entry.detail, 'EntityId is unknown');
    assert.equal((await settled(numbered(2).Id)).state, 'created');
    const { reason, status, detail, issues } = await outbox.retry(numbered(1).Id);
    assert.deepEqual([reason, status, detail, issues], [null, null, null, []]);
  });

  test('ends as stalled after 503 and then 422: the order may be stored, and sending it again does not help', async (t) => {
    const { outbox, settled, server } = await setUp(t, { script: [creates, answer(503), refuses(422)] });
    outbox.start();
    await outbox.add(numbered(0));
    await settled(numbered(0).Id);
    await outbox.add(numbered(1));
    const entry = await settled(numbered(1).Id);
    assert.deepEqual([entry.state, entry.outcome, entry.reason], ['stalled', 'unknown', 'RejectedError']);
    assert.equal(server.requests.length, 3);
  });

  test('ends as stalled at the deadline, with the known outcome of the order', async (t) => {
    const { outbox, settled, server } = await setUp(t, { deadlineMs: 100 });
    server.playAlways(answer(500));
    await outbox.add(numbered(1));
    outbox.start();
    const entry = await settled(numbered(1).Id);
    assert.deepEqual([entry.state, entry.outcome, entry.reason], ['stalled', 'unknown', 'Deadline']);
    server.playAlways(creates);
    const again = await outbox.retry(entry.orderId);
    assert.ok(again.deadlineAt > entry.deadlineAt);
    assert.equal((await settled(entry.orderId)).state, 'created');
  });

  test('does not send an order whose deadline passed while nothing delivered', async (t) => {
    const { outbox, settled, server, advance } = await setUp(t, { deadlineMs: 100 });
    await outbox.add(numbered(1));
    await advance(100);
    outbox.start();
    const { state, outcome, reason, attempts } = await settled(numbered(1).Id);
    assert.deepEqual([state, outcome, reason, attempts], ['stalled', 'not-created', 'Deadline', 0]);
    assert.deepEqual(
      (await outbox.history(numbered(1).Id)).map(({ what }) => what),
      ['added', 'settled'],
    );
    assert.equal(server.requests.length, 0);
  });

  test('continues after the client throws an unexpected error or returns something incomplete, and reports it', async (t) => {
    let calls = 0;
    const { outbox, settled, events } = await setUp(t, {
      wrap: (client) => ({
        createOrder: (...args) => {
          if (calls++ === 0) throw new RangeError('a mistake');
          if (calls <= 3) return [{}, { status: 201, order: { ReceiptNumber: 7 }, issues: [] }][calls - 2];
          return client.createOrder(...args);
        },
      }),
    });
    await outbox.add(numbered(1));
    outbox.start();
    assert.equal((await settled(numbered(1).Id)).state, 'created');
    const { Id: orderId } = numbered(1);
    assert.deepEqual(
      events.filter(({ name }) => name === 'onError'),
      ['RangeError', 'TypeError', 'TypeError'].map((reason) => {
        return { name: 'onError', operation: 'send', reason, code: null, orderId };
      }),
    );
    const results = events.filter(({ name }) => name === 'onResult');
    assert.deepEqual(
      results.map(({ reason }) => reason),
      ['Error', 'Error', 'Error', null],
    );
  });
});

test('counts has the entries by state and by location, and the age of the oldest that waits', async (t) => {
  const { outbox, settled } = await setUp(t, { script: [refuses(400)], concurrency: 1 });
  assert.deepEqual((await outbox.counts()).locations, []);
  assert.equal((await outbox.counts()).oldestWaitingMs, null);
  await outbox.add(numbered(1, { EntityId: 1 }));
  outbox.start();
  await settled(numbered(1).Id);
  await outbox.add(numbered(2, { EntityId: 2 }));
  await settled(numbered(2).Id);
  const { waiting, refused, created, oldestWaitingMs, locations } = await outbox.counts();
  assert.deepEqual([waiting, refused, created, oldestWaitingMs], [0, 1, 1, null]);
  const location = { companyId: 1000, entityId: 1, waiting: 0, refused: 1, stalled: 0, invalid: 0 };
  assert.deepEqual(locations, [{ ...location, oldestWaitingMs: null, isPaused: false, pause: null }]);
});

test('the age of what waits grows, for all and for each location', async (t) => {
  const { outbox, advance } = await setUp(t);
  await outbox.add(numbered(1, { EntityId: 1 }));
  await advance(30);
  await outbox.add(numbered(2, { EntityId: 2 }));
  const { waiting, oldestWaitingMs, locations } = await outbox.counts();
  assert.equal(waiting, 2);
  const ages = Object.fromEntries(locations.map((local) => [local.entityId, local.oldestWaitingMs]));
  assert.deepEqual([ages[1], ages[2], oldestWaitingMs], [30, 0, 30]);
});

/** Lets deadlines of 1 ms pass, and does what a running outbox does every few seconds. */
async function stallAll({ store, now }) {
  await store.sweep({ now: now() + 1, createdBefore: 0 });
}

/** Records one attempt at one order, with this outcome, and lets the deadline pass. */
async function stallAfterAttempt({ store, now }, outcome) {
  const [entry] = (await store.take({ now: now(), limit: 1, room: () => 1 })).entries;
  await store.settle(entry, { ...entry, state: 'waiting', outcome });
  await stallAll({ store, now });
}

describe('by hand', () => {
  test('cancel withdraws an order only if it was never sent', async (t) => {
    const { outbox, settled, server } = await setUp(t);
    await outbox.add(numbered(1));
    assert.equal((await outbox.cancel(numbered(1).Id)).state, 'cancelled');
    assert.match((await rejection(outbox.cancel(numbered(1).Id))).message, /cancelled: its state does not permit it/);
    await outbox.add(numbered(2));
    outbox.start();
    await settled(numbered(2).Id);
    const error = await rejection(outbox.cancel(numbered(2).Id));
    assert.deepEqual([error.name, error.reason], ['OutboxError', 'wrong-state']);
    assert.equal((await rejection(outbox.cancel(numbered(3).Id))).reason, 'not-found');
    assert.equal((await rejection(outbox.cancel('no id'))).reason, 'not-found');
    assert.equal(server.requests.length, 1);
  });

  test('forget preserves the Id and the outcome, and deletes everything personal', async (t) => {
    const { outbox, settled, store } = await setUp(t);
    await outbox.add(numbered(1));
    assert.equal((await rejection(outbox.forget(numbered(1).Id))).reason, 'wrong-state');
    outbox.start();
    await settled(numbered(1).Id);
    const forgotten = await outbox.forget(numbered(1).Id);
    assert.deepEqual(
      [forgotten.state, forgotten.outcome, forgotten.body, forgotten.order],
      ['created', 'created', null, null],
    );
    assert.doesNotMatch(JSON.stringify(await store.get(numbered(1).Id)), PERSONAL);
    assert.equal((await rejection(outbox.add(numbered(1)))).reason, 'duplicate');
  });

  test('cancel withdraws a stalled order that was never sent, and the handler is not called for it any more', async (t) => {
    const { outbox, store, now } = await setUp(t, { deadlineMs: 1 });
    await outbox.add(numbered(1));
    await stallAll({ store, now });
    const cancelled = await outbox.cancel(numbered(1).Id);
    assert.deepEqual([cancelled.state, cancelled.outcome], ['cancelled', 'not-created']);
    assert.equal((await store.get(numbered(1).Id)).noticeAt, null);
    assert.equal((await outbox.forget(numbered(1).Id)).body, null);
  });

  test('forget ends the delivery of a stalled order and preserves its outcome; cancel does not', async (t) => {
    const { outbox, store, now } = await setUp(t, { deadlineMs: 1 });
    await outbox.add(numbered(1));
    await stallAfterAttempt({ store, now }, 'unknown');
    assert.equal((await outbox.counts()).stalled, 1);
    assert.equal((await rejection(outbox.cancel(numbered(1).Id))).reason, 'wrong-state');
    const { state, outcome, body } = await outbox.forget(numbered(1).Id);
    assert.deepEqual([state, outcome, body], ['stalled', 'unknown', null]);
    assert.equal((await outbox.counts()).stalled, 0);
    assert.doesNotMatch(JSON.stringify(await store.get(numbered(1).Id)), PERSONAL);
    const error = await rejection(outbox.retry(numbered(1).Id));
    assert.equal(error.reason, 'wrong-state');
    assert.match(error.message, /forgotten/);
    assert.equal((await rejection(outbox.add(numbered(1)))).reason, 'duplicate');
  });

  test('list yields entries in the order in which they were added, by state and by location', async (t) => {
    const { outbox } = await setUp(t);
    for (let n = 0; n < 1100; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 2) }));
    await outbox.cancel(numbered(7).Id);
    /** @param {object} [filter] */
    const ids = async (filter) => (await collected(outbox.list(filter))).map(({ orderId }) => orderId);
    assert.deepEqual((await ids()).length, 1100);
    assert.deepEqual((await ids()).slice(0, 2), [numbered(0).Id, numbered(1).Id]);
    assert.deepEqual(await ids({ state: 'cancelled' }), [numbered(7).Id]);
    assert.equal((await ids({ companyId: 1000, entityId: 1 })).length, 550);
    assert.equal((await rejection(ids({ state: 'lost' }))).name, 'OptionError');
  });
});

test('onAdd is called once for each order, when it is durable', async (t) => {
  const { outbox, events, store } = await setUp(t);
  await outbox.add(numbered(1, { EntityId: 7 }));
  await outbox.add(numbered(1, { EntityId: 7 }));
  await outbox.add(numbered(2), { transaction: {} });
  await rejection(outbox.add(numbered(3, { Items: [] })));
  store.add = () => Promise.reject(new Error('the disk is full'));
  await rejection(outbox.add(numbered(4)));
  assert.deepEqual(events, [{ name: 'onAdd', orderId: numbered(1).Id, companyId: 1000, entityId: 7 }]);
});

test('a running outbox deletes created entries when their time is over, and no others', async (t) => {
  const keepCreatedMs = 600_000;
  const { outbox, settled, advance, until } = await setUp(t, { script: [refuses(400)], keepCreatedMs, concurrency: 1 });
  for (const n of [1, 2]) await outbox.add(numbered(n));
  outbox.start();
  for (const n of [1, 2]) await settled(numbered(n).Id);
  await advance(keepCreatedMs - 60_000);
  assert.equal((await outbox.get(numbered(2).Id)).state, 'created');
  await advance(120_000);
  await until(async () => !(await outbox.get(numbered(2).Id)), 'deleted');
  assert.equal((await outbox.get(numbered(1).Id)).state, 'refused');
});

describe('prune', () => {
  const client = { createOrder: () => Promise.reject(new Error('nothing is sent')) };
  const old = { state: 'created', outcome: 'created', settledAt: 1, noticeAt: null };

  test('deletes every old entry, however many there are, and returns their number', async () => {
    const store = sqliteStore(':memory:');
    const outbox = createOutbox({ client, store });
    await Promise.all(Array.from({ length: 2500 }, (_, n) => outbox.add(numbered(n))));
    await Promise.all(Array.from({ length: 2400 }, (_, n) => store.change(numbered(n).Id, {}, old)));
    assert.equal(await outbox.prune(), 2400);
    const { created, waiting } = await outbox.counts();
    assert.deepEqual([created, waiting], [0, 100]);
    assert.equal(await outbox.prune(), 0);
    await outbox.stop();
  });

  test('does not count orders whose deadline has passed', async () => {
    const store = sqliteStore(':memory:');
    const { platform, advance } = simulatedTime();
    const outbox = createOutboxOn(platform, { client, store, deadlineMs: 1 });
    for (const n of [1, 2, 3]) await outbox.add(numbered(n));
    await store.change(numbered(3).Id, {}, old);
    await advance(5);
    assert.equal(await outbox.prune(), 1);
    await outbox.stop();
  });
});

test('no event, error or message contains a name, a note or a token', async (t) => {
  const { outbox, settled, events, until } = await setUp(t, {
    script: [
      resetsBeforeHeaders,
      answer(500, 'Xaviera'),
      answer(400, '{"Message":"Quonset, violet door"}'),
      answer(429),
    ],
    onSettled: () => {
      throw new Error('Xaviera');
    },
  });
  for (const n of [1, 2, 3]) await outbox.add(numbered(n));
  outbox.start();
  for (const n of [1, 2, 3]) await settled(numbered(n).Id);
  await until(() => events.filter(({ name }) => name === 'onError').length === 3, 'three errors');
  assert.ok(new Set(events.map(({ name }) => name)).size >= 3);
  assert.doesNotMatch(JSON.stringify(events), PERSONAL);
});

test('wrong options are errors that name the option', () => {
  const client = clientOf('http://127.0.0.1:9');
  const store = memoryStore();
  for (const [options, option] of [
    [{ store }, '/client'],
    [{ client }, '/store'],
    [{ client, store, concurrency: 0 }, '/concurrency'],
    [{ client, store, deadlineMs: -1 }, '/deadlineMs'],
    [{ client, store, deadlineMs: Number.MAX_SAFE_INTEGER }, '/deadlineMs'],
    [{ client, store, deadlineMs: Number.POSITIVE_INFINITY }, '/deadlineMs'],
    [{ client, store, keepCreatedMs: Number.MAX_SAFE_INTEGER }, '/keepCreatedMs'],
    [{ client, store, handlerTimeoutMs: 2 ** 31 }, '/handlerTimeoutMs'],
    [{ client, store, retry: { baseMs: 'x' } }, '/retry/baseMs'],
    [{ client, store, retry: { capMs: 2 ** 31 } }, '/retry/capMs'],
    [{ client, store, onSettled: 'x' }, '/onSettled'],
  ]) {
    assert.throws(
      () => createOutbox(options),
      (/** @type {any} */ error) => error.name === 'OptionError' && (error.option ?? option) === option,
    );
  }
});

test('a duration that is too long is an error that names the longest one; a fraction is rounded', async (t) => {
  const create = (options) =>
    createOutbox({ client: clientOf('http://127.0.0.1:9'), store: memoryStore(), ...options });
  assert.throws(
    () => create({ deadlineMs: Number.MAX_SAFE_INTEGER }),
    /deadlineMs must be milliseconds, 1 to 3155760000000/,
  );
  assert.throws(() => create({ handlerTimeoutMs: 1e12 }), /handlerTimeoutMs must be .*2147483647/);
  create({ deadlineMs: 3_155_760_000_000, keepCreatedMs: 3_155_760_000_000 });
  const { outbox, store, settled } = await setUp(t, { deadlineMs: 9999.5, handlerTimeoutMs: 9999.5, onSettled() {} });
  await outbox.add(numbered(1));
  const { addedAt, deadlineAt } = await store.get(numbered(1).Id);
  assert.equal(deadlineAt - addedAt, 10_000);
  const noticed = [];
  const { settle } = store;
  store.settle = (entry, settlement) => {
    noticed.push(settlement.noticeAt);
    return settle(entry, settlement);
  };
  outbox.start();
  await settled(numbered(1).Id);
  assert.ok(noticed.every(Number.isSafeInteger), noticed.join());
});

test('on SQLite, the longest durations can be stored and read', async () => {
  const longest = 3_155_760_000_000;
  const client = { createOrder: () => Promise.reject(new Error('nothing is sent')) };
  const outbox = createOutbox({ client, store: sqliteStore(':memory:'), deadlineMs: longest, keepCreatedMs: longest });
  await outbox.add(numbered(1));
  const { addedAt, deadlineAt } = await outbox.get(numbered(1).Id);
  assert.equal(deadlineAt - addedAt, longest);
  assert.equal(await outbox.prune(), 0);
  await outbox.stop();
});

test('an order is sent as it was stored, and checked again only if another version of the package stored it', async (t) => {
  const { outbox, store, server, settled } = await setUp(t, { deadlineMs: 60_000 });
  for (const n of [1, 2]) await outbox.add(numbered(n));
  const invalid = { body: '{}', expected: '' };
  await store.change(numbered(1).Id, {}, { preparedBy: '0.0.1', ...invalid });
  await store.change(numbered(2).Id, {}, invalid);
  outbox.start();
  const { reason, attempts } = await settled(numbered(1).Id);
  assert.deepEqual([reason, attempts], ['OrderValidationError', 0]);
  await settled(numbered(2).Id);
  assert.ok(server.requests.length > 0);
  for (const { url, body } of server.requests) assert.deepEqual([url.includes(numbered(2).Id), body], [true, '{}']);
});

describe('a clock that is changed', () => {
  /** Returns an outbox whose dates, not its timers, a test can move. */
  async function movable(t, options) {
    const { platform, until, observed, advance } = simulatedTime();
    let offset = 0;
    const moved = { ...platform, date: () => platform.date() + offset };
    const server = await startFaultServer(...options.script);
    const client = observed(clientOf(server.baseUrl), ['createOrder']);
    const outbox = createOutboxOn(moved, { client, store: memoryStore(), ...options.outbox });
    t.after(async () => {
      await Promise.all([outbox.stop({ timeoutMs: 0 }), advance(0)]);
      await server.close();
    });
    const move = (hours) => {
      offset += hours * 3_600_000;
    };
    const reaches = (n, member, value) =>
      until(async () => {
        const entry = await outbox.get(numbered(n).Id);
        return entry[member] === value && entry;
      }, `order ${n}: ${member} ${value}`);
    return { outbox, move, server, reaches, until };
  }

  test('set back by ten days: no order waits longer than the longest pause, and ages grow', async (t) => {
    const { outbox, move, reaches, until } = await movable(t, {
      script: [answer(500), answer(500)],
      outbox: { retry: { baseMs: 1000, capMs: 1000 } },
    });
    await outbox.add(numbered(1));
    outbox.start();
    await reaches(1, 'reason', 'ServerError');
    move(-240);
    const { oldestWaitingMs } = await until(async () => {
      const counts = await outbox.counts();
      return (counts.created > 0 || counts.oldestWaitingMs > 2000) && counts;
    }, 'the age grows, or the order is created');
    assert.ok(oldestWaitingMs === null || oldestWaitingMs < 3_600_000);
    await reaches(1, 'state', 'created');
  });

  test('set forward past the deadline: orders stall and are not lost', async (t) => {
    const { outbox, move, reaches } = await movable(t, {
      script: [answer(500), answer(500)],
      outbox: { retry: { baseMs: 1e6, capMs: 1e6 } },
    });
    outbox.start();
    await outbox.add(numbered(1));
    await reaches(1, 'reason', 'ServerError');
    move(73);
    const { reason, outcome } = await reaches(1, 'state', 'stalled');
    assert.deepEqual([reason, outcome], ['Deadline', 'unknown']);
    move(-73);
    await outbox.retry(numbered(1).Id);
  });

  test('the clock of a store that is set 80 hours ahead stalls nothing that is replaced or retried after it', async (t) => {
    let aheadMs = 0;
    const hours = (n) => n * 3_600_000;
    const inner = memoryStore();
    const now = async () => Date.now() + aheadMs;
    const { outbox, settled, server } = await setUp(t, { store: { ...inner, now }, isInRealTime: true });
    for (const n of [1, 2]) await outbox.add(numbered(n));
    await outbox.cancel(numbered(1).Id);
    aheadMs = hours(80);
    await outbox.replace(numbered(1, { Notes: 'corrected' }));
    await outbox.retry(numbered(2).Id);
    for (const n of [1, 2]) {
      const { deadlineAt } = await outbox.get(numbered(n).Id);
      assert.ok(Math.abs(deadlineAt.getTime() - Date.now() - hours(80 + 72)) < 60_000, `order ${n}`);
    }
    outbox.start();
    for (const n of [1, 2]) assert.equal((await settled(numbered(n).Id)).state, 'created');
    assert.equal(server.requests.length, 2);
  });

  test('a store that says its time late, as to a process that stood still, makes no deadline earlier or later', async (t) => {
    const { platform, until, observed } = simulatedTime();
    const client = { createOrder: () => Promise.reject(new Error('nothing is sent')) };
    let waitsMs = [0, 0];
    const pause = (ms) => ms > 0 && new Promise((resolve) => platform.after(ms, () => resolve(undefined)));
    const store = {
      ...memoryStore(),
      async now() {
        const [before, after] = waitsMs;
        await pause(before);
        const time = platform.date() - 7_200_000;
        await pause(after);
        return time;
      },
    };
    const outbox = createOutboxOn(platform, { client, store: observed(store, []), deadlineMs: 600_000 });
    t.after(() => outbox.stop());
    for (const n of [0, 1, 2]) await outbox.add(numbered(n));
    for (const [n, ms] of [
      [0, 0],
      [4000, 0],
      [0, 4000],
    ].entries()) {
      waitsMs = ms;
      let isRetried = false;
      void outbox.retry(numbered(n).Id).then(() => {
        isRetried = true;
      });
      await until(() => isRetried, 'retried');
      const { deadlineAt } = await outbox.get(numbered(n).Id);
      assert.ok(Math.abs(deadlineAt.getTime() - (platform.date() - 6_600_000)) < 100, `${ms}`);
      let isOver = false;
      void Promise.resolve(pause(6000)).then(() => {
        isOver = true;
      });
      await until(() => isOver, 'the time is not fresh any more');
    }
  });
});
