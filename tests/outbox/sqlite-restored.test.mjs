/** Tests that a backup which was put back, and a log that belongs to another file, are recognised when the file is opened (D68). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startFaultServer } from '../client/fault-server.mjs';
import { installedFile } from '../node/installed.mjs';
import { clientOf, collected, createOutbox, folderOf, numbered, rejection, sqliteStore } from './harness.mjs';

const sqlite = /** @type {any} */ (process.getBuiltinModule('node:sqlite'));
const { DatabaseSync } = sqlite;
const [OUTBOX, STORE] = ['index', 'sqlite/index'].map((name) =>
  JSON.stringify(pathToFileURL(installedFile(`dist/esm/outbox/${name}.js`)).href),
);
const client = clientOf('http://127.0.0.1:9');
const BESIDE = ['-wal', '-shm'];
const markerOf = (file) => join(dirname(file), `.${basename(file)}.outbox-marker`);

/** Adds orders in a process that is killed then, so that their log stays. `first` is run before. */
function addAndDie(file, numbers, first = '') {
  const code = `
    import { createOutbox } from ${OUTBOX};
    import { sqliteStore } from ${STORE};
    const store = sqliteStore(${JSON.stringify(file)});
    const outbox = createOutbox({ client: { createOrder: async () => {} }, store });
    ${first}
    for (const order of ${JSON.stringify(numbers.map((n) => numbered(n)))}) await outbox.add(order);
    process.kill(process.pid, 'SIGKILL');`;
  const { signal, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', code]);
  assert.equal(signal, 'SIGKILL', String(stderr));
}

/** Opens the outbox, and runs `work` in it. */
async function inOutbox(file, work, options = {}) {
  const outbox = createOutbox({ client, store: sqliteStore(file, options) });
  try {
    return await work(outbox);
  } finally {
    await outbox.stop();
  }
}

const adds =
  (...numbers) =>
  (outbox) =>
    Promise.all(numbers.map((n) => outbox.add(numbered(n))));
/** A file, and one for its backup. */
function places(t) {
  const folder = folderOf(t);
  return { folder, file: join(folder, 'orders.sqlite'), backup: join(folder, 'night.sqlite') };
}

const backUp = (file, backup) => withStore(file, (store) => store.backup(backup));

/** Asserts that the outbox opens as restored, with entries in these states. */
const isAccepted = (file, states = ['stalled', 'stalled']) =>
  inOutbox(file, async (outbox) => assert.deepEqual(await statesOf(outbox), states), { restored: true });
/** Asserts that the outbox opens, and that as many orders wait. */
const hasWaiting = (file, count, options = {}) =>
  inOutbox(file, async (outbox) => assert.equal((await outbox.counts()).waiting, count), options);

const statesOf = async (outbox) => (await collected(outbox.list())).map(({ state }) => state);

/** How a backup is made: of a file that is open in `store`, or closed. */
const COPIES = {
  'store.backup': (file, copy) => backUp(file, copy),
  'VACUUM INTO': (file, copy) => withDatabase(file, (database) => database.prepare('VACUUM INTO ?').run(copy)),
  'the online backup': (file, copy) => withDatabase(file, (database) => sqlite.backup(database, copy)),
  'cp of the closed file': (file, copy) => copyFileSync(file, copy),
};

async function withStore(file, use) {
  const store = sqliteStore(file);
  await use(store);
  await store.close();
}

async function withDatabase(file, use) {
  const database = new DatabaseSync(file);
  await use(database);
  database.close();
}

function isRefused(file, message, { isUnchanged = true, readOnly = false } = {}) {
  const before = readFileSync(file);
  assert.throws(
    () => sqliteStore(file, { readOnly }),
    (/** @type {any} */ error) => {
      assert.deepEqual([error.name, error.reason], ['OutboxError', 'restored']);
      assert.match(error.message, message);
      assert.match(error.message, /Nothing was sent or written/);
      assert.match(error.message, /restored: true.*outbox FILE restore/);
      return true;
    },
  );
  assert.equal(readFileSync(file).equals(before), isUnchanged);
}

for (const [how, copy] of Object.entries(COPIES)) {
  describe(`a backup made by ${how}`, () => {
    test('that was put back is refused at each opening until it is accepted, and then only once', async (t) => {
      const folder = folderOf(t);
      const [file, backup] = [join(folder, 'orders.sqlite'), join(folder, 'night.sqlite')];
      await inOutbox(file, adds(1, 2));
      await copy(file, backup);
      await inOutbox(file, adds(3));
      copyFileSync(backup, file);
      for (const readOnly of [false, true])
        isRefused(file, /orders\.sqlite is older than the file that was last open here/, { readOnly });
      await isAccepted(file);
      await inOutbox(file, async (outbox) => {
        await outbox.add(numbered(4));
        assert.deepEqual(await statesOf(outbox), ['stalled', 'stalled', 'waiting']);
      });
      // The option may have been left in the program.
      await hasWaiting(file, 1, { restored: true });
    });

    test('that was put back beside the log of a process that crashed is not mixed with it', async (t) => {
      const folder = folderOf(t);
      const [file, backup] = [join(folder, 'orders.sqlite'), join(folder, 'night.sqlite')];
      await inOutbox(file, adds(1, 2));
      await copy(file, backup);
      addAndDie(file, [3, 4, 5, 6]);
      copyFileSync(backup, file);
      // These have the pages that the log continues, so nothing is lost.
      if (/online|cp/.test(how)) return await hasWaiting(file, 6);
      isRefused(file, /orders\.sqlite-wal is the log of the previous file/);
      assert.ok(existsSync(`${file}-wal`));
      await isAccepted(file);
      assert.equal(readdirSync(folder).filter((name) => name.startsWith('orders.sqlite-wal.')).length, 1);
      await inOutbox(file, adds(7));
      const check = new DatabaseSync(file);
      assert.deepEqual(Object.values(check.prepare('PRAGMA integrity_check').get()), ['ok']);
      check.close();
    });
  });
}

test('a backup that was made while the log already had orders is not mixed with the log', async (t) => {
  const { file, backup } = places(t);
  const first = `for (const order of ${JSON.stringify([numbered(1), numbered(2)])}) await outbox.add(order);
    await store.backup(${JSON.stringify(backup)});`;
  addAndDie(file, [3, 4], first);
  copyFileSync(backup, file);
  isRefused(file, /is the log of the previous file/);
});

test('a file of another place, an older file with its own log, and a deleted file with a log are refused', async (t) => {
  const folder = folderOf(t);
  const [file, other] = [join(folder, 'orders.sqlite'), join(folder, 'other.sqlite')];
  await inOutbox(other, adds(1));
  await inOutbox(file, adds(1));
  copyFileSync(other, file);
  isRefused(file, /older than the file that was last open here/);

  addAndDie(other, [2]);
  const before = ['', ...BESIDE].map((end) => [end, readFileSync(other + end)]);
  await inOutbox(other, adds(3));
  for (const [end, bytes] of before) writeFileSync(other + end, bytes);
  // SQLite has written the log into its file.
  isRefused(other, /older than the file that was last open here/, { isUnchanged: false });

  const third = join(folder, 'third.sqlite');
  addAndDie(third, [1]);
  rmSync(third);
  assert.throws(() => sqliteStore(third), { reason: 'restored', message: /third\.sqlite was deleted or replaced/ });
  await isAccepted(third, []);
});

test('nothing that a restored outbox has is sent, cancelled or replaced by itself; a person can send it', async (t) => {
  const { folder, file, backup } = places(t);
  const server = await startFaultServer();
  t.after(() => server.close());
  const open = (options = {}, more = {}) =>
    createOutbox({ client: clientOf(server.baseUrl), store: sqliteStore(file, options), ...more });
  const before = open();
  for (const n of [1, 2, 3]) await before.add(numbered(n));
  await before.cancel(numbered(3).Id);
  await before.add(numbered(4, { Items: [] }), { invalid: 'keep' });
  await before.stop();
  await backUp(file, backup);
  const today = open();
  await today.cancel(numbered(1).Id);
  const corrected = numbered(2, { Notes: 'ring once' });
  await today.replace(corrected);
  await today.replace(numbered(4, { Notes: 'ring once' }));
  for (const n of [2, 4]) await today.start().settled(numbered(n).Id);
  await today.stop();
  // As somebody does who knows that SQLite keeps files beside it.
  for (const name of readdirSync(folder)) if (name.startsWith('orders.sqlite')) rmSync(join(folder, name));
  copyFileSync(backup, file);

  const told = [];
  const outbox = open(
    { restored: true },
    { onSettled: ({ orderId, reason }) => void told.push([orderId, reason]) },
  ).start();
  t.after(() => outbox.stop());
  for (const n of [1, 2]) {
    const { state, outcome, reason, settledAt, can } = await outbox.settled(numbered(n).Id);
    assert.deepEqual([state, outcome, reason], ['stalled', 'unknown', 'restored']);
    assert.ok(settledAt);
    assert.deepEqual(can, { retry: true, replace: false, cancel: false, forget: true });
  }
  const cancelled = await outbox.get(numbered(3).Id);
  assert.deepEqual([cancelled.state, cancelled.outcome], ['cancelled', 'unknown']);
  const stories = await Promise.all([1, 3, 4].map((n) => outbox.history(numbered(n).Id)));
  assert.deepEqual(
    stories.map((events) =>
      events.slice(1).map(({ what, outcome, reason }) => [what, outcome, reason].join(' ').trim()),
    ),
    [
      ['restored unknown restored'],
      ['cancel', 'restored unknown'],
      ['settled not-created OrderValidationError', 'restored unknown OrderValidationError'],
    ],
  );
  assert.equal((await outbox.get(numbered(4).Id)).state, 'invalid');
  assert.equal((await rejection(outbox.replace(numbered(2, { Notes: 'x' })))).reason, 'wrong-state');
  assert.equal(server.requests.length, 2, 'nothing else was sent');
  await outbox.replace(numbered(4, { Notes: 'ring twice' }));
  const other = await outbox.settled(numbered(4).Id, { timeoutMs: 300 });
  assert.notEqual(other?.outcome, 'not-created', 'the service has the order that was corrected before');
  assert.equal(await outbox.retryAll({ reason: 'restored' }), 2);
  assert.equal((await outbox.settled(numbered(1).Id)).state, 'created');
  // The service has the corrected order, and no entry says that it has none.
  const second = await outbox.settled(numbered(2).Id, { timeoutMs: 300 });
  assert.notEqual(second?.outcome, 'not-created');
  assert.deepEqual(
    told.slice(0, 2).map(([, reason]) => reason),
    ['restored', 'restored'],
  );
});

test('what is restored is refused if it is damaged', async (t) => {
  const { file, backup } = places(t);
  await inOutbox(file, (outbox) => Promise.all(Array.from({ length: 60 }, (_, n) => outbox.add(numbered(n)))));
  await backUp(file, backup);
  await inOutbox(file, adds(70));
  const bytes = readFileSync(backup);
  writeFileSync(file, bytes.fill(0xff, 8192 * 6, 8192 * 8));
  assert.throws(() => sqliteStore(file, { restored: true }), {
    name: 'OutboxError',
    message: /orders\.sqlite is damaged/,
  });
});

test('a backup that is copied over the file of a running outbox accepts no order, and is recognised afterwards', async (t) => {
  const { file, backup } = places(t);
  await inOutbox(file, adds(1, 2));
  await backUp(file, backup);
  const running = createOutbox({ client, store: sqliteStore(file) });
  await running.add(numbered(3));
  copyFileSync(backup, file);
  for (const n of [4, 5]) {
    const { reason, message } = await rejection(running.add(numbered(n)));
    assert.deepEqual([reason, /has been overwritten since it was opened/.test(message)], ['store', true]);
  }
  await running.stop();
  isRefused(file, /older than the file that was last open here/);
  copyFileSync(backup, file);
  await isAccepted(file);
});

test('another connection may write the log into the file of a running outbox', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  await inOutbox(file, async (outbox) => {
    for (const n of [1, 2, 3, 4]) {
      await outbox.add(numbered(n));
      await withDatabase(file, (database) =>
        database.exec(
          n % 2 ? 'PRAGMA wal_checkpoint(FULL)' : 'CREATE TABLE IF NOT EXISTS x (y); PRAGMA wal_checkpoint',
        ),
      );
    }
    assert.equal((await outbox.counts()).waiting, 4);
  });
  await hasWaiting(file, 4);
});

describe('no false alarm', () => {
  test('after a file was moved with its marker, without it, or deleted to begin anew', async (t) => {
    const [from, to] = [folderOf(t), folderOf(t)];
    const file = join(from, 'orders.sqlite');
    await inOutbox(file, adds(1));
    const moved = join(to, 'orders.sqlite');
    renameSync(file, moved);
    await inOutbox(file, adds(5));
    renameSync(markerOf(file), join(to, 'kept'));
    await inOutbox(moved, adds(2));
    renameSync(moved, file);
    renameSync(markerOf(moved), markerOf(file));
    await inOutbox(file, adds(3));
    await hasWaiting(file, 3);
  });

  test('if nothing has changed since the backup', async (t) => {
    const { file, backup } = places(t);
    await inOutbox(file, adds(1));
    await backUp(file, backup);
    await inOutbox(file, (outbox) => outbox.counts());
    copyFileSync(backup, file);
    await hasWaiting(file, 1);
  });

  test('after another connection has changed tables, rows and the order of pages', async (t) => {
    const file = join(folderOf(t), 'orders.sqlite');
    await inOutbox(file, adds(1));
    await withDatabase(file, (database) =>
      database.exec('CREATE TABLE note (text); INSERT INTO note VALUES (1); VACUUM'),
    );
    addAndDie(file, [2]);
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE other (text); UPDATE outbox_entry SET due_at = 0');
    database.close();
    await hasWaiting(file, 2);
  });

  test('from a marker that was cut off or is not readable', async (t) => {
    const file = join(folderOf(t), 'orders.sqlite');
    await inOutbox(file, adds(1));
    for (const text of ['', 'x', readFileSync(markerOf(file), 'latin1').slice(0, 40)]) {
      writeFileSync(markerOf(file), text);
      await inOutbox(file, (outbox) => outbox.counts());
    }
  });
});

test('a backup on another machine is sent, unless it is said that it was restored', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  const backup = join(folderOf(t), 'orders.sqlite');
  await inOutbox(file, adds(1));
  await backUp(file, backup);
  await inOutbox(backup, async (outbox) => assert.deepEqual(await statesOf(outbox), ['waiting']));
  rmSync(markerOf(backup));
  await isAccepted(backup, ['stalled']);
});

test("the shop's own database can be opened as restored; it has no marker", async (t) => {
  const file = join(folderOf(t), 'shop.sqlite');
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  await inOutbox(database, adds(1));
  await isAccepted(database, ['stalled']);
  const beside = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
  assert.deepEqual(beside.sort(), ['shop.sqlite', 'shop.sqlite.outbox-lock']);
  assert.throws(() => sqliteStore(file, { restored: 'yes' }), { name: 'OptionError', option: '/restored' });
});
