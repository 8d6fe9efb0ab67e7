/** Tests what the store on PostgreSQL does about connections that end as they are opened, and about large responses. */
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { listen } from '../../../scripts/ports.mjs';
import { startFaultServer } from '../../client/fault-server.mjs';
import { RETRY, clientOf, createOutbox, numbered, until } from '../harness.mjs';
import { Pool, URL_OF_TESTS, postgresStore } from '../postgres.mjs';
import { schemaOfFile } from './afterwards.mjs';

const admin = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
after(() => admin.end());

const READY_FOR_QUERY = 0x5a;
const field = (name, value) => `${name}${value}\0`;
const FATAL = [field('S', 'FATAL'), field('V', 'FATAL'), field('C', '57P01'), field('M', 'terminated')].join('');

/** "FATAL: terminating connection", as the server sends it. */
function fatal() {
  const body = Buffer.from(`${FATAL}\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Starts a proxy of the server that ends the next connections in the packet that opens them. */
async function endingProxy(t) {
  const { hostname, port } = new URL(URL_OF_TESTS ?? '');
  let left = 0;
  let ended = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isOpening = true;
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(upstream);
    upstream.on('data', (data) => {
      const isReady = isOpening && data.at(-6) === READY_FOR_QUERY;
      if (isReady) isOpening = false;
      if (!isReady || left === 0) return client.write(data);
      left--;
      ended++;
      client.end(Buffer.concat([data, fatal()]));
    });
  });
  t.after(() => server.close());
  const url = new URL(URL_OF_TESTS ?? '');
  url.host = `127.0.0.1:${await listen(server)}`;
  return { url: url.href, endNext: (count) => void (left = count), ended: () => ended };
}

describe('a connection that ends in the packet that opens it', () => {
  for (const [whose, storeOf] of Object.entries({
    'of the store': (_t, connectionString, schema) => postgresStore({ connectionString, schema, listen: true }),
    "of the shop's pool": (t, connectionString, schema) => {
      const pool = new Pool({ connectionString, max: 4 });
      // As the documentation asks for.
      pool.on('error', () => {});
      t.after(() => pool.end());
      return postgresStore({ pool, schema });
    },
  })) {
    test(`${whose} fails a call, and not the process`, async (t) => {
      const proxy = await endingProxy(t);
      const server = await startFaultServer();
      const schema = schemaOfFile();
      const store = storeOf(t, proxy.url, schema);
      const outbox = createOutbox({ client: clientOf(server.baseUrl), store, retry: RETRY, movedFrom: '*' }).start();
      t.after(async () => {
        await outbox.stop({ timeoutMs: 0 });
        await server.close();
      });
      await outbox.counts();
      proxy.endNext(5);
      const killed = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name <> 'of the test' AND pid <> pg_backend_pid() AND query LIKE '%' || $1 || '%'`;
      await until(async () => {
        await admin.query(killed, [schema]);
        await outbox.counts().catch(() => {});
        return proxy.ended() >= 5;
      }, 'five connections that ended');
      const order = numbered(whose.length);
      await until(
        () =>
          outbox.add(order).then(
            () => true,
            () => false,
          ),
        'an order is added',
      );
      assert.equal((await outbox.settled(order.Id)).state, 'created');
    });
  }
});

test('many calls that wait for a connection make Node warn of no leak', async (t) => {
  const warnings = [];
  const note = (warning) => warnings.push(warning.message);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 12 });
  t.after(() => pool.end());
  const server = await startFaultServer();
  t.after(() => server.close());
  const store = postgresStore({ pool, schema: schemaOfFile() });
  const outbox = createOutbox({ client: clientOf(server.baseUrl), store, movedFrom: '*' });
  t.after(() => outbox.stop({ timeoutMs: 0 }));
  await Promise.all(Array.from({ length: 40 }, (_, n) => outbox.get(numbered(n).Id)));
  assert.deepEqual(warnings, []);
  assert.deepEqual([pool.listenerCount('connect'), pool.waitingCount], [0, 0]);
});

test('large responses are not stored, and delay no other order', async (t) => {
  const large = 'x'.repeat(3 * 2 ** 20);
  const server = await startFaultServer();
  server.playAlways(({ body, response, store }) => {
    store();
    const isLarge = JSON.parse(body).Notes === 'large';
    response.writeHead(201, { 'Content-Type': 'application/json' });
    response.end(isLarge ? body.replace(/}$/, `,"Pad":"${large}"}`) : body);
  });
  const told = new Map();
  const store = postgresStore({ connectionString: URL_OF_TESTS, schema: schemaOfFile() });
  const outbox = createOutbox({
    ...{ client: clientOf(server.baseUrl), store, movedFrom: '*' },
    onSettled: ({ orderId, state, order, reason }) => void told.set(orderId, [state, order !== null, reason]),
  }).start();
  t.after(async () => {
    await outbox.stop({ timeoutMs: 0 });
    await server.close();
  });
  const numbers = Array.from({ length: 16 }, (_, n) => 100 + n);
  await Promise.all(numbers.map((n) => outbox.add(numbered(n, { EntityId: n, Notes: n === 100 ? 'small' : 'large' }))));
  await until(() => told.size === numbers.length, 'all are told');
  for (const n of numbers) {
    const expected = n === 100 ? ['created', true, null] : ['created', false, 'ResponseTooLarge'];
    assert.deepEqual(told.get(numbered(n).Id), expected);
  }
  const { order, reason } = await outbox.get(numbered(101).Id);
  assert.deepEqual([order, reason], [null, 'ResponseTooLarge']);
});
