/** Tests the spans of the outbox on PostgreSQL, and of pg-boss among them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer } from '../../client/fault-server.mjs';
import { numbered } from '../../outbox/harness.mjs';
import { Pool, URL_OF_TESTS, postgresStore } from '../../outbox/postgres.mjs';
import { emptyStore, schemaOfFile } from '../../outbox/postgres/afterwards.mjs';
import { setUp } from '../../outbox/set-up.mjs';
import { testTraces } from '../outbox.mjs';
import { inSpan, instrumentation, takeSpans, takeTrees, textOf, treesOf } from '../spans.mjs';

const PUT = 'PUT /intake/v3/ServiceOrder({orderId}) CLIENT';
const { Id } = numbered(1);
const setUpInRealTime = (t, setting) => setUp(t, { isInRealTime: true, ...setting });

testTraces('PostgreSQL', setUpInRealTime, () => {
  const schema = schemaOfFile();
  return () => postgresStore({ connectionString: URL_OF_TESTS, schema });
});

describe('spans of pg-boss', () => {
  test('its jobs are created and completed in the spans of adds and deliveries; its polls have no spans', async (t) => {
    const store = emptyStore();
    const take = store.take.bind(store);
    let polls = 0;
    store.take = (options) => {
      polls++;
      return take(options);
    };
    const { outbox, settled, until } = await setUpInRealTime(t, { store, script: [answer(503)] });
    await outbox.counts();
    takeSpans();
    outbox.start();
    await until(() => polls > 3, 'polls of an empty queue');
    assert.equal(takeTrees(), '');
    await inSpan('check-out', () => outbox.add(numbered(1)));
    await settled(Id);
    const spans = [];
    await until(() => {
      spans.push(...takeSpans());
      return spans.filter(({ name }) => name === 'deliver order').length === 2;
    });
    assert.equal(
      treesOf(spans),
      textOf(`
        check-out
          add order PRODUCER state=waiting
            insert order PRODUCER
        deliver order CONSUMER ERROR error.type=ServerError state=waiting outcome=unknown attempts=1 → add order
          createOrder ERROR error.type=ServerError outcome=unknown
            ${PUT} ERROR response.status_code=503 error.type=503 outcome=unknown
          complete order CLIENT
          insert order PRODUCER
        deliver order CONSUMER state=created outcome=created attempts=2 → add order
          createOrder already_there=false
            ${PUT} response.status_code=201
          complete order CLIENT`),
    );
  });

  test("a job is created in the span of its add, also in the caller's transaction, and while others are created", async (t) => {
    const pool = new Pool({ connectionString: URL_OF_TESTS, max: 2 });
    t.after(() => pool.end());
    const { outbox } = await setUpInRealTime(t, { store: postgresStore({ pool, schema: schemaOfFile() }) });
    await outbox.counts();
    takeSpans();
    const client = await pool.connect();
    await client.query('BEGIN');
    await inSpan('own transaction', () => outbox.add(numbered(1), { transaction: client }));
    await client.query('COMMIT');
    client.release();
    const first = inSpan('first', () => outbox.add(numbered(2)));
    // The first one has begun to write.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, inSpan('second', () => outbox.add(numbered(3)))]);
    const inserted = (name) => `
        ${name}
          add order PRODUCER state=waiting
            insert order PRODUCER`;
    assert.equal(takeTrees(), textOf(['own transaction', 'first', 'second'].map(inserted).join('')));
  });

  test('if nobody listens when the store is opened, it makes none', async (t) => {
    instrumentation.disable();
    t.after(() => instrumentation.enable());
    const { outbox, settled } = await setUpInRealTime(t, { store: emptyStore() });
    await outbox.start().add(numbered(1));
    await settled(Id);
    assert.equal(takeTrees(), '');
  });
});
