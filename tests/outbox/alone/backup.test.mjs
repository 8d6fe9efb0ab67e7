/** Kills a process at each of its writes while it backs up or restores a file of the outbox (D68). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installedFile } from '../../node/installed.mjs';
import { clientOf, collected, createOutbox, folderOf, numbered, sqliteStore } from '../harness.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const STORE = pathToFileURL(installedFile('dist/esm/outbox/sqlite/index.js')).href;
/** What changes a file, with the distance between the calls at which a process is killed: most are writes of SQLite. */
const CALLS = { pwrite64: 15, fsync: 3, rename: 1, link: 1, unlink: 3 };
const client = clientOf('http://127.0.0.1:9');
const skip = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0 ? false : 'cannot trace';

const program = (work) => `import { restoreFile, sqliteStore } from ${JSON.stringify(STORE)}; ${work}`;

/** Yields each of these calls with its number, until a process was not killed at it. */
function* calls() {
  for (const [call, distance] of Object.entries(CALLS)) {
    const place = { call, when: 1, wasKilled: true };
    for (; place.wasKilled; place.when += distance) yield place;
  }
}

/** Runs a program in the folder, and kills it at a call. Returns true if it was killed. */
function isKilled(folder, work, { call, when }) {
  const names = readdirSync(folder).concat(NAMES);
  const strace = [
    ...['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${when}`],
    ...[...new Set(names)].flatMap((name) => ['-P', join(folder, name)]),
  ];
  const node = [process.execPath, '--no-warnings', '--input-type=module', '--eval', program(work)];
  const { status, signal, stderr } = spawnSync('strace', [...strace, ...node], { cwd: folder, encoding: 'utf8' });
  const wasKilled = signal !== null || status === 137;
  assert.ok(wasKilled || status === 0, stderr);
  return wasKilled;
}

const OLD = 'waiting waiting waiting';
const ENDS = ['', '-wal', '-shm', '-journal'];
const NAMES = ['orders.sqlite', 'orders.sqlite.restoring', 'new.sqlite', 'new.sqlite.partial'].flatMap((name) => [
  ...ENDS.map((end) => name + end),
  `.${name}.outbox-marker`,
]);

/** Makes a file of which one order is in the log of a process that died, and a backup that lacks two of its orders. */
async function made(folder) {
  const store = sqliteStore(join(folder, 'orders.sqlite'));
  const outbox = createOutbox({ client, store });
  await outbox.add(numbered(1));
  await store.backup(join(folder, 'night.sqlite'));
  await outbox.add(numbered(2));
  await outbox.stop();
  const entry = { orderId: numbered(3).Id, version: 'v3', body: '{}', location: '1/2', traceContext: null };
  const times = { addedAt: 1, dueAt: 1e12, deadlineAt: 2e12 };
  const add = `const store = sqliteStore('orders.sqlite');
    await store.add(${JSON.stringify({ ...entry, ...times })});
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program(add)], { cwd: folder });
  return folder;
}

async function statesIn(file) {
  const outbox = createOutbox({ client, store: sqliteStore(file) });
  try {
    return (await collected(outbox.list())).map(({ state }) => state).join(' ');
  } finally {
    await outbox.stop();
  }
}

test('a process that is killed while it restores a file leaves the old one or the restored one, and it can be done again', {
  skip,
}, async (t) => {
  const [folder, template] = [folderOf(t), await made(folderOf(t))];
  const found = new Set();
  const restore = "await restoreFile('orders.sqlite', 'night.sqlite');";
  for (const place of calls()) {
    // What a process before has left stays, except the file and the old one.
    for (const name of readdirSync(folder)) if (!name.includes('restoring')) rmSync(join(folder, name));
    cpSync(template, folder, { recursive: true });
    place.wasKilled = isKilled(folder, restore, place);
    const asides = readdirSync(folder).filter((name) => /^orders\.sqlite\.\d{4}-\d\d-\d\dT[\d-]*Z$/.test(name));
    const states = await statesIn(join(folder, 'orders.sqlite')).catch(({ reason, message }) => {
      assert.match(message, /outbox FILE restore/);
      return reason;
    });
    if (states !== OLD) {
      assert.equal(asides.length, 1);
      assert.equal(await statesIn(join(folder, asides[0] ?? '')), OLD);
    }
    found.add(states);
  }
  assert.deepEqual([...found].sort(), ['restored', 'stalled', OLD]);
  assert.deepEqual(left(folder), []);
});

test('a process that is killed while it makes a backup leaves none or a complete one, and it can be done again', {
  skip,
}, async (t) => {
  const folder = await made(folderOf(t));
  const backup = "await sqliteStore('orders.sqlite', { readOnly: true }).backup('new.sqlite');";
  let kills = 0;
  for (const place of calls()) {
    rmSync(join(folder, 'new.sqlite'), { force: true });
    place.wasKilled = isKilled(folder, backup, place);
    kills += Number(place.wasKilled);
    if (!existsSync(join(folder, 'new.sqlite'))) continue;
    const database = new DatabaseSync(join(folder, 'new.sqlite'));
    assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    assert.deepEqual({ ...database.prepare('SELECT count(*) AS n FROM outbox_entry').get() }, { n: 3 });
    database.close();
  }
  assert.ok(kills >= 5);
  assert.deepEqual(left(folder), ['orders.sqlite-shm', 'orders.sqlite-wal']);
});

/** Returns the names of files that are only there while something is written. */
function left(folder) {
  return readdirSync(folder).filter((name) => /restoring|partial|sqlite-(wal|shm|journal)/.test(name));
}
