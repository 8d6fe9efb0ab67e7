/** Tests onResult: called once for every order that was started, however the loop ends, and awaited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejection } from '../thrown.mjs';
import { clientOf, collected, collectedUntilError, manyOrders, numbered } from './clients.mjs';
import { settle, sleep } from './clock.mjs';
import { afterStoring, answer, creates, resetsBeforeHeaders, startFaultServer } from './fault-server.mjs';
import { countedOrders, heldClient, instantClient } from './held-client.mjs';

for (const [how, leave] of /** @type {any[][]} */ ([
  [
    'break',
    async (results) => {
      let taken = 0;
      for await (const _ of results) if (++taken === 5) break;
    },
  ],
  [
    'return()',
    async (results) => {
      for (let taken = 0; taken < 5; taken++) await results.next();
      await results.return();
    },
  ],
  [
    'throw()',
    async (results) => {
      for (let taken = 0; taken < 5; taken++) await results.next();
      assert.equal((await rejection(results.throw(new Error('mine')))).message, 'mine');
    },
  ],
  [
    'throw',
    async (results) => {
      let taken = 0;
      await assert.rejects(
        (async () => {
          for await (const _ of results) if (++taken === 5) throw new Error('mine');
        })(),
        { message: 'mine' },
      );
    },
  ],
])) {
  test(`50 orders, left after 5 results by ${how}: onResult is called once for every order that was started`, async () => {
    const server = await startFaultServer(afterStoring(resetsBeforeHeaders), creates, answer(400), answer(503));
    const told = [];
    const source = countedOrders(50);
    const results = clientOf(server.baseUrl).createOrders(source, { onResult: (result) => told.push(result) });
    await leave(results);
    assert.deepEqual(await results.next(), { done: true, value: undefined });
    assert.ok(source.isClosed && source.pulled < 20, `${source.pulled} orders were started`);
    assert.deepEqual(
      told.map(({ index }) => index).sort((a, b) => a - b),
      Array.from({ length: source.pulled }, (_, n) => n),
    );
    const sent = new Set(server.requests.map(({ url }) => /\((.*)\)/.exec(url)?.[1]));
    assert.deepEqual(new Set(told.map(({ orderId }) => orderId)), sent);
    assert.equal(told.filter(({ ok }) => ok).length, server.orders.size);
    const { length } = server.requests;
    await sleep(1000);
    assert.deepEqual([server.requests.length, told.length], [length, source.pulled]);
  });
}

test('onResult is called with the same result objects as the loop', async () => {
  const told = [];
  const results = await collected(
    instantClient().createOrders([numbered(0), numbered(1, { EntityId: 0 })], {
      onResult: (result) => told.push(result),
    }),
  );
  assert.equal(told.length, 2);
  for (const result of results) assert.ok(told.includes(result));
});

test('onResult is called after an abort too', async () => {
  const { sender } = heldClient();
  const controller = new AbortController();
  const told = [];
  const results = collectedUntilError(
    sender.createOrders(manyOrders(10), {
      concurrency: 3,
      signal: controller.signal,
      onResult: ({ error }) => told.push(error.name),
    }),
  );
  await settle();
  controller.abort();
  await results;
  assert.deepEqual(told, ['AbortedError', 'AbortedError', 'AbortedError']);
});

test('a promise that onResult returns is awaited, even after the loop has been left', async () => {
  let stored = 0;
  const onResult = async () => {
    await settle();
    stored++;
  };
  const source = countedOrders();
  for await (const _ of instantClient().createOrders(source, { concurrency: 4, onResult })) break;
  assert.equal(stored, source.pulled);
});

test('an onResult that takes longer than the orders holds them back, and the batch goes on', async () => {
  const source = countedOrders(6);
  const results = [];
  for await (const result of instantClient().createOrders(source, { concurrency: 2, onResult: settle }))
    results.push(result.index);
  assert.deepEqual(results.sort(), [0, 1, 2, 3, 4, 5]);
});

for (const [how, onResult] of /** @type {any[][]} */ ([
  [
    'throws',
    (error) => {
      throw error;
    },
  ],
  ['rejects', (error) => settle().then(() => Promise.reject(error))],
])) {
  test(`an onResult that ${how} ends the batch: no further order is started, and the loop throws its error`, async () => {
    const own = new Error('disk full');
    const source = countedOrders();
    assert.equal(
      await rejection(
        collected(instantClient().createOrders(source, { concurrency: 2, onResult: () => onResult(own) })),
      ),
      own,
    );
    assert.ok(source.pulled <= 6);
    assert.ok(source.isClosed);
  });

  test(`an onResult that ${how} while the loop is left is not lost`, async () => {
    const { pending, sender } = heldClient();
    const own = new Error('disk full');
    const results = sender.createOrders(manyOrders(5), {
      concurrency: 2,
      onResult: ({ index }) => (index === 1 ? onResult(own) : undefined),
    });
    const first = results.next();
    await settle();
    pending[0].create();
    await first;
    const leaving = rejection(results.return());
    await settle();
    for (const { create } of pending) create();
    assert.equal(await leaving, own);
  });
}
