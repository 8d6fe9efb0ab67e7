/** Tests connections to PostgreSQL that fall silent: every call ends when its time is up, and the next one works. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startFaultServer } from '../../client/fault-server.mjs';
import { startSilentProxy } from '../../silent-proxy.mjs';
import { PERSONAL, RETRY, clientOf, createOutbox, numbered, rejection, until } from '../harness.mjs';
import { Pool, URL_OF_TESTS, newSchema, postgresStore, projectWithPostgres } from '../postgres.mjs';
import { afterwards, schemaOfFile } from './afterwards.mjs';

const pool = new Pool({ connectionString: URL_OF_TESTS, max: 4 });
const pools = [];
after(() => Promise.all([pool, ...pools].map((each) => each.end())));

/** Longer than any test: the time of a call is up when a test says so, however slow the machine is. */
const TIMEOUT_MS = 86_400_001;
/** The calls of the store that wait for an answer. */
const waiting = new Set();
const { setTimeout, clearTimeout } = globalThis;
Object.assign(globalThis, {
  setTimeout(callback, ms, ...values) {
    if (ms !== TIMEOUT_MS) return setTimeout(callback, ms, ...values);
    const call = { callback, unref() {} };
    waiting.add(call);
    return call;
  },
  clearTimeout: (timer) => waiting.delete(timer) || clearTimeout(timer),
});

const ofStore = (url) => ({ connectionString: url });

/** Ends the time of all calls that wait now. */
function timeIsUp() {
  for (const call of waiting) {
    waiting.delete(call);
    call.callback();
  }
}

/**
 * Starts a proxy before the database. Returns it, and an outbox behind it, whose time is in the test's hand.
 *
 * @param {import('node:test').TestContext} t
 * @param {(url: string) => any} [sourceOf] Returns where the connections come from.
 */
async function setUp(t, sourceOf = ofStore) {
  const schema = schemaOfFile();
  const proxy = await startSilentProxy(URL_OF_TESTS ?? '');
  const server = await startFaultServer();
  const errors = [];
  const store = postgresStore({ ...sourceOf(proxy.url), schema, queryTimeoutMs: TIMEOUT_MS });
  const hooks = { onError: (event) => errors.push(event) };
  const outbox = createOutbox({ client: clientOf(server.baseUrl), store, retry: RETRY, hooks });
  t.after(async () => {
    const stopping = outbox.stop({ timeoutMs: 0 });
    const isStopped = stopping.then(() => true);
    await until(async () => {
      timeIsUp();
      return Promise.race([isStopped, new Promise((resolve) => setTimeout(resolve, 5))]);
    }, 'the outbox stopped');
    await server.close();
    await proxy.close();
  });
  return { proxy, server, store, outbox, errors, schema };
}

/** Waits until something was sent into the silence, and then ends the time of whoever waits for the answer. */
async function silenceIsNoticed(proxy, before = 0) {
  await until(() => proxy.swallowed > before, 'a statement sent into the silence');
  timeIsUp();
}

function assertTimedOut(error, consequence) {
  assert.deepEqual([error.name, error.reason, error.code], ['OutboxError', 'store', 'ETIMEDOUT']);
  assert.match(error.message, /did not answer within 86400001 ms \(queryTimeoutMs\): waited for (a|the) \w+/);
  assert.match(error.message, consequence);
  assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, PERSONAL);
}

/** The shop's own pool, whose connections stay idle for as long as they like. */
function poolOf(url, max) {
  const own = new Pool({ connectionString: url, max, idleTimeoutMillis: 0 });
  own.on('error', () => {});
  pools.push(own);
  return own;
}

for (const { what, sourceOf } of [
  { what: 'a connection of the store', sourceOf: ofStore },
  { what: "the only connection of the shop's pool", sourceOf: (url) => ({ pool: poolOf(url, 1) }) },
]) {
  test(`an add on ${what} that fell silent fails when its time is up, and the one behind it is accepted`, async (t) => {
    const { proxy, outbox } = await setUp(t, sourceOf);
    await outbox.add(numbered(0));
    proxy.silence();
    const failing = rejection(outbox.add(numbered(1)));
    await until(() => proxy.swallowed > 0, 'the add sent into the silence');
    const behind = outbox.add(numbered(2));
    timeIsUp();
    assertTimedOut(await failing, /waited for a statement\. It is not certain what was written/);
    assert.equal((await behind).state, 'waiting');
    assert.equal((await outbox.add(numbered(1))).state, 'waiting');
    assert.equal((await outbox.counts()).waiting, 3);
  });
}

test('idle connections that fell silent with another one are closed before they are used', async (t) => {
  const { proxy, outbox } = await setUp(t, (url) => ({ pool: poolOf(url, 4) }));
  await Promise.all(Array.from({ length: 8 }, () => outbox.counts()));
  assert.equal(proxy.working, 4);
  proxy.silence();
  const failing = rejection(outbox.counts());
  await silenceIsNoticed(proxy);
  assertTimedOut(await failing, /Nothing was written/);
  for (let n = 0; n < 4; n++) assert.equal((await outbox.add(numbered(n))).state, 'waiting');
});

test('a database that accepts connections and says nothing fails the first call in its time, and the next one works', async (t) => {
  const { proxy, outbox } = await setUp(t);
  proxy.silence({ newOnes: true });
  const failing = rejection(outbox.add(numbered(1)));
  await silenceIsNoticed(proxy);
  const error = await failing;
  assertTimedOut(error, /waited for a connection\. Nothing was written/);
  proxy.recover();
  assert.equal((await outbox.add(numbered(1))).state, 'waiting');
});

test('an outbox whose connections fall silent delivers again when their time is up, and onError says why', async (t) => {
  const { proxy, outbox, server, errors } = await setUp(t);
  outbox.start();
  await outbox.add(numbered(0));
  assert.equal((await outbox.settled(numbered(0).Id)).state, 'created');
  proxy.silence();
  // Whenever something was sent into the silence, the time of those that wait is up.
  let noticed = 0;
  const notice = async () => {
    if (proxy.swallowed > noticed) timeIsUp();
    noticed = proxy.swallowed;
  };
  let isAdded = false;
  const adding = (async () => {
    while (!isAdded)
      isAdded = await outbox.add(numbered(1)).then(
        () => true,
        () => false,
      );
  })();
  await until(() => notice().then(() => isAdded && server.orders.size === 2), 'an order accepted and delivered');
  await adding;
  const isReported = () => errors.some(({ reason, code }) => reason === 'OutboxError' && code === 'ETIMEDOUT');
  await until(() => notice().then(isReported), 'the silence reported');
});

test("in the shop's transaction, a call whose time is up fails, and the shop's connection is not closed", async (t) => {
  const { outbox } = await setUp(t);
  await outbox.counts();
  const proxy = await startSilentProxy(URL_OF_TESTS ?? '');
  t.after(() => proxy.close());
  const shop = poolOf(proxy.url, 1);
  const client = await shop.connect();
  await client.query('BEGIN');
  const { release, end } = client;
  let closings = 0;
  Object.assign(client, { release: () => closings++, end: () => closings++ });
  proxy.silence();
  const failing = rejection(outbox.add(numbered(1), { transaction: client }));
  await silenceIsNoticed(proxy);
  assertTimedOut(await failing, /Roll the transaction back/);
  assert.equal(closings, 0);
  Object.assign(client, { release, end });
  client.release(true);
  assert.equal((await outbox.add(numbered(1))).state, 'waiting');
});

test('close ends when its time is up, and the calls that still wait end with it', async (t) => {
  const { proxy, outbox, store } = await setUp(t);
  await outbox.counts();
  proxy.silence();
  const failing = rejection(outbox.add(numbered(1)));
  await until(() => proxy.swallowed > 0, 'the add sent into the silence');
  const [ofAdd] = waiting;
  const closing = store.close();
  const ofClose = [...waiting].filter((call) => call !== ofAdd);
  assert.equal(ofClose.length, 1);
  ofClose[0].callback();
  await closing;
  assert.equal((await failing).reason, 'store');
});

test('a process whose connections fell silent ends once its outbox has stopped', async (t) => {
  const proxy = await startSilentProxy(URL_OF_TESTS ?? '');
  t.after(() => proxy.close());
  const schema = newSchema();
  afterwards(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  const module = join(projectWithPostgres(), 'node_modules/sales-order-intake/dist/esm/outbox/postgres/index.js');
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `
    import { postgresStore } from ${JSON.stringify(pathToFileURL(module).href)};
    const store = postgresStore({ connectionString: ${JSON.stringify(proxy.url)}, schema: '${schema}' });
    await store.count();
    console.log('open');
    process.stdin.once('data', async () => { await store.close(); console.log('closed'); process.stdin.destroy(); });
  `,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  await until(() => printed.includes('open'), 'the store opened');
  proxy.silence();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.write('close');
  assert.equal(await ended, 0);
  assert.match(printed, /closed/);
});
