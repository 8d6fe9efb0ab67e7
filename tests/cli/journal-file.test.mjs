/** What a user names as a journal: anything else is refused and not changed, and looking at a journal writes nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createOutbox, sqliteStore } from '../outbox/harness.mjs';
import { ndjson, numbered } from './orders.mjs';
import { cleanEnv, folderOf, followed, jsonLines, MAIN, NOBODY, run, sql, TOKEN } from './program.mjs';
import { put, relayed } from './relay/relays.mjs';

const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const modeOf = (file) => statSync(file).mode & 0o777;

/** Everything in a folder: names, modes, and contents of files. */
function stateOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const contents = statSync(path).isFile() ? readFileSync(path, 'latin1') : null;
      return [name, modeOf(path), contents];
    });
}

/** Files that are no journals, each with what an error says of it. */
const OTHERS = /** @type {Record<string, [write: (path: string) => void, is: RegExp]>} */ ({
  'a-folder': [
    (path) => mkdirSync(path),
    /a-folder is a folder, not a journal\nhint: Name a file in it: .*a-folder\/orders\.sqlite/,
  ],
  'a.env': [
    (path) => writeFileSync(path, 'PASSWORD=of-the-shop\n'.repeat(30)),
    /a\.env is a text file, and no journal; it was not changed\nhint: Name another file/,
  ],
  'one-byte': [(path) => writeFileSync(path, 'x'), /one-byte is a text file/],
  'image.png': [
    (path) => writeFileSync(path, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3])),
    /image\.png is not an SQLite database, and no journal/,
  ],
  'shop.sqlite': [
    (path) => shopDatabase(path, 'DELETE').close(),
    /shop\.sqlite is an SQLite database with other tables \(cart, customer\), and no journal/,
  ],
  'shop-wal.sqlite': [
    (path) => shopDatabase(path, 'WAL').close(),
    /shop-wal\.sqlite is an SQLite database with other tables/,
  ],
});

/** A database of a shop, open. */
function shopDatabase(path, mode) {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE cart (id); CREATE TABLE customer (id)`);
  return database;
}

const COMMANDS = /** @type {Record<string, (target: string) => string[]>} */ ({
  relay: (target) => ['relay', '--listen', '0', '--base-url', NOBODY, '--outbox', target],
  send: (target) => ['send', 'orders.ndjson', '--base-url', NOBODY, '--outbox', target],
  'outbox list': (target) => ['outbox', target, 'list'],
  'outbox retry': (target) => ['outbox', target, 'retry', '--state', 'stalled'],
  'outbox move': (target) => ['outbox', target, 'move', '--base-url', NOBODY],
});

for (const [command, args] of Object.entries(COMMANDS)) {
  test(`${command} refuses what is no journal, says what it is, and changes nothing`, async (t) => {
    const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
    for (const [name, [write]] of Object.entries(OTHERS)) {
      write(join(cwd, name));
      chmodSync(join(cwd, name), name === 'a-folder' ? 0o755 : 0o664);
    }
    const before = stateOf(cwd);
    for (const [name, [, is]] of Object.entries(OTHERS)) {
      const { code, out, err } = await run(args(join(cwd, name)), { cwd, env });
      assert.deepEqual([code, out], [2, ''], `${name}: ${err}`);
      // By the name of a file that was sent, outbox finds its journal.
      const isOfSend = command.startsWith('outbox') && !name.endsWith('.sqlite');
      assert.match(err, isOfSend ? /is not a journal of send/ : is);
      assert.deepEqual(stateOf(cwd), before, name);
    }
  });
}

test('a database that another program has open is refused, and goes on', async (t) => {
  const cwd = folderOf(t);
  const database = shopDatabase(join(cwd, 'shop.sqlite'), 'WAL');
  t.after(() => database.close());
  const names = readdirSync(cwd);
  const { code, err } = await run(COMMANDS.relay?.('shop.sqlite') ?? [], { cwd, env });
  assert.equal(code, 2);
  assert.match(err, /with other tables \(cart, customer\)/);
  assert.deepEqual(readdirSync(cwd), names);
  database.exec('INSERT INTO cart VALUES (1)');
});

test('an outbox in memory is refused by every command that stores orders, and says what to do', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
  for (const command of ['relay', 'send']) {
    for (const [target, problem] of /** @type {[string, RegExp][]} */ ([
      [':memory:', /^error: --outbox :memory: would lose its orders when the process ends\nhint: Name another file/],
      ['file::memory:', /^error: --outbox takes a path, not a URL\n/],
      ['file:x.sqlite?mode=memory', /^error: --outbox takes a path, not a URL\n/],
      ['nowhere/x.sqlite', /^error: there is no folder .*nowhere for the journal\n/],
      ['orders.ndjson/x.sqlite', /^error: there is no folder .*orders\.ndjson for the journal\n/],
    ])) {
      const { code, out, err } = await run(COMMANDS[command]?.(target) ?? [], { cwd, env });
      assert.deepEqual([code, out], [2, ''], `${command} ${target}`);
      assert.match(err, problem);
    }
  }
  const database = await run(COMMANDS.send?.('postgres://shop@db.example.com/shop') ?? [], { cwd, env });
  assert.match(database.err, /^error: --outbox takes a path, not a URL\nhint: Name another file/);
  assert.deepEqual(readdirSync(cwd), ['orders.ndjson']);
});

/** The outbox of a backend, which sends nothing. */
const backendOn = (file) => createOutbox({ client: { createOrder: async () => {} }, store: sqliteStore(file) });

/** The file of a backend's own outbox, with an order that waits. */
async function backendFile(cwd, order = numbered(0)) {
  const file = join(cwd, 'backend.sqlite');
  const backend = backendOn(file);
  await backend.add(order);
  await backend.stop();
  chmodSync(file, 0o644);
  return file;
}

test('outbox list writes nothing: no table, no mode, no file beside it', async (t) => {
  const cwd = folderOf(t);
  const file = await backendFile(cwd);
  const before = stateOf(cwd);
  const { mtimeMs } = statSync(file);
  for (const more of [[], ['--json'], ['--state', 'waiting'], [numbered(0).Id], ['--detail']]) {
    const { code, out, err } = await run(['outbox', 'backend.sqlite', 'list', ...more], { cwd });
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(numbered(0).Id));
  }
  assert.deepEqual(stateOf(cwd), before);
  assert.equal(statSync(file).mtimeMs, mtimeMs);
});

test('what a person decides about the outbox of another program adds no table and changes no mode', async (t) => {
  const cwd = folderOf(t);
  const file = await backendFile(cwd);
  const tables = () => sql(file, `SELECT name FROM sqlite_schema WHERE type = 'table'`);
  const before = tables();
  for (const action of ['retry', 'cancel', 'forget']) {
    const { code, err } = await run(['outbox', 'backend.sqlite', action, numbered(0).Id], { cwd });
    assert.equal(code, 0, err);
  }
  assert.deepEqual([tables(), modeOf(file)], [before, 0o644]);
});

test('outbox list shows the orders of a relay that runs', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await put(relay);
  const { code, out, err } = await run(['outbox', relay.file, 'list', '--json']);
  assert.equal(code, 0, err);
  assert.deepEqual(
    jsonLines(out).map(({ orderId, key }) => [orderId, key]),
    [[numbered(0).Id, null]],
  );
  assert.equal((await put(relay, numbered(1))).status, 202);
  const changed = await run(['outbox', relay.file, 'cancel', '--state', 'waiting']);
  assert.equal(changed.code, 2);
  assert.match(changed.err, /is in use by another process/);
  relay.child.kill('SIGKILL');
  await relay.child.ended;
  // What the relay has written is still in its log.
  const names = readdirSync(join(relay.file, '..'));
  const [size, log] = [statSync(relay.file).size, statSync(`${relay.file}-wal`).size];
  const killed = await run(['outbox', relay.file, 'list', '--json']);
  assert.equal(jsonLines(killed.out).length, 2, killed.err);
  assert.deepEqual([statSync(relay.file).size, statSync(`${relay.file}-wal`).size], [size, log]);
  assert.deepEqual(readdirSync(join(relay.file, '..')), names);
});

test('outbox cancel --state takes those orders that the outbox permits, and names the others', async (t) => {
  const cwd = folderOf(t);
  const file = await backendFile(cwd);
  const backend = backendOn(file);
  await backend.add(numbered(1));
  await backend.stop();
  sql(
    file,
    `UPDATE outbox_entry SET state = 'stalled', reason = 'Deadline', settled_at = 1`,
    `UPDATE outbox_entry SET attempts = 1, outcome = 'unknown' WHERE order_id = '${numbered(1).Id}'`,
    'SELECT 1',
  );
  const act = (...args) => run(['outbox', 'backend.sqlite', ...args], { cwd });
  const cancelled = await act('cancel', '--state', 'stalled');
  assert.deepEqual([cancelled.code, cancelled.out], [1, '1 order will not be sent.\n']);
  assert.match(
    cancelled.err,
    /^error: 1 order that is stalled can't be cancelled\nhint: list --json shows .*: can\.$/m,
  );
  const listed = jsonLines((await act('list', '--json')).out);
  assert.deepEqual(
    listed.map(({ state, can }) => [state, can.cancel]),
    [
      ['cancelled', false],
      ['stalled', false],
    ],
  );
  for (const [args, problem] of /** @type {[string[], RegExp][]} */ ([
    [['forget', '--state', 'waiting'], /^$/],
    [['retry', '--state', 'cancelled'], /1 order that is cancelled can't be sent again/],
    [['cancel', '--state', 'cancelled'], /1 order that is cancelled can't be cancelled/],
  ])) {
    const { code, out, err } = await act(...args);
    assert.deepEqual([code, out.split(' ')[0]], [problem.test('') ? 0 : 1, '0'], err);
    assert.match(err, problem);
  }
});

test('a folder in which SQLite can keep no files is an error that says so', async (t) => {
  const cwd = folderOf(t);
  const file = await backendFile(cwd);
  // Root may write everywhere.
  const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (ids.uid) chownSync(file, ids.uid, ids.gid);
  const act = (args = []) =>
    followed(spawn(process.execPath, [MAIN, ...args], { cwd, env: cleanEnv(env), ...ids })).ended;
  chmodSync(cwd, 0o555);
  const [list, relay] = [await act(['outbox', 'backend.sqlite', 'list']), await act(COMMANDS.relay?.('new.sqlite'))];
  chmodSync(cwd, 0o755);
  assert.equal(list.code, 2, list.err);
  assert.match(
    list.err,
    /backend\.sqlite can't be opened: .*\nhint: Check the rights of the file and of its folder, in which SQLite keeps backend\.sqlite-wal/,
  );
  assert.equal(relay.code, 2, relay.err);
  assert.match(relay.err, /new\.sqlite can't be used: .* This process can't write into the folder/);
  assert.ok(!existsSync(join(cwd, 'new.sqlite')));
});
