/** Tests a store that reads the file of another process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installedFile } from '../node/installed.mjs';
import { clientOf, createOutbox, folderOf, numbered, rejection, sqliteStore } from './harness.mjs';
import { testPauses } from './pauses.mjs';
import { setUp } from './set-up.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const client = clientOf('http://127.0.0.1:9');

testPauses('SQLite', setUp, (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  const reopen = () => sqliteStore(file);
  return { store: reopen(), reader: sqliteStore(file, { readOnly: true }), reopen };
});

test('a store with readOnly reads what another process writes, and writes nothing', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  const url = (path) => pathToFileURL(installedFile(path)).href;
  const writer = spawn(process.execPath, [
    ...['--no-warnings', '--input-type=module', '--eval'],
    `import { createOutbox } from ${JSON.stringify(url('dist/esm/outbox/index.js'))};
     import { sqliteStore } from ${JSON.stringify(url('dist/esm/outbox/sqlite/index.js'))};
     const client = { createOrder: async () => {} };
     const outbox = createOutbox({ client, store: sqliteStore(${JSON.stringify(file)}) });
     for (const order of ${JSON.stringify([numbered(0), numbered(1)])}) {
       await outbox.add(order);
       console.log('added');
       await new Promise((resolve) => process.stdin.once('data', resolve));
     }`,
  ]);
  t.after(() => writer.kill('SIGKILL'));
  await once(writer.stdout, 'data');
  const office = createOutbox({ client, store: sqliteStore(file, { readOnly: true }) });
  t.after(() => office.stop());
  assert.equal((await office.counts()).waiting, 1);
  writer.stdin.write('next');
  await once(writer.stdout, 'data');
  assert.equal((await office.counts()).waiting, 2);
  assert.deepEqual((await office.page({ limit: 1 })).entries[0].orderId, numbered(1).Id);
  assert.match((await office.get(numbered(0).Id)).body, /Quonset/);
  const { Id } = numbered(0);
  const calls = [office.add(numbered(2)), office.cancel(Id), office.retry(Id), office.retryAll({}), office.prune()];
  for (const call of calls) {
    const { name, reason, message } = await rejection(call);
    assert.deepEqual([name, reason], ['OutboxError', 'unsupported']);
    assert.match(message, /readOnly/);
  }
  writer.kill('SIGKILL');
  await once(writer, 'close');
  assert.equal((await office.counts()).waiting, 2);
});

test('a store with readOnly needs a file with tables of this version', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  assert.throws(() => sqliteStore(file, { readOnly: true }), { name: 'OutboxError', reason: 'store' });
  assert.throws(() => sqliteStore(':memory:', { readOnly: true }), { name: 'OutboxError', reason: 'unsupported' });
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  assert.throws(() => sqliteStore(file, { readOnly: true }), { name: 'OutboxError', reason: 'unsupported' });
  assert.throws(() => sqliteStore(database, { readOnly: true }), { name: 'OptionError', option: '/readOnly' });
  assert.throws(() => sqliteStore(file, { readOnly: 'yes' }), { name: 'OptionError', option: '/readOnly' });
});
