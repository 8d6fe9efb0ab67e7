/** Backup of a journal that is in use, and its way back (D68). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { numbered } from './orders.mjs';
import { cleanEnv, followed, jsonLines, MAIN, NOBODY, run, serviceOf, sql } from './program.mjs';
import { put, relayed, settled } from './relay/relays.mjs';

const outbox = (cwd, ...args) => run(['outbox', ...args], { cwd });
const listed = async (cwd, file, ...more) => jsonLines((await outbox(cwd, file, 'list', '--json', ...more)).out);
const ASIDE = /^relay\.sqlite\.\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** A relay that has order 0 in a backup, and order 1 after it. Returns the folder. */
async function backedUp(t, signal) {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const cwd = join(relay.file, '..');
  await put(relay, numbered(0));
  const backup = await outbox(cwd, 'relay.sqlite', 'backup', 'night.sqlite');
  assert.deepEqual([backup.code, backup.out], [0, 'night.sqlite has all that relay.sqlite had.\n'], backup.err);
  assert.match(backup.err, /^ {2}sales-order-intake outbox relay\.sqlite restore night\.sqlite$/m);
  await put(relay, numbered(1));
  if (!signal) return { cwd, relay };
  relay.child.kill(signal);
  await relay.child.ended;
  return { cwd, relay };
}

test('a backup is made while a relay runs, restored after it has ended, and what waited is sent by retry', {
  timeout: 60_000,
}, async (t) => {
  const { cwd, relay } = await backedUp(t);
  assert.equal(statSync(join(cwd, 'night.sqlite')).mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(cwd).filter((name) => name.startsWith('night')),
    ['night.sqlite'],
  );
  const again = await outbox(cwd, 'relay.sqlite', 'backup', 'night.sqlite');
  assert.deepEqual([again.code, again.err.split('\n')[0]], [2, 'error: there is a file night.sqlite already']);
  const running = await outbox(cwd, 'relay.sqlite', 'restore', 'night.sqlite');
  assert.equal(running.code, 2);
  assert.match(running.err, /relay\.sqlite is in use by another process/);
  relay.child.kill('SIGTERM');
  await relay.child.ended;

  const { code, out, err } = await outbox(cwd, 'relay.sqlite', 'restore', 'night.sqlite');
  const [aside = ''] = readdirSync(cwd).filter((name) => ASIDE.test(name));
  const says = `The previous file is now ${aside}.\nrelay.sqlite has what night.sqlite has. 1 order that waited in it has stalled.\n`;
  assert.deepEqual([code, out.replaceAll(`${cwd}/`, '')], [0, says], err);
  assert.equal((await listed(cwd, aside)).length, 2);
  assert.deepEqual(
    (await listed(cwd, 'relay.sqlite')).map(({ orderId, state, outcome, reason }) => [orderId, state, outcome, reason]),
    [[numbered(0).Id, 'stalled', 'unknown', 'restored']],
  );
  const retry = /^ {2}sales-order-intake (outbox relay\.sqlite retry --state stalled --reason restored)$/m.exec(
    err,
  )?.[1];
  assert.equal((await run(retry?.split(' ') ?? [], { cwd })).out, '1 order will be sent by the next send.\n');
  // The relay had another base URL.
  const { baseUrl } = await serviceOf(t, ({ body }) => ({ status: 201, body }));
  await outbox(cwd, 'relay.sqlite', 'move', '--base-url', baseUrl);
  const next = await relayed(t, { baseUrl, outbox: relay.file });
  assert.equal((await settled(next, numbered(0))).state, 'created');
});

test('the log of a relay that was killed is restored with the previous file; one of another file is put aside', {
  timeout: 60_000,
}, async (t) => {
  const { cwd } = await backedUp(t, 'SIGKILL');
  // As somebody does who knows nothing of the log.
  const state = (name) => readFileSync(join(cwd, name));
  const [file, log] = [state('relay.sqlite'), state('relay.sqlite-wal')];
  assert.equal((await outbox(cwd, 'relay.sqlite', 'restore', 'night.sqlite')).code, 0);
  const [aside = ''] = readdirSync(cwd).filter((name) => ASIDE.test(name));
  assert.equal((await listed(cwd, aside)).length, 2);

  writeFileSync(join(cwd, 'relay.sqlite-wal'), log);
  copyFileSync(join(cwd, 'night.sqlite'), join(cwd, 'relay.sqlite'));
  for (const action of [['list'], ['backup', 'x.sqlite']]) {
    const { code, err } = await outbox(cwd, 'relay.sqlite', ...action);
    assert.deepEqual([code, /relay\.sqlite-wal is the log of the previous file/.test(err)], [2, true], err);
  }
  const { code, err } = await outbox(cwd, 'relay.sqlite', 'restore', 'night.sqlite');
  assert.equal(code, 0, err);
  const logs = readdirSync(cwd).filter((name) => /^relay\.sqlite-wal\.\d{4}-/.test(name));
  assert.deepEqual([logs.length, state(logs[0] ?? '').equals(log)], [1, true]);
  const [{ ok }] = sql(join(cwd, 'relay.sqlite'), 'SELECT count(*) AS ok FROM pragma_integrity_check');
  assert.deepEqual([ok, (await listed(cwd, 'relay.sqlite')).length], [1, 1]);

  // A previous file that is damaged, too.
  writeFileSync(join(cwd, 'relay.sqlite'), file.fill(0, 0, 100));
  assert.equal((await outbox(cwd, 'relay.sqlite', 'restore', 'night.sqlite')).code, 0);
  assert.equal((await listed(cwd, 'relay.sqlite')).length, 1);
});

test('a backup that can not be restored is named with the reason, and nothing changes', {
  timeout: 60_000,
}, async (t) => {
  const { cwd } = await backedUp(t, 'SIGKILL');
  const write = (name, change) => {
    copyFileSync(join(cwd, 'night.sqlite'), join(cwd, name));
    change(join(cwd, name));
  };
  const statement = (text) => (path) => void sql(path, text, 'SELECT 1');
  write('later.sqlite', statement(`UPDATE outbox_setting SET value = 99 WHERE name = 'version'`));
  write('shop.sqlite', statement('CREATE TABLE cart (id)'));
  write('none.sqlite', statement('DROP TABLE outbox_entry'));
  write('damaged.sqlite', (path) => writeFileSync(path, readFileSync(path).fill(0xff, 8192 * 3, 8192 * 4)));
  writeFileSync(join(cwd, 'text.sqlite'), 'a shopping list');
  mkdirSync(join(cwd, 'folder'));
  // The lock has a journal that the relay which was killed has left.
  const names = () =>
    readdirSync(cwd).flatMap((name) => (/lock-journal$/.test(name) ? [] : [[name, statSync(join(cwd, name)).mtimeMs]]));
  const before = names();
  for (const [backup, reason] of /** @type {[string, RegExp][]} */ ([
    ['later.sqlite', /nothing was restored: The database of the outbox has version 99/],
    ['shop.sqlite', /shop\.sqlite also has tables of another program/],
    ['none.sqlite', /none\.sqlite has no outbox/],
    ['damaged.sqlite', /damaged\.sqlite is damaged|malformed/],
    ['text.sqlite', /text\.sqlite is not an SQLite database/],
    ['folder', /folder is not a file/],
    ['nowhere.sqlite', /there is no file nowhere\.sqlite/],
    ['relay.sqlite', /the backup is the file of the journal/],
  ])) {
    const { code, out, err } = await outbox(cwd, 'relay.sqlite', 'restore', backup);
    assert.deepEqual([code, out], [2, ''], err);
    assert.match(err, reason);
    assert.doesNotMatch(err, /^\s+at /m);
  }
  assert.deepEqual(names(), before);
  const backup = await outbox(cwd, 'shop.sqlite', 'backup', 'copy.sqlite');
  assert.match(backup.err, /tables of another program\. Restore it as that program says/);
  assert.doesNotMatch(backup.err, /outbox shop\.sqlite restore/);
  const other = join(cwd, 'shop.sqlite');
  const { code, err } = await outbox(cwd, other, 'restore', 'night.sqlite');
  assert.deepEqual([code, /also has tables of another program/.test(err)], [2, true], err);
  assert.equal(sql(other, 'SELECT count(*) AS carts FROM cart')[0].carts, 0);
});

test('a backup that was put back is refused until outbox restore accepts it; what waited in it has stalled', {
  timeout: 60_000,
}, async (t) => {
  const { cwd } = await backedUp(t, 'SIGTERM');
  copyFileSync(join(cwd, 'night.sqlite'), join(cwd, 'relay.sqlite'));
  const before = readFileSync(join(cwd, 'relay.sqlite'));
  const env = { SALES_ORDER_INTAKE_TOKEN: 'a-token' };
  const relay = ['relay', '--listen', '0', '--base-url', NOBODY, '--outbox', 'relay.sqlite'];
  const files = readdirSync(cwd);
  writeFileSync(join(cwd, 'carts'), '');
  const actions = ['retry --state stalled', 'list', 'missing carts', 'backup copy.sqlite'].map((action) =>
    action.split(' '),
  );
  for (const args of [relay, ...actions.map((action) => ['outbox', 'relay.sqlite', ...action])]) {
    const { code, out, err } = await run(args, { cwd, env });
    assert.deepEqual([code, out], [2, ''], err);
    assert.match(
      err,
      /(?:relay\.sqlite can't be used|nothing was backed up): .*\nhint: If it is meant: .*outbox relay\.sqlite restore\.$/m,
    );
  }
  assert.deepEqual(readdirSync(cwd), [...files, 'carts'].sort());
  assert.ok(readFileSync(join(cwd, 'relay.sqlite')).equals(before));
  const { code, out, err } = await outbox(cwd, 'relay.sqlite', 'restore');
  assert.deepEqual([code, out], [0, 'The file is accepted. 1 order that waited in it has stalled.\n'], err);
  assert.match(err, /may have been sent, cancelled or corrected since the backup/);
  const [{ orderId, state, outcome, reason }] = await listed(cwd, 'relay.sqlite');
  assert.deepEqual([orderId, state, outcome, reason], [numbered(0).Id, 'stalled', 'unknown', 'restored']);
});

test('a backup is restored where there is no file yet', { timeout: 60_000 }, async (t) => {
  const { cwd } = await backedUp(t, 'SIGTERM');
  const { code, out, err } = await outbox(cwd, 'elsewhere.sqlite', 'restore', 'night.sqlite');
  assert.deepEqual(
    [code, out],
    [0, 'elsewhere.sqlite has what night.sqlite has. 1 order that waited in it has stalled.\n'],
    err,
  );
});

test('backup and restore on a full disk end with 5, and leave everything as it was', { timeout: 60_000 }, async (t) => {
  const { cwd } = await backedUp(t, 'SIGKILL');
  const names = () => readdirSync(cwd).filter((name) => !/lock-journal$/.test(name));
  const before = names();
  for (const [args, problem] of /** @type {[string[], RegExp][]} */ ([
    [['backup', 'full.sqlite'], /^error: full\.sqlite can't be written: /m],
    [['restore', 'night.sqlite'], /^error: relay\.sqlite can't be written: /m],
  ])) {
    // As on a disk that has 40 KiB for each file.
    const shell = ['-c', 'ulimit -f 80; exec "$@"', 'sh', process.execPath, MAIN, 'outbox', 'relay.sqlite', ...args];
    const { code, out, err } = await followed(spawn('sh', shell, { cwd, env: cleanEnv({}) })).ended;
    assert.deepEqual([code, out], [5, ''], err);
    assert.match(err, problem);
    assert.doesNotMatch(err, /^\s+at /m);
    assert.deepEqual(names(), before);
  }
  assert.equal((await listed(cwd, 'relay.sqlite')).length, 2);
});
