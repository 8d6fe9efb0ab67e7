/** Tests the caller's own transaction in three libraries, errors of the database, and missing parts. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/places.mjs';
import { startFaultServer } from '../client/fault-server.mjs';
import { installedFile } from '../node/installed.mjs';
import { PERSONAL, RETRY, clientOf, createOutbox, failureOf, numbered, until } from './harness.mjs';
import { Pool, URL_OF_TESTS, newSchema, postgresStore, projectWithEngine } from './postgres.mjs';
import { nodeOf } from './run.mjs';

const skip = !URL_OF_TESTS && 'no TEST_DATABASE_URL';
const pool = new Pool({ connectionString: URL_OF_TESTS, max: 4 });
after(() => pool.end());

async function setUp(t, options = {}) {
  const server = await startFaultServer();
  const schema = newSchema();
  const store = postgresStore({ connectionString: URL_OF_TESTS, schema, ...options.store });
  const outbox = createOutbox({ client: clientOf(server.baseUrl), store, retry: RETRY, ...options });
  t.after(async () => {
    await outbox.stop({ timeoutMs: 0 });
    await server.close();
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  });
  return { server, outbox, schema, store };
}

/** Returns two stores on the same tables, as two processes have them. */
async function setUpStores(t) {
  const schema = newSchema();
  const open = () => postgresStore({ connectionString: URL_OF_TESTS, schema });
  const [store, another] = [open(), open()];
  t.after(async () => {
    await Promise.all([store.close(), another.close()]);
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  });
  await store.count();
  return { schema, store, another };
}

async function addTo(store, n, changes = {}) {
  const { Id: orderId } = numbered(n);
  const now = Date.now();
  const times = { addedAt: now, dueAt: now, deadlineAt: now + 3_600_000 };
  await store.add({ ...{ orderId, version: 'v3', body: '{}', location: '1/1' }, ...times, ...changes }, undefined);
  return orderId;
}

async function takeFrom(store, wanted) {
  const taken = [];
  await until(async () => {
    const { entries } = await store.take({ now: Date.now(), limit: 100, room: () => 100, full: [] });
    taken.push(...entries);
    return taken.length >= wanted;
  }, `${wanted} entries taken`);
  return taken;
}

test("the caller's rollback discards the order; its commit accepts the order", { skip }, async (t) => {
  const { outbox, server, schema } = await setUp(t);
  outbox.start();
  await outbox.counts();
  const client = await pool.connect();
  for (const [n, end] of ['ROLLBACK', 'COMMIT'].entries()) {
    await client.query('BEGIN');
    assert.equal((await outbox.add(numbered(n), { transaction: client })).state, 'waiting');
    assert.equal(await outbox.get(numbered(n).Id), null, 'visible before the commit');
    await client.query(end);
  }
  client.release();
  await until(async () => (await outbox.counts()).created === 1);
  assert.deepEqual([...server.orders.keys()], [numbered(1).Id]);
  const { rows } = await pool.query(`SELECT count(*)::int AS jobs FROM ${schema}.job WHERE name = 'order'`);
  assert.equal(rows[0].jobs, 1);
});

for (const name of ['node-postgres', 'kysely', 'drizzle']) {
  test(`the example for ${name}: the cart and the order are stored together, or not at all`, { skip }, async (t) => {
    const server = await startFaultServer();
    t.after(() => server.close());
    const schema = newSchema();
    t.after(() => pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
    const project = projectWithEngine();
    const program = join(project, `${name}.mjs`);
    cpSync(join(root, `examples/outbox/${name}.mjs`), program);
    const child = spawn(process.execPath, [program], {
      cwd: project,
      env: { ...process.env, DATABASE_URL: URL_OF_TESTS, SCHEMA: schema, BASE_URL: server.baseUrl, TOKEN: 'token' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.equal(await text(child.stdout), 'rolled back: null\ncommitted: created\n');
    assert.equal(server.orders.size, 1);
  });
}

test('an invalid transaction is an error that states what it must be', { skip }, async (t) => {
  const { outbox } = await setUp(t);
  const error = await failureOf(outbox.add(numbered(1), { transaction: {} }));
  assert.deepEqual([error.name, error.option], ['OptionError', '/transaction']);
});

test('if the database cannot be reached, add rejects with an error that contains nothing of the order', async (t) => {
  const outbox = createOutbox({
    client: clientOf('http://127.0.0.1:9'),
    store: postgresStore({ connectionString: 'postgres://shop:token-of-the-tests@127.0.0.1:9/shop' }),
  });
  t.after(() => outbox.stop());
  const error = await failureOf(outbox.add(numbered(1)));
  assert.deepEqual([error.name, error.reason, error.code], ['OutboxError', 'store', 'ECONNREFUSED']);
  assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, PERSONAL);
});

test('an order whose job was deleted is sent nevertheless', { skip }, async (t) => {
  const { outbox, server, schema } = await setUp(t);
  await outbox.add(numbered(1));
  await pool.query(`DELETE FROM ${schema}.job`);
  outbox.start();
  await until(async () => (await outbox.get(numbered(1).Id)).state === 'created');
  assert.equal(server.orders.size, 1);
});

test('orders that one process fetched but has no room for go to another process', { skip }, async (t) => {
  const { store, another } = await setUpStores(t);
  const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => addTo(store, n)));
  const { entries } = await store.take({ now: Date.now(), limit: 32, room: () => 1, full: [] });
  assert.equal(entries.length, 1);
  const taken = await takeFrom(another, ids.length - 1);
  assert.deepEqual([...entries, ...taken].map(({ orderId }) => orderId).sort(), ids.sort());
});

test('a message of the service that PostgreSQL cannot store does not delay an order', { skip }, async (t) => {
  const { outbox, server } = await setUp(t);
  server.playAlways(({ response }) => {
    response.writeHead(400, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ Message: 'a \0 b' }));
  });
  await outbox.add(numbered(1));
  outbox.start();
  const entry = await until(async () => {
    const found = await outbox.get(numbered(1).Id);
    return found.state === 'refused' && found;
  });
  assert.match(entry.detail, /^a .* b$/);
});

test('a missing engine is an error that states what to install', () => {
  const store = pathToFileURL(installedFile('dist/esm/outbox/postgres/index.js')).href;
  const code = `import { postgresStore } from ${JSON.stringify(store)};
    const store = postgresStore({});
    try { await store.get('x'); } catch ({ name, reason, message }) { console.log(name, reason, message); }
    await store.close();`;
  for (const node of [process.execPath, nodeOf(20)]) {
    const { stdout } = spawnSync(node, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
    assert.match(
      stdout,
      /^OutboxError unsupported postgresStore needs pg(-boss)?, which is not installed; .*npm install pg-boss@12/,
    );
  }
});

test('wrong options are errors that name the option', () => {
  for (const [options, option] of [
    [undefined, ''],
    [{ schema: 'a; drop' }, '/schema'],
    [{ max: 1 }, '/max'],
    [{ connectionString: 7 }, '/connectionString'],
  ]) {
    assert.throws(() => postgresStore(options), { name: 'OptionError', option });
  }
});
