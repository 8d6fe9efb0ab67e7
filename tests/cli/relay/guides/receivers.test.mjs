/** The receivers of docs/guides/relay.md: they take what the relay posts, and nothing else. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../../../scripts/ports.mjs';
import { root } from '../../../../scripts/places.mjs';
import { output } from '../../../../scripts/run.mjs';
import { numbered } from '../../orders.mjs';
import { cleanEnv, followed, jsonLines, until } from '../../program.mjs';
import { put } from '../relays.mjs';
import { notifying, signatureOf, VECTOR } from '../webhooks.mjs';

const WRONG = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
/** The cases of the libraries of Standard Webhooks: the status, and what differs from a request that is right. */
/** @type {[status: number, seconds: number, (headers: Record<string, string>) => object][]} */
const CASES = [
  [204, 0, () => ({})],
  [204, -290, () => ({})],
  [401, -301, () => ({})],
  [401, 310, () => ({})],
  ...['id', 'timestamp', 'signature'].map(
    (name) => /** @type {any} */ ([401, 0, () => ({ [`webhook-${name}`]: null })]),
  ),
  [401, 0, () => ({ 'webhook-timestamp': 'hello' })],
  [401, 0, () => ({ 'webhook-signature': 'v1,' })],
  [401, 0, () => ({ 'webhook-signature': `v1,${WRONG}` })],
  [401, 0, ({ 'webhook-signature': right = '' }) => ({ 'webhook-signature': right.replace('v1', 'v2') })],
  [401, 0, ({ 'webhook-signature': right = '' }) => ({ 'webhook-signature': right.slice(0, 8) })],
  [
    204,
    0,
    (headers) => ({ 'webhook-signature': `v1,${WRONG} v2,${WRONG} ${headers['webhook-signature']} v1,${WRONG}` }),
  ],
];

for (const [language, program, args] of /** @type {const} */ ([
  ['PHP', 'php', (port) => ['-S', `127.0.0.1:${port}`, 'notified.php']],
  ['Python', 'python3', (port) => ['notified.py', `${port}`]],
])) {
  const skip = output(program, ['--version']) === undefined ? `${program} is missing` : false;

  test(`the receiver in ${language} takes only what is signed and new`, { skip }, async (t) => {
    const port = await freePort();
    const env = cleanEnv({ WEBHOOK_SECRET: VECTOR.secret });
    const child = followed(spawn(program, args(port), { cwd: join(root, 'examples/relay'), env }));
    t.after(() => child.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}/`;
    await until(() => fetch(url).then(Boolean, () => false), 'the receiver');
    for (const [n, [expected, seconds, changes]] of CASES.entries()) {
      const timestamp = Math.floor(Date.now() / 1000) + seconds;
      const right = {
        'webhook-id': VECTOR.id,
        'webhook-timestamp': `${timestamp}`,
        'webhook-signature': signatureOf({ ...VECTOR, timestamp }),
      };
      const headers = Object.entries({ ...right, ...changes(right) }).filter(([, value]) => value !== null);
      const { status } = await fetch(url, { method: 'POST', headers, body: VECTOR.body });
      assert.equal(status, expected, `case ${n}`);
    }
    const { relay } = await notifying(t, url);
    await put(relay);
    await until(() => child.shown.out.includes('order.created'), 'the created order');
    const last = child.shown.out.trim().split('\n').at(-1) ?? '';
    const [{ data }] = jsonLines(last.slice(last.indexOf('{')));
    assert.deepEqual([data.orderId, data.state], [numbered(0).Id, 'created']);
  });
}
