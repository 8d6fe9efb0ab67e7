/** Help, and mistakes in the command: what is wrong, what was meant, exit code 2, and never a stack trace. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { pkg, root } from '../../scripts/places.mjs';
import { numbered } from './orders.mjs';
import { folderOf, run, serviceOf } from './program.mjs';

const COMMANDS = ['check', 'preview', 'request', 'send', 'outbox', 'relay', 'serve', 'id', 'mapping', 'explain'];
const BASE = ['--base-url', 'http://127.0.0.1:9'];

test('--help lists every command; each command has its own, with examples', async () => {
  const { code, out, err } = await run(['--help']);
  assert.deepEqual([code, err], [0, '']);
  for (const command of COMMANDS) {
    assert.match(out, new RegExp(`^  ${command} `, 'm'));
    const help = await run([command, '--help']);
    assert.equal(help.code, 0);
    assert.match(help.out, new RegExp(`Usage\n  sales-order-intake ${command}`));
    assert.match(help.out, /Examples\n {2}sales-order-intake /);
  }
  assert.deepEqual(await run(['help', 'send']), await run(['send', '--help']));
});

test('the help of a command that reads files describes the mapping of CSV', async () => {
  const { out } = await run(['check', '--help']);
  for (const word of ['"key"', '"namespace"', '"order"', '"items"', '"taxes"', '"discounts"', '"delimiter"']) {
    assert.ok(out.includes(word), word);
  }
});

test('without a command the help is an error', async () => {
  const { code, out, err } = await run([]);
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /^ {2}check /m);
});

const RELAY = ['relay', '--base-url', 'http://127.0.0.1:9'];
const RATES = /--fault: the rates of all faults together must be at most 1/;
const TOKEN = { SALES_ORDER_INTAKE_TOKEN: 'x' };
const POSTGRES = 'postgres://shop:very-secret@db.example.com/shop';
const BY_QUERY = 'postgresql:///shop?host=db&password=very-secret';

/** @type {[string, string[], RegExp, object?][]} */
const MISTAKES = [
  ['an unknown command', ['chekc', 'x'], /there is no command chekc\nhint: Did you mean check\?/],
  ['an unknown command like no other', ['frobnicate'], /there is no command frobnicate\nhint: .*--help/],
  ['help for an unknown command', ['help', 'frobnicate'], /there is no command frobnicate\nhint: .*--help/],
  ['help for a mistyped command', ['--help', 'sned'], /there is no command sned\nhint: Did you mean send\?/],
  ['an unknown flag', ['check', 'a.json', '--josn'], /check has no flag --josn\nhint: Did you mean --json\?/],
  ['an unknown short flag', ['check', 'a.json', '-x'], /check has no flag -x/],
  ['a missing operand', ['check'], /check needs FILE…/],
  ['an operand too many', ['preview', 'a.json', 'b.json'], /preview does not take "b\.json"/],
  ['a missing file', ['check', 'nowhere.json'], /there is no file nowhere\.json/],
  ['a folder', ['check', '.'], /\. is a folder/],
  ['a flag without its value', ['check', 'a.json', '--map', '--json'], /--map needs a value: --map FILE/],
  ['a value for a switch', ['check', 'a.json', '--json=yes'], /--json takes no value/],
  ['a wrong choice', ['request', 'a.json', '--as', 'crul'], /must be one of curl, .*\nhint: Did you mean curl\?/],
  ['CSV without a mapping', ['check', 'a.csv'], /a\.csv is CSV, and there is no mapping\nhint: .*--map/],
  ['a wrong base URL', ['request', 'a.json', '--base-url', 'http://example.com'], /--base-url must be https/],
  ['send without a base URL', ['send', 'a.json'], /send needs --base-url URL/],
  [
    'send without a token',
    ['send', 'a.json', ...BASE],
    /there is no token\nhint: Set SALES_ORDER_INTAKE_TOKEN, or/,
    {},
  ],
  [
    'a token as an argument',
    ['send', 'a.json', ...BASE, '--token', 'very-secret'],
    /takes no token as an argument.*\nhint: Set/,
  ],
  ['relay without a base URL', ['relay'], /relay needs --base-url URL/],
  ['relay without a token', RELAY, /there is no token\n/, {}],
  ['a name to listen on', [...RELAY, '--listen', 'example.com:80'], /--listen must be an IP address or localhost/],
  ['a port that is none', [...RELAY, '--listen', '127.0.0.1:70000'], /--listen must be/],
  ['a client token that is none', [...RELAY, '--client-token', 'a b'], /client token must be a bearer token/],
  ['a token of relay as an argument', [...RELAY, '--token', 'x'], /relay takes no token as an argument/],
  ['a password', [...RELAY, '--outbox', POSTGRES], /an argument takes no password: .*\nhint: Set SALES_ORDER_OUTBOX/],
  ['a password in a query', ['outbox', BY_QUERY, 'list'], /an argument takes no password/],
  ['a database that nothing names', ['outbox', 'postgres:', 'list'], /SALES_ORDER_OUTBOX, which is not set/],
  ['a backup of a database', ['outbox', 'postgres://db/shop', 'backup', 'to'], /for files\nhint: Use .* pg_dump/],
  ['a wrong number', ['send', 'a.json', ...BASE, '--concurrency', '0'], /--concurrency must be a whole number from 1/],
  ['a wrong time', ['send', 'a.json', ...BASE, '--stop-after', '5'], /--stop-after must be a time such as 90s/],
  ['a time that no timer takes', ['send', 'a.json', ...BASE, '--stop-after', '600h'], /must be at most 500h, not 600h/],
  ['a latency above the limit', ['serve', '--fault', 'latency=999999999=1'], /--fault: .* must be .*up to 300000/],
  ['an outage above the limit', ['serve', '--fault', 'down-until=86401=1'], /--fault: .* must be .*up to 86400/],
  ['a page that is no folder', ['serve', '--page', 'nowhere'], /there is no folder nowhere for --page/],
  ['latencies above 1', ['serve', '--fault', 'latency=1=1', '--fault', 'latency=2=0.1'], RATES],
  ['an unknown fault', ['serve', '--fault', '504=0.1'], /--fault: 504=0\.1: must be latency=/],
  ['rates above 1', ['serve', '--fault', '503=0.7', '--fault', 'drop=0.7'], RATES],
  ['half of a derived id', ['id', '--key', 'cart-1'], /--namespace and --key belong together/],
  ['a published namespace', ['id', '--namespace', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '--key', 'a'], /of your own/],
  [
    'an unknown code',
    ['explain', 'not_a_giud'],
    /there is no issue code, reason, cause, exit code, decision or section not_a_giud\nhint: Did you mean not_a_guid\?/,
  ],
  [
    'an unknown action',
    ['outbox', 'a.json', 'lst'],
    /outbox does list, show, retry, cancel, forget, replace, backup, restore, missing or move, not lst\nhint: Did you mean list\?/,
  ],
  ['retry of everything', ['outbox', 'a.json', 'retry'], /outbox retry needs the Ids of orders, or --state/],
  ['a file that is no journal', ['outbox', 'a.json', 'list'], /a\.json is not a journal of send/],
];

test('mistakes in the command', { concurrency: 2 }, async (t) => {
  const cwd = folderOf(t, { 'a.json': numbered(0), 'a.csv': 'a,b\n' });
  await Promise.all(
    MISTAKES.map(([title, args, expected, env = TOKEN]) =>
      t.test(`${title} ends with 2 and says what to do`, async () => {
        const { code, out, err } = await run(args, { cwd, env });
        assert.match(err, expected);
        assert.match(err, /^error: /);
        assert.deepEqual([code, out], [2, '']);
        assert.doesNotMatch(err, /^\s+at .*:\d+|very-secret/m);
      }),
    ),
  );
});

test('the help says what exit code 5 means, and what to do about stalled orders', async () => {
  for (const args of [['--help'], ['send', '--help']]) {
    const { out } = await run(args);
    assert.match(
      out.replace(/\s+/g, ' '),
      /not settled yet.* run it again.* stalled.* outbox FILE list --state stalled/,
    );
  }
});

test('commands to copy are those of npx for who runs it by npx', async (t) => {
  const cwd = folderOf(t, { 'a.json': numbered(0) });
  // A refused token ends the command.
  const { baseUrl } = await serviceOf(t, () => ({ status: 401 }));
  const args = ['send', 'a.json', '--base-url', baseUrl];
  const env = { SALES_ORDER_INTAKE_TOKEN: 'a-token' };
  const byNpx = await run(args, { cwd, env: { ...env, npm_command: 'exec' } });
  assert.match(byNpx.err, /To resume: npx sales-order-intake send a\.json /);
  assert.match((await run(args, { cwd, env })).err, /To resume: sales-order-intake send a\.json /);
});

test('a wrong option names its position in the file', async (t) => {
  const options = { scale: 2, taxRates: [{ id: 'gst', rate: 'five' }] };
  const cwd = folderOf(t, { 'a.json': numbered(0), 'options.json': options, 'broken.json': '{' });
  const wrong = await run(['preview', 'a.json', '--options', 'options.json'], { cwd });
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /^error: options\.json:6:15: option \/taxRates\/0\/rate /);
  const broken = await run(['preview', 'a.json', '--options', 'broken.json'], { cwd });
  assert.equal(broken.code, 2);
  assert.match(broken.err, /broken\.json is not valid JSON/);
});

test('--token-command is passed to the shell of the platform as it was written', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'cli/arguments/base-url-and-token.ts')],
    alias: { 'sales-order-intake': join(pkg, 'dist/esm/index.js') },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const { shellOf } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
  const command = '"C:\\Program Files\\vault\\vault.exe" read "a b" & echo %USER%';
  const env = { ComSpec: 'C:\\Windows\\system32\\cmd.exe' };
  assert.deepEqual(shellOf(command, true, env), {
    file: env.ComSpec,
    args: ['/d', '/s', '/c', `"${command}"`],
    windowsVerbatimArguments: true,
  });
  assert.equal(shellOf(command, true, {}).file, 'cmd.exe');
  assert.deepEqual(shellOf(`printf '%s' "$X"`, false, env).args, ['-c', `printf '%s' "$X"`]);
});
