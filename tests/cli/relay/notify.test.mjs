/** relay --notify: the shop learns what became of its orders, by Standard Webhooks. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../../scripts/ports.mjs';
import { numbered } from '../orders.mjs';
import { folderOf, NOBODY, run, until } from '../program.mjs';
import { ask, logOf, PERSONAL, put, settled } from './relays.mjs';
import { killed, notifying, receiverOf, signatureOf, VECTOR } from './webhooks.mjs';

const OTHER_SECRET = `whsec_${Buffer.alloc(64, 7).toString('base64')}`;
const REFUSED = { ...PERSONAL, Notes: '422' };
const all = (count) => Array.from({ length: count }, (_, n) => numbered(n));
const idsOf = (received) => new Set(received.map(({ data }) => data.orderId));

test('each settled order is posted with its state, signed with each secret of the file', async (t) => {
  assert.equal(signatureOf(VECTOR), VECTOR.signature);
  const { url, received } = await receiverOf(t);
  const secrets = [VECTOR.secret, OTHER_SECRET];
  const { relay } = await notifying(t, url, { secrets });
  await put(relay, numbered(0, { ...PERSONAL, Notes: '201' }));
  await until(() => received.length === 1, 'the created order');
  await put(relay, numbered(1, REFUSED));
  await until(() => received.length === 2, 'the refused order');
  for (const [n, state] of ['created', 'refused'].entries()) {
    const { method, path, mediaType, id, sentAt, signature, body } = received[n];
    assert.deepEqual([method, path, mediaType], ['POST', '/hook?shop=1', 'application/json']);
    const expected = secrets.map((secret) => signatureOf({ secret, id, timestamp: sentAt, body })).join(' ');
    assert.equal(signature, expected);
    assert.match(sentAt, /^\d{10}$/);
    const { json } = await ask(relay, `/orders/${numbered(n).Id}`);
    assert.deepEqual(JSON.parse(body), { type: `order.${state}`, timestamp: json.settledAt, data: json });
  }
  assert.ok(!relay.child.shown.out.includes('Xanthippe'));
  assert.doesNotMatch(relay.child.shown.out, /whsec|hook|sold out/);
  assert.match((await ask(relay, '/metrics')).text, /^sales_order_relay_notifications_total\{status="204"\} 2$/m);
});

test('the events of an order are posted one after the other, each with an id of its own', async (t) => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers();
  const { url, received } = await receiverOf(t, async () => {
    if (received.length === 1) await isReleased;
    return [200];
  });
  const { relay } = await notifying(t, url);
  await put(relay, numbered(0, REFUSED));
  await until(() => received.length === 1, 'the refusal');
  const body = JSON.stringify(numbered(0));
  const init = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body };
  assert.equal((await ask(relay, `/orders/${numbered(0).Id}`, init)).status, 202);
  assert.equal((await settled(relay)).state, 'created');
  await put(relay, numbered(1));
  await until(() => received.length === 2, 'another order, meanwhile');
  release(undefined);
  await until(() => received.length === 3, 'the creation');
  const [refused, , created] = received;
  assert.deepEqual([refused.type, created.type], ['order.refused', 'order.created']);
  assert.notEqual(refused.id, created.id);
});

test('a receiver that is down holds up no delivery and is not stormed; after SIGKILL each order is posted', async (t) => {
  const port = await freePort();
  const { relay, start } = await notifying(t, `http://127.0.0.1:${port}/hook?shop=1`);
  for (const order of all(40)) await put(relay, order);
  for (const order of all(40)) assert.equal((await settled(relay, order)).state, 'created');
  const failed = logOf(relay.child, 'notify');
  assert.ok(failed.length > 0 && failed.length <= 8 + 3, `${failed.length} requests`);
  assert.equal(failed[0].failure, 'connection refused (ECONNREFUSED)');
  assert.match((await ask(relay, '/metrics')).text, /^sales_order_relay_notify_paused\{cause="failing"\} 1$/m);
  assert.deepEqual(logOf(relay.child, 'error'), []);
  await killed(relay);
  const { received } = await receiverOf(t, () => [200], port);
  await start(relay.file);
  await until(() => idsOf(received).size === 40, 'each order');
});

test('what is no 2xx is a failure and repeated with the same id; redirects are not followed, Retry-After is kept', async (t) => {
  const statuses = [302, 500, 503];
  let isUp = false;
  const { url, received, counts } = await receiverOf(t, () =>
    isUp
      ? [204]
      : [statuses.shift() ?? 500, { Location: '/elsewhere', 'Retry-After': statuses.length > 0 ? '0' : '60' }],
  );
  const { relay, start } = await notifying(t, url);
  for (const order of all(8)) {
    await put(relay, order);
    await settled(relay, order);
  }
  await until(() => logOf(relay.child, 'notify').length >= 3, 'three failures');
  await until(() => counts.running === 0, 'no request in flight');
  const failed = [...received];
  assert.deepEqual([...new Set(failed.map(({ path }) => path))], ['/hook?shop=1']);
  const { status, pauseMs } = logOf(relay.child, 'notify')[2];
  assert.deepEqual([status, pauseMs], [503, 60_000]);
  await killed(relay);
  isUp = true;
  await start(relay.file);
  await until(() => idsOf(received.slice(failed.length)).size === 8, 'each order');
  for (const { id, data } of failed)
    assert.ok(received.slice(failed.length).some((each) => each.id === id && each.data.orderId === data.orderId));
});

test('after 410 nothing is posted until the next start, which the log says once and /metrics always', async (t) => {
  let isGone = true;
  const { url, received } = await receiverOf(t, () => [isGone ? 410 : 200]);
  const { relay, start } = await notifying(t, url);
  for (const order of all(5)) {
    await put(relay, order);
    assert.equal((await settled(relay, order)).state, 'created');
    await until(() => logOf(relay.child, 'notify').length === 1, 'the failure');
  }
  assert.deepEqual([received.length, logOf(relay.child, 'notify').length], [1, 1]);
  const { failure, pauseMs } = logOf(relay.child, 'notify')[0];
  assert.deepEqual([failure, pauseMs], ['gone: nothing is posted until the next start', null]);
  assert.match((await ask(relay, '/metrics')).text, /^sales_order_relay_notify_paused\{cause="gone"\} 1$/m);
  await killed(relay);
  isGone = false;
  await start(relay.file);
  await until(() => idsOf(received.slice(1)).size === 5, 'each order');
});

test('a receiver that is slow holds up no delivery, and gets few requests at a time', async (t) => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers();
  const { url, received, counts } = await receiverOf(t, async () => {
    await isReleased;
    return [204];
  });
  const { relay } = await notifying(t, url);
  for (const order of all(150)) await put(relay, order);
  for (const order of all(150)) assert.equal((await settled(relay, order)).state, 'created');
  assert.ok(received.length <= 8 && received.length > 0, `${received.length} requests`);
  release(undefined);
  await until(() => received.length >= 6 * 16, 'those that waited');
  assert.ok(counts.most <= 8, `${counts.most} at a time`);
});

test('requests that fail at the same time are one failure: a short trouble makes a short pause', async (t) => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers();
  const { url, received } = await receiverOf(t, async () => {
    await isReleased;
    return [503];
  });
  const { relay } = await notifying(t, url);
  for (const order of all(16)) await put(relay, order);
  await until(() => received.length === 8, 'a request of each lane');
  release(undefined);
  await until(() => logOf(relay.child, 'notify').length >= 8, 'eight failures');
  const pauses = logOf(relay.child, 'notify')
    .slice(0, 8)
    .map(({ pauseMs }) => pauseMs);
  assert.ok(Math.max(...pauses) <= 5000, `${pauses}`);
});

test('a receiver or a secret that cannot be used is a usage error that names the flag or the file', async (t) => {
  const of = (bytes) => `whsec_${Buffer.alloc(bytes).toString('base64')}`;
  const cwd = folderOf(t, { secret: VECTOR.secret, short: of(23), long: of(65), bare: VECTOR.secret.slice(6) });
  const env = { SALES_ORDER_INTAKE_TOKEN: 'a-token' };
  const url = 'https://shop.example.com/hook';
  /** @type {[string[], RegExp][]} */
  const mistakes = [
    [['--notify', url], /^error: --notify URL and --notify-secret-file FILE need each other/],
    [['--notify-secret-file', 'secret'], /^error: --notify URL and --notify-secret-file FILE need each other/],
    [['--notify', url, '--notify-secret-file', 'none'], /^error: there is no file none/],
    ...['short', 'long', 'bare'].map(
      (file) =>
        /** @type {[string[], RegExp]} */ ([
          ['--notify', url, '--notify-secret-file', file],
          new RegExp(`^error: ${file} has no secret of Standard Webhooks: .*\n.*openssl rand`),
        ]),
    ),
    ...['http://shop.example.com', 'https://a:b@shop.example.com', 'shop'].map(
      (wrong) =>
        /** @type {[string[], RegExp]} */ ([
          ['--notify', wrong, '--notify-secret-file', 'secret'],
          /^error: --notify must be https, or http on a loopback address/,
        ]),
    ),
  ];
  for (const [flags, message] of mistakes) {
    const { code, out, err } = await run(['relay', '--base-url', NOBODY, '--listen', '0', ...flags], { cwd, env });
    assert.deepEqual([code, out], [2, ''], join(...flags));
    assert.match(err, message);
  }
});
