/** A journal that version 0.2 has written. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { csv, MAPPING, TEA } from './orders.mjs';
import { folderOf, run, serviceOf, sql, TOKEN } from './program.mjs';

const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const COLUMNS = `position, order_id, version, location, state, outcome, attempts, added_at, due_at, deadline_at, settled_at,
  notice_at, reason, status, request_id, detail, issues, received, body`;
/** The tables of 0.2. */
const TABLES = [
  `CREATE TABLE outbox_entry (
    position INTEGER PRIMARY KEY, order_id TEXT NOT NULL UNIQUE, version TEXT NOT NULL, location TEXT NOT NULL,
    state TEXT NOT NULL, outcome TEXT NOT NULL, attempts INTEGER NOT NULL, added_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL, deadline_at INTEGER NOT NULL, settled_at INTEGER, notice_at INTEGER, reason TEXT,
    status INTEGER, request_id TEXT, detail TEXT, issues TEXT, received TEXT, body TEXT)`,
  'CREATE INDEX outbox_entry_due ON outbox_entry (state, location, due_at, added_at)',
  'CREATE INDEX outbox_entry_notice ON outbox_entry (notice_at) WHERE notice_at IS NOT NULL',
  `CREATE INDEX outbox_entry_settled ON outbox_entry (settled_at) WHERE state = 'created'`,
  'CREATE TABLE send_target (base_url TEXT NOT NULL)',
];

test('a journal of 0.2 goes on: nothing is sent twice, and namespace and keys are those of the first run', async (t) => {
  const rows = ['S-1', 'S-2', 'S-3'].map((key, n) => `${key},2000,${TEA},${n + 1},19.99,`);
  const cwd = folderOf(t, { 'orders.csv': csv(...rows), 'mapping.json': MAPPING });
  const { baseUrl, paths } = await serviceOf(t, ({ body }) =>
    body.includes('"Quantity":2') ? { status: 400, body: '{"Message":"no"}' } : { status: 201 },
  );
  const send = (...more) => ['send', 'orders.csv', '--map', 'mapping.json', '--base-url', baseUrl, ...more];
  await run(send('--outbox', 'new.sqlite'), { cwd, env });
  sql(
    join(cwd, 'old.sqlite'),
    ...TABLES,
    `ATTACH '${join(cwd, 'new.sqlite')}' AS new`,
    `INSERT INTO outbox_entry (${COLUMNS}) SELECT ${COLUMNS} FROM new.outbox_entry`,
    `INSERT INTO send_target SELECT value FROM new.outbox_setting WHERE name = 'base_url'`,
    'SELECT 1',
  );
  const old = ['--outbox', 'old.sqlite'];
  const before = await run(['outbox', 'old.sqlite', 'list', '--json'], { cwd });
  assert.equal(before.code, 2);
  assert.match(
    before.err,
    /old\.sqlite can't be used: The file has no tables of this version: let a process that writes open it first/,
  );
  const again = await run(send(...old), { cwd, env });
  assert.deepEqual(
    [again.code, again.out],
    [1, '3 orders: 2 created (2 settled in earlier runs), 1 refused.\n'],
    again.err,
  );
  assert.equal(paths.length, 3);
  const listed = await run(['outbox', 'old.sqlite', 'list', '--json'], { cwd });
  const keys = listed.out.match(/"key":"S-\d"/g) ?? [];
  assert.equal(keys.length, 3);
  writeFileSync(join(cwd, 'mapping.json'), JSON.stringify({ ...MAPPING, key: ['Order', 'Shop'] }));
  const other = await run(send(...old), { cwd, env });
  assert.equal(other.code, 2);
  assert.match(other.err, /2 orders would be sent a second time under new Ids/);
});
