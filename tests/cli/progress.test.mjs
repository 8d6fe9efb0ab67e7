/** Without a terminal, progress is printed as lines, and the environment decides about colours. */
import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { test } from 'node:test';
import { item } from '../node/orders.mjs';
import { ndjson, numbered } from './orders.mjs';
import { folderOf, NOBODY, printed, run, serviceOf, start, TOKEN } from './program.mjs';

const ESCAPE = '\u001b[';
const RED = `${ESCAPE}31m`;

test('colours are not for pipes, unless FORCE_COLOR is set', async (t) => {
  const cwd = folderOf(t, { 'order.json': numbered(0, { Items: [item({ Quantity: 0 })] }) });
  const piped = async (env) => (await run(['check', 'order.json'], { cwd, env })).out;
  const [plain, forced] = [await piped({}), await piped({ FORCE_COLOR: '1' })];
  assert.ok(!plain.includes(ESCAPE));
  assert.ok(forced.includes(RED));
  assert.equal(stripVTControlCharacters(forced), plain);
});

test('progress is plain lines, and the trouble of the service is one as well', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const child = start(['send', 'orders.ndjson', '--base-url', NOBODY], {
    cwd,
    env: { SALES_ORDER_INTAKE_TOKEN: TOKEN },
  });
  await printed(
    child,
    'err',
    /^The service can't be reached; next try in \d+ s: connection refused \(ECONNREFUSED\)\.$/m,
  );
  await printed(child, 'err', /^0 of 3 orders settled: 0 created$/m);
  child.kill('SIGINT');
  const { code, out, err } = await child.ended;
  assert.equal(code, 5);
  assert.ok(!`${out}${err}`.includes(ESCAPE));
});

test('progress says that the token was refused and another one is asked for', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const { baseUrl } = await serviceOf(t, ({ token }) => ({ status: token === 'second' ? 201 : 401 }));
  const command = 'if test -e once; then echo second; else touch once; echo first; fi';
  const args = ['send', 'orders.ndjson', '--base-url', baseUrl, '--token-command', command];
  const { code, err } = await run(args, { cwd });
  assert.equal(code, 0);
  assert.match(err, /^The service refused the token; asking for another one\.\nThe service takes orders again\.$/m);
  assert.doesNotMatch(err, /first|second|can't be reached|refuses/);
});
