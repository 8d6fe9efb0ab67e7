/** relay on PostgreSQL: the same promises, several relays on one database, and a database that is gone for a while. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSilentProxy } from '../../../silent-proxy.mjs';
import { Pool, URL_OF_TESTS, newSchema, projectWithPostgres } from '../../../outbox/postgres.mjs';
import { numbered } from '../../orders.mjs';
import { folderOf, jsonLines, run, serviceOf, until } from '../../program.mjs';
import { served } from '../../served.mjs';
import { ask, logOf, put, relayed, settled } from '../relays.mjs';

const MAIN = `${projectWithPostgres()}/node_modules/sales-order-intake/dist/cli/main.js`;

/** A database of this test. */
async function databaseOf(t) {
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 2 });
  const name = newSchema();
  await pool.query(`CREATE DATABASE ${name}`);
  t.after(async () => {
    await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await pool.end();
  });
  const url = new URL(URL_OF_TESTS ?? '');
  url.pathname = `/${name}`;
  return { name, outbox: url.href, pool };
}

test('orders are accepted, delivered once and kept through SIGKILL, by two relays on one database', async (t) => {
  const service = await served(['--fault', 'drop-after=0.1', '--fault', 'latency=20=1']);
  t.after(() => service.child.kill('SIGKILL'));
  const { outbox } = await databaseOf(t);
  const first = await relayed(t, { ...service, outbox, main: MAIN });
  const second = await relayed(t, { ...service, outbox, main: MAIN });
  const accepted = [];
  for (let n = 0; n < 40; n++) {
    assert.equal((await put(n % 2 ? first : second, numbered(n))).status, 202);
    accepted.push(numbered(n));
  }
  first.child.kill('SIGKILL');
  assert.ok([200, 202].includes((await put(second, numbered(0))).status));
  assert.equal((await put(second, numbered(0, { Notes: 'other' }))).status, 409);
  for (const order of accepted) assert.equal((await settled(second, order)).state, 'created');
  second.child.kill('SIGTERM');
  assert.equal((await second.child.ended).code, 0);
});

test('/ready and orders fail while the database refuses, and work again after that; nothing is left by the probe', async (t) => {
  const { name, outbox, pool } = await databaseOf(t);
  const service = await serviceOf(t, () => ({ status: 201 }));
  const relay = await relayed(t, { ...service, outbox, main: MAIN });
  await until(async () => (await ask(relay, '/ready')).status === 204, '/ready');
  assert.deepEqual((await ask(relay, '/orders')).json, { orders: [], next: null });
  await pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await until(async () => (await ask(relay, '/ready')).status === 503, '/ready to notice');
  const { status, json } = await put(relay);
  assert.deepEqual([status, json.type], [503, 'urn:sales-order-intake:problem:unavailable']);
  await pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
  await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await until(async () => (await ask(relay, '/ready')).status < 300, '/ready to notice');
  await until(async () => [200, 202].includes((await put(relay)).status), 'an order to be accepted');
  assert.equal((await settled(relay)).state, 'created');
  assert.deepEqual(service.paths, [`/v3/ServiceOrder(${numbered(0).Id})`]);
  assert.ok(logOf(relay.child).every(({ event }) => event !== 'failure'));
});

test('a database that falls silent keeps no connection of the relay, which responds meanwhile, and is ready again after that', async (t) => {
  const { outbox } = await databaseOf(t);
  const service = await serviceOf(t, () => ({ status: 201 }));
  const proxy = await startSilentProxy(outbox);
  t.after(() => proxy.close());
  const relay = await relayed(t, { ...service, outbox: proxy.url, main: MAIN });
  assert.equal((await put(relay)).status, 202);
  assert.equal((await settled(relay)).state, 'created');
  proxy.silence({ newOnes: true });
  // Each probe takes a connection of the pool, which has ten. One that waited for ever would never return it.
  const isReady = async () => (await ask(relay, '/ready')).status === 204;
  for (let probe = 0; probe < 12; probe++) {
    const before = proxy.swallowed;
    await until(async () => !(await isReady()) && proxy.swallowed > before, 'a probe that fails');
  }
  assert.equal((await put(relay, numbered(1))).status, 503);
  proxy.recover();
  await until(isReady, '/ready to recover');
  assert.equal((await put(relay, numbered(1))).status, 202);
  assert.equal((await settled(relay, numbered(1))).state, 'created');
  assert.ok(proxy.working <= 10, `${proxy.working} connections`);
});

test('a relay starts while its database is down, and is not ready', async (t) => {
  const relay = await relayed(t, {
    baseUrl: 'http://127.0.0.1:2',
    outbox: 'postgres://nobody@127.0.0.1:2/none',
    main: MAIN,
  });
  const { status, json } = await ask(relay, '/ready');
  assert.deepEqual(
    [status, json.detail],
    [503, 'No order can be stored: the database refuses connections (ECONNREFUSED).'],
  );
  assert.equal((await put(relay)).status, 503);
  const failed = () => logOf(relay.child, 'error')[0];
  await until(failed, 'the log of a failure');
  assert.equal(failed().failure, 'the database refuses connections (ECONNREFUSED)');
  relay.child.kill('SIGTERM');
  assert.equal((await relay.child.ended).code, 0);
});

test('a database that refuses the user, or that is none, ends the start with 2 and says so, without a password', async (t) => {
  const { outbox } = await databaseOf(t);
  const [user, database] = [new URL(outbox), new URL(outbox)];
  user.username = 'no-such-user';
  database.pathname = '/no_such_database';
  const env = { SALES_ORDER_INTAKE_TOKEN: 'x', PGPASSWORD: 'of-the-database' };
  for (const [url, expected] of [
    [user, /^error: the outbox can't be used: the database refuses the user or the password \(28000\)\n/],
    [database, /^error: the outbox can't be used: there is no such database \(3D000\)\n/],
  ]) {
    const args = ['relay', '--base-url', 'http://127.0.0.1:2', '--listen', '0', '--outbox', String(url)];
    const { code, err } = await run(args, { env, main: MAIN });
    assert.match(err, /** @type {RegExp} */ (expected));
    assert.equal(code, 2);
    assert.doesNotMatch(err, /of-the-database/);
  }
});

test('without pg, the error says what to install', async () => {
  const env = { SALES_ORDER_INTAKE_TOKEN: 'x' };
  const { code, err } = await run(['relay', '--base-url', 'http://127.0.0.1:2', '--outbox', 'postgres://x/y'], { env });
  assert.equal(code, 2);
  assert.match(err, /^error: an outbox in PostgreSQL needs pg\nhint: Install it with: npm install pg@8\n$/);
});

test('a relay for another base URL ends with 2, and outbox move moves the database to it', async (t) => {
  const { outbox } = await databaseOf(t);
  const [old, other] = [await serviceOf(t, () => ({ status: 503 })), await serviceOf(t, () => ({ status: 201 }))];
  const relay = await relayed(t, { ...old, outbox, main: MAIN });
  assert.equal((await put(relay)).status, 202);
  const secret = new URL(outbox);
  secret.searchParams.set('password', 'of-the-database');
  const env = { SALES_ORDER_INTAKE_TOKEN: 'a-token', SALES_ORDER_OUTBOX: secret.href };
  const args = ['relay', '--base-url', other.baseUrl, '--listen', '127.0.0.1:0'];
  const refused = await run(args, { main: MAIN, env });
  assert.equal(refused.code, 2, refused.err);
  assert.ok(refused.err.includes(`${old.baseUrl}/`) && refused.err.includes(`${other.baseUrl}/`), refused.err);
  assert.match(refused.err, /outbox postgres: move --base-url URL/);
  assert.doesNotMatch(refused.err, /of-the-database/);
  const moved = await run(['outbox', outbox, 'move', '--base-url', other.baseUrl], { main: MAIN });
  assert.deepEqual(
    [moved.code, moved.out],
    [0, `The outbox is for ${other.baseUrl}/ now; 1 order will be sent there.\n`],
    moved.err,
  );
  const why = 'the outbox was moved to another base URL (wrong-service)';
  await until(() => logOf(relay.child, 'error').some(({ failure }) => failure === why), 'the moved relay to say why');
  const next = await relayed(t, { ...other, outbox, main: MAIN });
  assert.equal((await settled(next)).state, 'created');
});

test('outbox looks into a database while its relay runs, and decides about orders', async (t) => {
  const { outbox } = await databaseOf(t);
  const order = numbered(0);
  const service = await serviceOf(t, () => ({ status: 422, body: '{"Message":"sold out"}' }));
  const cwd = folderOf(t, { 'carts.txt': 'S-2\nS-9\n' });
  // The password is not in the arguments.
  const env = { SALES_ORDER_OUTBOX: outbox };
  const act = (...args) => run(['outbox', 'postgres:', ...args], { main: MAIN, env, cwd });
  const none = await act('list');
  assert.deepEqual([none.code, none.out], [2, '']);
  assert.match(none.err, /^error: the database has no outbox\n/);
  const socket = await run(['outbox', 'postgres://shop@/shop?host=/nowhere', 'list'], { main: MAIN });
  assert.match(socket.err, /^error: the outbox can't be used: the store failed \(ENOENT\)\n$/);
  const relay = await relayed(t, { ...service, outbox, main: MAIN });
  await put(relay, order, { 'X-Order-Reference': 'S-2' });
  const { state } = await settled(relay, order);
  assert.equal(state, 'refused');
  const listed = jsonLines((await act('list', '--state', 'refused', '--json')).out);
  assert.deepEqual(
    listed.map(({ orderId, reference }) => [orderId, reference]),
    [[order.Id, 'S-2']],
  );
  assert.match((await act('show', 'S-2')).out, /^Reference +S-2$[\s\S]*^\S+ \S+ \S+ +attempt +422/m);
  const missing = await act('missing', 'carts.txt');
  assert.equal(
    missing.out,
    `carts.txt:1: S-2: refused (RejectedError 422), order ${order.Id}\ncarts.txt:2: S-9: never added\n2 keys: 1 refused, 1 never added.\n`,
  );
  const retried = await act('retry', 'S-2');
  assert.deepEqual([retried.code, retried.out], [0, '1 order will be sent by the relay.\n'], retried.err);
  await until(async () => (await settled(relay, order)).attempts === 2, 'the second attempt');
  const forgotten = await act('forget', '--state', 'refused', '--by', 'Grace');
  assert.equal(forgotten.code, 0, forgotten.err);
  assert.match((await act('show', order.Id)).out, /^\S+ \S+ \S+ +forget +by Grace$/m);
});
