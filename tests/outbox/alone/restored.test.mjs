/** Kills a process at each of its writes to a file of the outbox: that is never taken for a backup, and a backup always is one (D68). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installedFile } from '../../node/installed.mjs';
import { folderOf, numbered, sqliteStore } from '../harness.mjs';

const STORE = pathToFileURL(installedFile('dist/esm/outbox/sqlite/index.js')).href;
const WRITES = 'pwrite64,write,fdatasync,fsync,ftruncate,unlink';
const ENDS = ['', '-wal', '-shm', '-journal'];
/** Returns the names of a file and of those beside it. */
const filesOf = (name) => [...ENDS.map((end) => `${name}${end}`), `.${name}.outbox-marker`];
const PER_PROCESS = 3;

const entry = (n) => ({ orderId: numbered(n).Id, version: 'v3', body: '{}', location: '1/2' });

/** Adds orders in a process that is killed at its write with this number. Returns what was added, and if it was killed. */
function addUntilKilled(file, first, when) {
  const code = `import { sqliteStore } from ${JSON.stringify(STORE)};
    const store = sqliteStore(${JSON.stringify(file)});
    for (const entry of ${JSON.stringify(Array.from({ length: PER_PROCESS }, (_, n) => entry(first + n)))}) {
      await store.add({ ...entry, traceContext: null, addedAt: 1, dueAt: 1e12, deadlineAt: 2e12 });
      console.log(entry.orderId);
    }
    await store.close();`;
  const strace = [
    ...['-f', '-qq', '-o', '/dev/null', '-e', `trace=${WRITES}`, '-e', `inject=${WRITES}:signal=KILL:when=${when}`],
    ...filesOf(basename(file)).flatMap((name) => ['-P', join(dirname(file), name)]),
  ];
  const program = [process.execPath, '--no-warnings', '--input-type=module', '--eval', code];
  const { stdout, status, signal } = spawnSync('strace', [...strace, ...program], { encoding: 'utf8' });
  return { added: stdout.split('\n').filter(Boolean), wasKilled: status !== 0 || signal !== null };
}

async function idsIn(file) {
  const store = sqliteStore(file);
  const ids = (await store.list({ after: 0, limit: 10_000 })).map(({ orderId }) => orderId);
  await store.close();
  return ids;
}

for (const [what, isNew] of Object.entries({ 'a new file': true, 'the file of the processes before': false })) {
  test(`a process that is killed at any write to ${what} leaves one that can be opened, and no backup fits its log`, async (t) => {
    if (spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status !== 0) return t.skip('cannot trace');
    const folder = folderOf(t);
    const [file, backup] = [join(folder, 'orders.sqlite'), join(folder, 'night.sqlite')];
    if (!isNew) {
      const store = sqliteStore(file);
      await store.add({ ...entry(9999), traceContext: null, addedAt: 1, dueAt: 1e12, deadlineAt: 2e12 });
      await store.backup(backup);
      await store.close();
    }
    const added = [];
    let kills = 0;
    for (let when = 1, isOver = false; !isOver; when += isNew ? 1 : 2) {
      const place = isNew ? join(folder, `orders-${when}.sqlite`) : file;
      const { added: ids, wasKilled } = addUntilKilled(place, when * PER_PROCESS, when);
      added.push(...ids);
      isOver = !wasKilled;
      if (wasKilled) kills++;
      if (!isNew) await assertBackupIsRecognised(folder, backup, added);
      const found = await idsIn(place);
      assert.deepEqual(
        (isNew ? ids : added).filter((id) => !found.includes(id)),
        [],
      );
    }
    assert.ok(kills >= 10, `${kills} kills`);
  });
}

/** Puts the backup in the place of a copy of the file, beside its log. */
async function assertBackupIsRecognised(folder, backup, added) {
  const file = join(folder, 'copy.sqlite');
  for (const [n, name] of filesOf('orders.sqlite').entries()) {
    const copy = filesOf('copy.sqlite')[n] ?? '';
    if (existsSync(join(folder, name))) cpSync(join(folder, name), join(folder, copy));
  }
  copyFileSync(backup, file);
  // Before the first change there is nothing that the backup lacks.
  if (added.length > 0) await assert.rejects(() => idsIn(file), { name: 'OutboxError', reason: 'restored' });
}
