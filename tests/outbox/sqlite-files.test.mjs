/** Tests the files of the store on SQLite: their mode, what is refused without a change, and what cannot be written. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installedFile } from '../node/installed.mjs';
import { clientOf, createOutbox, folderOf, numbered, rejection, restoreFile, sqliteStore } from './harness.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const STORE = pathToFileURL(installedFile('dist/esm/outbox/sqlite/index.js')).href;
const client = clientOf('http://127.0.0.1:9');
const modeOf = (file) => statSync(file).mode & 0o777;
const hasModes = process.platform !== 'win32';

test('new files, and a new backup, are for their owner alone', { skip: !hasModes }, async (t) => {
  const folder = folderOf(t);
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const store = sqliteStore(join(folder, 'orders.sqlite'));
  const outbox = createOutbox({ client, store });
  await outbox.add(numbered(1));
  await store.backup(join(folder, 'copy.sqlite'));
  const names = readdirSync(folder);
  const beside = ['', '-shm', '-wal', '.outbox-lock'].map((end) => `orders.sqlite${end}`);
  for (const name of [...beside, '.orders.sqlite.outbox-marker']) assert.ok(names.includes(name), name);
  assert.deepEqual([...new Set(names.map((name) => modeOf(join(folder, name))))], [0o600]);
  await outbox.stop();
});

test('what is no path is an OptionError for a backup', async () => {
  const store = sqliteStore(':memory:');
  for (const path of ['', null, undefined, 5]) {
    assert.equal((await rejection(store.backup(path))).option, '/path');
    assert.equal((await rejection(restoreFile(path, 'night.sqlite'))).option, '/path');
    assert.equal((await rejection(restoreFile('orders.sqlite', path))).option, '/backup');
  }
  await store.close();
});

test('files that exist keep their mode', { skip: !hasModes }, async (t) => {
  const folder = folderOf(t);
  const file = join(folder, 'orders.sqlite');
  writeFileSync(file, '');
  chmodSync(file, 0o640);
  const outbox = createOutbox({ client, store: sqliteStore(file) });
  await outbox.add(numbered(1));
  assert.deepEqual([modeOf(file), modeOf(`${file}-wal`)], [0o640, 0o640]);
  await outbox.stop();
});

describe('what is not a file of an outbox is refused, and not changed', () => {
  for (const [what, make] of Object.entries({
    'one byte': (file) => writeFileSync(file, 'x'),
    'a short text': (file) => writeFileSync(file, 'a shopping list\n'.repeat(10)),
    'a text': (file) => writeFileSync(file, 'a shopping list\n'.repeat(1000)),
    'a folder': (file) => mkdirSync(file),
    'a link to a text': (file) => {
      writeFileSync(`${file}.txt`, 'a shopping list\n'.repeat(1000));
      symlinkSync(`${file}.txt`, file);
    },
    'a named pipe': (file) => assert.equal(spawnSync('mkfifo', [file]).status, 0),
    "the shop's database": (file) => shop(file, 'DELETE'),
    "the shop's database, in WAL mode": (file) => shop(file, 'WAL'),
  })) {
    test(what, (t) => {
      const folder = folderOf(t);
      const file = join(folder, 'shop.sqlite');
      make(file);
      const look = () =>
        readdirSync(folder).map((name) => {
          const { mode, ino, size } = statSync(join(folder, name));
          const isFile = statSync(join(folder, name)).isFile();
          return [name, mode, ino, isFile && [size, readFileSync(join(folder, name), 'latin1')]];
        });
      const before = look();
      assert.throws(
        () => sqliteStore(file),
        ({ name, reason, message }) => {
          assert.deepEqual([name, reason], ['OutboxError', 'unsupported']);
          assert.match(message, /shop\.sqlite (is not a file|is not an SQLite database|has tables of another program)/);
          assert.match(message, /nothing was changed.*Name a file for the outbox alone/);
          return true;
        },
      );
      assert.deepEqual(look(), before);
    });
  }
});

function shop(file, mode) {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = ${mode}; PRAGMA user_version = 7; CREATE TABLE cart (number TEXT)`);
  database.close();
}

test("the shop's database that already has an outbox is opened by its path, and keeps its user_version", async (t) => {
  const file = join(folderOf(t), 'shop.sqlite');
  shop(file, 'WAL');
  const database = new DatabaseSync(file);
  await createOutbox({ client, store: sqliteStore(database) }).stop();
  database.close();
  const outbox = createOutbox({ client, store: sqliteStore(file) });
  await outbox.add(numbered(1));
  await outbox.stop();
  const after = new DatabaseSync(file);
  assert.deepEqual({ ...after.prepare('PRAGMA user_version').get() }, { user_version: 7 });
  after.close();
});

describe('what cannot be written is named, with what to do', () => {
  test('a folder that does not exist', (t) => {
    const file = join(folderOf(t), 'no/orders.sqlite');
    assert.throws(() => sqliteStore(file), { reason: 'store', message: /The folder .*no\/ does not exist: create it/ });
  });

  const [folderOfAnother, fileOfAnother] = [
    (folder) => chmodSync(folder, 0o500),
    (folder) => chmodSync(join(folder, 'orders.sqlite'), 0o400),
  ];
  for (const [what, take, message] of /** @type {const} */ ([
    [
      'a folder, for a new file',
      folderOfAnother,
      /can't write into the folder .*\/, and SQLite needs a log beside the file/,
    ],
    ['a folder, for the log of a file', folderOfAnother, /can't write into the folder .*\/, and SQLite needs a log/],
    ['a file', fileOfAnother, /can't read and write .*orders\.sqlite\. Give the user of this process the right to/],
  ])) {
    test(what, { skip: !hasModes }, async (t) => {
      const folder = folderOf(t);
      const file = join(folder, 'orders.sqlite');
      if (!/new/.test(what)) await sqliteStore(file).close();
      take(folder);
      // The administrator may write everywhere.
      const isAdministrator = process.getuid?.() === 0;
      if (isAdministrator) spawnSync('chown', ['-R', '65534', folder]);
      const code = `import { sqliteStore } from ${JSON.stringify(STORE)};
        try { sqliteStore(${JSON.stringify(file)}); } catch ({ name, reason, message }) { console.log(name, reason, message); }`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', code], {
        encoding: 'utf8',
        ...(isAdministrator && { uid: 65_534 }),
      });
      chmodSync(folder, 0o700);
      assert.match(stdout, /^OutboxError store The outbox can't use .*orders\.sqlite: /);
      assert.match(stdout, message, stderr);
    });
  }
});
