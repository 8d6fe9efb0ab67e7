/**
 * Tests PostgreSQL as it is run in production: roles without rights, poolers, the shop's own pool, a database that is
 * late.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { freePort } from '../../../scripts/ports.mjs';
import { findPgbouncer } from '../../../scripts/postgres.mjs';
import { startFaultServer } from '../../client/fault-server.mjs';
import { installedFile } from '../../node/installed.mjs';
import { PERSONAL, RETRY, clientOf, createOutbox, rejection, numbered, until } from '../harness.mjs';
import { startPgbouncer } from '../pgbouncer.mjs';
import { Pool, URL_OF_TESTS, newSchema, postgresSchema, postgresStore } from '../postgres.mjs';
import { afterwards, schemaOfFile, watched } from './afterwards.mjs';

const pool = new Pool({ connectionString: URL_OF_TESTS, max: 16 });
after(() => pool.end());

/** A schema has the orders of one service (D60). */
const servers = new Map();

/** Creates an outbox that sends to a service on loopback, the same one for a schema. */
async function setUp(t, options) {
  const server = servers.get(options.schema) ?? (await startFaultServer());
  servers.set(options.schema, server);
  const errors = [];
  const hooks = { onError: (event) => errors.push(event) };
  const store = postgresStore(options);
  const outbox = createOutbox({ client: clientOf(server.baseUrl), store, retry: RETRY, hooks });
  t.after(async () => {
    await outbox.stop({ timeoutMs: 0 });
    await server.close();
  });
  return { server, outbox, errors, store };
}

/** Creates a role that can log in and may do nothing. Returns its name, and the URL of the database for it. */
async function roleOf() {
  const role = newSchema();
  await pool.query(`CREATE ROLE ${role} LOGIN`);
  afterwards(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  const url = new URL(URL_OF_TESTS ?? '');
  url.username = role;
  return { role, url: url.href };
}

/** Grants what the comments at the end of the published SQL say. */
async function grant(sql, role) {
  const grants = [...sql.matchAll(/^-- (GRANT .*;)$/gm)].map(([, statement]) =>
    statement.replace('TO shop;', `TO ${role};`),
  );
  assert.equal(grants.length, 2);
  await pool.query(grants.join('\n'));
}

async function connectionsOf(name) {
  const { rows } = await pool.query(
    'SELECT count(*)::int AS connections FROM pg_stat_activity WHERE application_name = $1',
    [name],
  );
  return rows[0].connections;
}

function resources() {
  return process
    .getActiveResourcesInfo()
    .filter((name) => ['Timeout', 'TCPSocketWrap', 'Immediate'].includes(name))
    .sort();
}

/** Returns how many processes report that they deliver. */
async function processesOf(schema) {
  const { rows } = await pool.query(`SELECT count(*)::int AS processes FROM ${schema}.outbox_process`);
  return rows[0].processes;
}

/**
 * Opens a store and adds entries to it.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} count
 * @param {(n: number) => object} [changes] Members of an entry.
 */
async function storeWith(t, count, changes = (_n) => ({})) {
  const schema = schemaOfFile();
  const store = postgresStore({ connectionString: URL_OF_TESTS, schema });
  t.after(() => store.close());
  const now = Date.now();
  const times = { addedAt: now, dueAt: now, deadlineAt: now + 3_600_000 };
  const ids = Array.from({ length: count }, (_, n) => numbered(n).Id);
  await Promise.all(
    ids.map((orderId, n) =>
      store.add({ orderId, version: 'v3', body: '{}', location: '1/1', ...times, ...changes(n) }, undefined),
    ),
  );
  return { schema, store, ids, now };
}

const TAKE_ALL = { limit: 1000, room: () => 1000 };
const AGAIN = { state: 'waiting', settledAt: null, noticeAt: null };
const RETRYABLE = { states: ['stalled', 'refused', 'waiting'], hasBody: true };

async function take(store, count, limit = TAKE_ALL.limit) {
  const taken = [];
  await until(async () => {
    taken.push(...(await store.take({ ...TAKE_ALL, limit, now: Date.now() })).entries);
    return taken.length >= count;
  }, `${count} entries taken`);
  return taken;
}

function stalled(entry, changes = {}) {
  const { lease: _, ...stored } = entry;
  return { ...stored, state: 'stalled', outcome: 'unknown', reason: 'TimeoutError', settledAt: Date.now(), ...changes };
}

describe('rights', () => {
  test('with the published SQL run by an owner, a role that may create nothing adds and delivers', async (t) => {
    const schema = schemaOfFile();
    const sql = await postgresSchema({ schema });
    await pool.query(sql);
    const { role, url } = await roleOf();
    await grant(sql, role);
    const { outbox, server, errors } = await setUp(t, { connectionString: url, schema });
    outbox.start();
    await outbox.add(numbered(1));
    assert.equal((await outbox.settled(numbered(1).Id)).state, 'created');
    assert.equal(server.orders.size, 1);
    assert.equal(await processesOf(schema), 1);
    await outbox.prune();
    await outbox.stop();
    assert.equal(await processesOf(schema), 0);
    assert.deepEqual(errors, []);
  });

  test('the published SQL is what the store creates', async (t) => {
    const [published, created] = [schemaOfFile(), schemaOfFile()];
    await pool.query(await postgresSchema({ schema: published }));
    const { outbox } = await setUp(t, { connectionString: URL_OF_TESTS, schema: created });
    await outbox.counts();
    const describe = async (schema) => {
      const { rows } = await pool.query(
        `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
         WHERE table_schema = $1 UNION ALL
       SELECT tablename, indexname, indexdef, NULL, NULL FROM pg_indexes WHERE schemaname = $1 ORDER BY 1, 2`,
        [schema],
      );
      return JSON.stringify(rows, null, 1).replaceAll(schema, 'SCHEMA');
    };
    assert.equal(await describe(created), await describe(published));
  });

  /** @type {[string, (schema: string, role: string) => Promise<unknown>, RegExp][]} */
  const LACKING = [
    [
      'there is no schema',
      async () => {},
      /There is no schema (\w+), and this role may not create it .*outbox --schema \1"/,
    ],
    [
      'the schema is empty',
      (schema, role) => pool.query(`CREATE SCHEMA ${schema}; GRANT USAGE ON SCHEMA ${schema} TO ${role}`),
      /Schema (\w+) does not have the tables of the outbox.*outbox --schema \1"/,
    ],
    [
      'the role has no rights',
      async (schema) => pool.query(await postgresSchema({ schema })),
      /This role may not read schema \w+ .*USAGE.*SELECT, INSERT, UPDATE and DELETE/,
    ],
    [
      'the role may only read',
      async (schema, role) => {
        await pool.query(await postgresSchema({ schema }));
        await pool.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role};
          GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
      },
      /This role may not use schema \w+ .*USAGE.*SELECT, INSERT, UPDATE and DELETE/,
    ],
  ];

  for (const [what, prepare, expected] of LACKING) {
    test(`if ${what} and the role may not change that, the error says what to do`, async (t) => {
      const schema = schemaOfFile();
      const { role, url } = await roleOf();
      await prepare(schema, role);
      const { outbox } = await setUp(t, { connectionString: url, schema });
      const error = await rejection(outbox.add(numbered(1)));
      assert.deepEqual([error.name, error.reason, error.code], ['OutboxError', 'unsupported', '42501']);
      assert.match(error.message, expected);
      assert.doesNotMatch(error.message, /not certain/);
      assert.equal(error.cause.code, '42501');
    });
  }

  test('outbox --schema prints the SQL', async () => {
    const args = [installedFile('dist/cli/main.js'), 'outbox', '--schema'];
    const run = (...schema) => spawnSync(process.execPath, [...args, ...schema], { encoding: 'utf8' });
    const printed = run('shop_outbox');
    assert.deepEqual([printed.status, printed.stderr], [0, '']);
    assert.equal(printed.stdout.trim(), (await postgresSchema({ schema: 'shop_outbox' })).trim());
    assert.match(run().stdout, /CREATE TABLE IF NOT EXISTS sales_order_outbox\.outbox_entry/);
    const wrong = run('Shop');
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /the schema Shop must be a lower-case name/);
  });
});

describe('connections', { concurrency: 4 }, () => {
  /** Without those of PL/pgSQL, which appear once it is used. */
  const SETTINGS = "SELECT name, setting FROM pg_settings WHERE name NOT LIKE 'plpgsql.%' ORDER BY name";

  test("with the shop's own pool, the store opens no connection, ends nothing and changes no setting", async (t) => {
    const name = newSchema();
    const own = new Pool({ connectionString: URL_OF_TESTS, application_name: name, max: 4 });
    own.on('error', () => {});
    t.after(() => own.end());
    const settings = async () => {
      const client = await own.connect();
      const { rows } = await client.query(SETTINGS);
      client.release();
      return rows;
    };
    const before = await settings();
    const listeners = () => own.eventNames().map((event) => [event, own.listenerCount(event)]);
    const [options, heard] = [{ ...own.options }, listeners()];
    const schema = schemaOfFile();
    const { outbox, server } = await setUp(t, { pool: own, schema });
    await outbox.add(numbered(1));
    outbox.start();
    assert.equal((await outbox.settled(numbered(1).Id)).state, 'created');
    assert.ok((await connectionsOf(name)) <= 4);
    const { rows: others } = await pool.query(
      'SELECT query FROM pg_stat_activity WHERE query LIKE $1 AND application_name <> $2 AND pid <> pg_backend_pid()',
      [`%${schema}%`, name],
    );
    assert.deepEqual(others, []);
    await outbox.stop();
    assert.equal(server.orders.size, 1);
    const clients = await Promise.all(Array.from({ length: 4 }, () => own.connect()));
    const found = [];
    for (const client of clients) {
      const { rows } = await client.query(SETTINGS);
      found.push({ rows, listeners: client.listenerCount('error') });
      client.release();
    }
    for (const { rows, listeners } of found) assert.deepEqual([rows, listeners], [before, found[0].listeners]);
    assert.deepEqual([own.options, listeners(), own.ended], [options, heard, false]);
  });

  test('behind PgBouncer in transaction mode, orders are added, replaced and delivered', {
    skip: !findPgbouncer() && 'no PgBouncer',
  }, async (t) => {
    const url = await startPgbouncer(t, URL_OF_TESTS);
    const schema = schemaOfFile();
    const { outbox, server, errors } = await setUp(t, { connectionString: url, schema });
    const own = new Pool({ connectionString: url });
    own.on('error', () => {});
    t.after(() => own.end());
    await outbox.counts();
    const client = await own.connect();
    await client.query('BEGIN');
    await outbox.add(numbered(0), { transaction: client });
    await client.query('COMMIT');
    await client.query('BEGIN');
    await outbox.replace(numbered(0, { Notes: 'corrected' }), { transaction: client });
    await client.query('COMMIT');
    client.release();
    await Promise.all(Array.from({ length: 100 }, (_, n) => outbox.add(numbered(n + 1))));
    outbox.start();
    await until(async () => (await outbox.counts()).created === 101);
    assert.equal(JSON.parse(server.orders.get(numbered(0).Id).body).Notes, 'corrected');
    assert.equal(await outbox.retryAll({ states: ['stalled'] }), 0);
    assert.deepEqual(errors, []);
  });
});

describe('failures', { concurrency: 4 }, () => {
  test("the database's own error is the cause, and its values are in no message", async (t) => {
    const schema = schemaOfFile();
    const { outbox } = await setUp(t, { connectionString: URL_OF_TESTS, schema });
    await outbox.counts();
    await pool.query(
      `ALTER TABLE ${schema}.outbox_entry ADD COLUMN name text GENERATED ALWAYS AS (body::json ->> 'FirstName') STORED UNIQUE`,
    );
    await outbox.add(numbered(0));
    const error = await rejection(outbox.add(numbered(1)));
    assert.deepEqual([error.name, error.reason, error.code], ['OutboxError', 'store', '23505']);
    assert.match(error.message, /Nothing was written/);
    assert.match(error.cause.detail, PERSONAL);
    assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, PERSONAL);
    assert.equal(Object.keys(error).includes('cause'), false);
    const client = await pool.connect();
    t.after(() => client.release(true));
    await client.query('BEGIN');
    const inTransaction = await rejection(outbox.add(numbered(1), { transaction: client }));
    assert.match(inTransaction.message, /Roll the transaction back/);
    assert.equal(inTransaction.cause.code, '23505');
  });
});

describe('changes', { concurrency: 4 }, () => {
  test('a page is changed by one statement, and what waits then is taken', async (t) => {
    const { schema, store, ids, now } = await storeWith(t, 60);
    const taken = await take(store, 60);
    await Promise.all(taken.map((entry) => store.settle(entry, stalled(entry))));
    const statements = [];
    const another = watched(t, schema, (text) => void statements.push(text));
    await another.count();
    const change = { ...AGAIN, dueAt: now, deadlineAt: now + 7_200_000 };
    let after = 0;
    for (const limit of [5, 50]) {
      statements.length = 0;
      const { changed, last } = await another.changeAll({ after, limit }, RETRYABLE, change);
      assert.deepEqual([changed, statements.length], [limit, 1]);
      after = last;
    }
    assert.deepEqual(await another.changeAll({ after, limit: 50 }, RETRYABLE, AGAIN), { changed: 5, last: null });
    const again = await take(store, 60);
    assert.deepEqual(again.map(({ orderId }) => orderId).sort(), ids.sort());
  });

  test('changeAll waits for no lock while it holds others, and then changes each entry that was locked', async (t) => {
    const { schema, store, ids } = await storeWith(t, 3);
    const worker = await pool.connect();
    t.after(() => worker.release(true));
    await worker.query('BEGIN');
    await worker.query(`UPDATE ${schema}.outbox_entry SET attempts = 7 WHERE order_id = $1`, [ids[1]]);
    const changing = store.changeAll({ after: 0, limit: 500 }, RETRYABLE, { ...AGAIN, reason: 'again' });
    // Not by the store, whose only connection waits for the lock.
    const sql = `SELECT reason FROM ${schema}.outbox_entry ORDER BY position`;
    const reasons = async () => (await pool.query(sql)).rows.map(({ reason }) => reason);
    await until(async () => (await reasons()).join() === 'again,,again', 'the free ones changed');
    await worker.query('COMMIT');
    assert.equal((await changing).changed, 3);
    assert.deepEqual(await reasons(), ['again', 'again', 'again']);
    assert.equal((await store.get(ids[1])).attempts, 7);
  });

  test('retryAll beside workers, and beside retry, corrupts nothing: every order is created once', async (t) => {
    const schema = schemaOfFile();
    const options = { connectionString: URL_OF_TESTS, schema };
    const { outbox: first, errors: errorsOfFirst } = await setUp(t, options);
    const { outbox: second, server, errors: errorsOfSecond } = await setUp(t, options);
    await Promise.all(Array.from({ length: 400 }, (_, n) => first.add(numbered(n, { EntityId: 1 + (n % 4) }))));
    second.start();
    let retried = 0;
    const isDelivered = async () => (await first.counts()).created === 400;
    await Promise.all(
      [0, 1].map(async (turn) => {
        while (!(await isDelivered())) {
          retried += await first.retryAll({});
          for (let n = turn; n < 400; n += 40) {
            await first.retry(numbered(n).Id).catch((error) => assert.equal(error.reason, 'wrong-state'));
          }
        }
      }),
    );
    t.diagnostic(`${retried} retried`);
    assert.equal(server.orders.size, 400);
    for (const { creations } of server.orders.values()) assert.equal(creations, 1);
    assert.deepEqual([errorsOfFirst, errorsOfSecond], [[], []]);
  });
});

describe('order', { concurrency: 4 }, () => {
  test('of the orders that are due, the one that is due first is taken first', async (t) => {
    const { store, ids, now } = await storeWith(t, 4, (n) => ({ dueAt: Date.now() - [4000, 60_000, 2000, 30_000][n] }));
    const orderOf = (entries) => entries.map(({ orderId }) => ids.indexOf(orderId));
    const entries = await take(store, 4, 1);
    assert.deepEqual(orderOf(entries), [1, 3, 0, 2]);
    // One whose attempt settled nothing goes behind those that are due before its next attempt, also if they are added
    // later.
    const [suspect] = entries;
    await store.settle(suspect, { ...stalled(suspect), state: 'waiting', settledAt: null, dueAt: now - 1000 });
    const late = numbered(9).Id;
    const times = { addedAt: now, dueAt: now - 20_000, deadlineAt: now + 3_600_000 };
    await store.add({ orderId: late, version: 'v3', body: '{}', location: '1/1', ...times }, undefined);
    const next = await take(store, 2, 1);
    assert.deepEqual(
      next.map(({ orderId }) => orderId),
      [late, suspect.orderId],
    );
  });
});

// One after the other, because they count what the process has open.
describe('what a process has open', () => {
  test('a process that only adds opens one connection, and is not one that delivers', async (t) => {
    const schema = schemaOfFile();
    const name = newSchema();
    // The test's own connection is open, too.
    assert.equal(await connectionsOf(name), 0);
    const before = resources();
    const { outbox } = await setUp(t, { config: { connectionString: URL_OF_TESTS, application_name: name }, schema });
    const opened = resources();
    await Promise.all(Array.from({ length: 50 }, (_, n) => outbox.add(numbered(n))));
    await Promise.all(Array.from({ length: 50 }, (_, n) => outbox.get(numbered(n).Id)));
    assert.equal(await connectionsOf(name), 1);
    assert.equal(await processesOf(schema), 0);
    // The connection, and the timer of its idle time.
    const timers = (list) => list.filter((each) => each === 'Timeout').length;
    assert.ok(timers(resources()) - timers(opened) <= 1, `${before} → ${opened} → ${resources()}`);
    outbox.start();
    await until(async () => (await outbox.counts()).created === 50);
    assert.equal(await processesOf(schema), 1);
    await until(async () => (await connectionsOf(name)) > 1, 'more connections for deliveries');
  });

  test('an outbox whose database is late works once it is up, and leaves nothing of ten failed attempts', async (t) => {
    const { hostname, port: target } = new URL(URL_OF_TESTS ?? '');
    const port = await freePort();
    const url = new URL(URL_OF_TESTS ?? '');
    url.port = String(port);
    const name = newSchema();
    const { outbox, server } = await setUp(t, {
      config: { connectionString: url.href, application_name: name },
      schema: schemaOfFile(),
    });
    const before = resources();
    for (let attempt = 0; attempt < 10; attempt++) {
      const error = await rejection(outbox.add(numbered(1)));
      assert.deepEqual([error.reason, error.code], ['store', 'ECONNREFUSED']);
      assert.match(error.message, /Nothing was written/);
      assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, PERSONAL);
    }
    await until(() => resources().length <= before.length, `resources as before: ${before}`);
    const proxy = createServer((socket) => {
      const upstream = connect(Number(target), hostname);
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    });
    await new Promise((resolve) => proxy.listen(port, '127.0.0.1', () => resolve(undefined)));
    t.after(() => proxy.close());
    outbox.start();
    await outbox.add(numbered(1));
    assert.equal((await outbox.settled(numbered(1).Id)).state, 'created');
    assert.equal(server.orders.size, 1);
  });

  test('failures after it has connected leave no timer and no connection', async (t) => {
    const schema = schemaOfFile();
    const sql = await postgresSchema({ schema });
    await pool.query(sql);
    const { role, url } = await roleOf();
    await grant(sql, role);
    await pool.query(`ALTER TABLE ${schema}.outbox_entry RENAME TO aside`);
    const name = newSchema();
    const { outbox } = await setUp(t, { config: { connectionString: url, application_name: name }, schema });
    outbox.start();
    await rejection(outbox.counts());
    const before = resources();
    for (let attempt = 0; attempt < 10; attempt++) {
      const error = await rejection(outbox.add(numbered(1)));
      assert.match(error.message, /does not have the tables of the outbox, and this role may not create them/);
    }
    await until(() => resources().length <= before.length, `resources as before: ${before}`);
    await until(async () => (await connectionsOf(name)) === 0, 'no connection');
    await pool.query(`ALTER TABLE ${schema}.aside RENAME TO outbox_entry`);
    // An attempt of the running outbox that began before may still fail, for all that wait for it.
    const isAdded = () =>
      outbox.add(numbered(1)).then(
        () => true,
        () => false,
      );
    await until(isAdded, 'the table found');
    assert.equal((await outbox.settled(numbered(1).Id)).state, 'created');
  });
});
