/** Tests what happens to orders in flight and to handlers when the outbox stops. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { creates, stallsBeforeHeaders } from '../client/fault-server.mjs';
import { installedFile } from '../node/installed.mjs';
import { clientOf, createClient, createOutbox, rejection, numbered, sqliteStore } from './harness.mjs';
import { newStore, STORE_FUNCTIONS, setUp } from './set-up.mjs';

const { createTestService } = await import(installedFile('dist/esm/testing/index.js'));

test('on SQLite, stop ends although the clock stands still', async (t) => {
  const service = createTestService();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  for (const turns of [0, 1, 2, 3, 5, 8, 13, 21]) {
    const told = [];
    const outbox = createOutbox({
      client: createClient(service.clientOptions),
      store: sqliteStore(':memory:'),
      onSettled: ({ orderId }) => void told.push(orderId),
    });
    for (const n of [1, 2, 3]) await outbox.add(numbered(turns * 10 + n));
    outbox.start();
    for (let n = 0; n < turns; n++) await turn();
    let isStopped = false;
    const stopping = outbox.stop().then(() => {
      isStopped = true;
    });
    for (let n = 0; n < 1000 && !isStopped; n++) await turn();
    assert.ok(isStopped, `stopped after ${turns} turns`);
    await stopping;
  }
});

describe('stop', () => {
  test('waits for orders in flight, and starts no further order', async (t) => {
    const { outbox, server, store, until } = await setUp(t, { store: newStore(), concurrency: 1 });
    let release;
    server.playAlways((exchange) => {
      release = () => creates(exchange);
    });
    await outbox.add(numbered(1));
    await outbox.add(numbered(2));
    outbox.start();
    await until(() => release, 'the first order sent');
    const stopping = outbox.stop();
    release();
    await stopping;
    assert.equal((await store.get(numbered(1).Id)).state, 'created');
    assert.equal((await store.get(numbered(2).Id)).state, 'waiting');
    assert.equal((await rejection(outbox.add(numbered(3)))).reason, 'stopped');
  });

  test('aborts an attempt that takes too long; its outcome is unknown', async (t) => {
    const { outbox, server, store, until, advance } = await setUp(t, { store: newStore() });
    server.playAlways(stallsBeforeHeaders);
    await outbox.add(numbered(1));
    outbox.start();
    await until(() => server.requests.length === 1, 'sent');
    const stopping = outbox.stop({ timeoutMs: 10_000 });
    await advance(9999);
    assert.equal((await store.get(numbered(1).Id)).state, 'sending');
    await advance(1);
    await stopping;
    const { state, outcome } = await store.get(numbered(1).Id);
    assert.deepEqual([state, outcome], ['waiting', 'unknown']);
  });

  test('happens at the end of a block with await using', async () => {
    const store = newStore();
    let isClosed = false;
    store.close = async () => {
      isClosed = true;
    };
    const outbox = createOutbox({ client: clientOf('http://127.0.0.1:9'), store });
    await outbox[Symbol.asyncDispose]();
    assert.ok(isClosed);
  });

  test('with a time-out does not wait for a handler that hangs; it is called again after the next start', async (t) => {
    let calls = 0;
    const { outbox, store, events, until, advance } = await setUp(t, {
      store: newStore(),
      onSettled: () => {
        calls++;
        return new Promise(() => {});
      },
    });
    await outbox.add(numbered(1));
    outbox.start();
    await until(() => calls === 1, 'the handler called');
    let isStopped = false;
    const stopping = outbox.stop({ timeoutMs: 10_000 }).then(() => {
      isStopped = true;
    });
    await advance(9999);
    assert.equal(isStopped, false);
    await advance(1);
    await stopping;
    const { state, noticeAt } = await store.get(numbered(1).Id);
    assert.equal(state, 'created');
    assert.notEqual(noticeAt, null);
    assert.deepEqual(
      events.filter(({ name }) => name === 'onError'),
      [],
    );
  });

  test('while entries are being taken, sends none of them and counts no attempt', async (t) => {
    const inner = newStore();
    let release;
    let isTaken = false;
    const store = {
      ...Object.fromEntries(STORE_FUNCTIONS.map((name) => [name, (...args) => inner[name](...args)])),
      async take(options) {
        const taken = await inner.take(options);
        if (taken.entries.length > 0) {
          isTaken = true;
          await new Promise((resolve) => {
            release = resolve;
          });
        }
        return taken;
      },
    };
    const { outbox, server, until } = await setUp(t, { store });
    await outbox.add(numbered(1));
    outbox.start();
    await until(() => isTaken, 'taken');
    const stopping = outbox.stop();
    release();
    await stopping;
    assert.equal(server.requests.length, 0);
    const { state, attempts, outcome } = await inner.get(numbered(1).Id);
    assert.deepEqual([state, attempts, outcome], ['waiting', 0, 'not-created']);
  });
});

test('stop rejects a wrong time-out, and does not stop', async (t) => {
  const { outbox } = await setUp(t);
  for (const timeoutMs of [-1, Number.NaN, '5', 2 ** 31]) {
    const error = await rejection(outbox.stop({ timeoutMs }));
    assert.deepEqual([error.name, error.option], ['OptionError', '/timeoutMs']);
  }
  assert.equal((await outbox.add(numbered(1))).state, 'waiting');
  await outbox.stop({ timeoutMs: Number.POSITIVE_INFINITY });
});
