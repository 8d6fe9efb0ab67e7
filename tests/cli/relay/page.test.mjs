/** relay: the page of operators at its root. What the page shows is tested with the outbox. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbered } from '../orders.mjs';
import { NOBODY, serviceOf } from '../program.mjs';
import { ask, put, relayed, settled } from './relays.mjs';

const GUID = numbered(0).Id;
const TOKEN = { SALES_ORDER_RELAY_CLIENT_TOKEN: 'of-the-shops' };
const basic = (text) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });

/** Sends a form of the page for an order. */
function submit(relay, action, { headers = {}, fields = {} } = {}) {
  return ask(relay, `/?order=${GUID}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ action, ...fields })}`,
  });
}

test('the page at / lists orders, shows one, and changes it', async (t) => {
  let isFixed = false;
  const service = await serviceOf(t, ({ body }) =>
    isFixed ? { status: 201, body } : { status: 422, body: '{"Message":"no"}' },
  );
  const relay = await relayed(t, service);
  await put(relay);
  await settled(relay);
  const list = await ask(relay, '/?state=refused');
  assert.deepEqual([list.status, list.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.ok(list.text.includes(GUID) && list.text.includes('Orders of the relay'));
  assert.match(list.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  isFixed = true;
  const { status, headers } = await submit(relay, 'retry');
  assert.equal(status, 303);
  assert.equal((await settled(relay)).state, 'created');
  const shown = await ask(relay, `/${headers.get('location')}`);
  assert.equal(shown.status, 200);
  assert.match(shown.text, /created/);
  assert.equal((await ask(relay, '/', { method: 'HEAD' })).text, '');
  assert.equal((await ask(relay, '/?order=1')).status, 404);
  assert.equal((await ask(relay, '/', { method: 'DELETE' })).status, 405);
});

test('a form of another site changes nothing', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await put(relay);
  assert.equal((await submit(relay, 'cancel', { headers: { Origin: 'https://evil.example' } })).status, 403);
  assert.equal((await submit(relay, 'cancel', { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status, 403);
  assert.notEqual((await ask(relay, `/orders/${GUID}`)).json.state, 'cancelled');
  assert.equal((await submit(relay, 'cancel', { headers: { Origin: relay.url } })).status, 303);
  assert.equal((await ask(relay, `/orders/${GUID}`)).json.state, 'cancelled');
});

test('with a client token, the page asks for a password, which is the token', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY, env: TOKEN });
  await put(relay, numbered(0), { Authorization: 'Bearer of-the-shops' });
  for (const headers of [
    {},
    basic('anybody:of-the-shop'),
    basic('of-the-shops:'),
    basic('of-the-shops'),
    basic('::'),
  ]) {
    for (const method of ['GET', 'POST']) {
      const { status, headers: own, text } = await ask(relay, '/', /** @type {any} */ ({ method, headers }));
      assert.deepEqual([status, own.get('www-authenticate')], [401, 'Basic realm="relay", charset="UTF-8"']);
      assert.ok(!text.includes(GUID));
    }
  }
  for (const headers of [
    basic('anybody:of-the-shops'),
    basic(':of-the-shops'),
    { Authorization: 'Bearer of-the-shops' },
  ])
    assert.equal((await ask(relay, '/', { headers })).status, 200);
  assert.equal((await submit(relay, 'cancel', { headers: basic('me:of-the-shops') })).status, 303);
  // The user name is in the history.
  const headers = { Authorization: 'Bearer of-the-shops' };
  const { events } = (await ask(relay, `/orders/${GUID}/history`, { headers })).json;
  assert.deepEqual([events.at(-1).what, events.at(-1).by], ['cancel', 'me']);
  // Who gives it as both must not find it in the history.
  const both = await ask(relay, '/', { headers: basic('of-the-shops:of-the-shops') });
  assert.deepEqual([both.status, both.text.includes('of-the-shops')], [200, false]);
  // A browser sends the password with the page only: other requests take the token, as before.
  assert.equal((await ask(relay, '/orders', { headers: basic('me:of-the-shops') })).status, 401);
  assert.doesNotMatch(relay.child.shown.out, /of-the-shops|b2Ytd/);
});

test('a form has the limit of a body', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await put(relay);
  const large = await submit(relay, 'replace', { fields: { order: 'x'.repeat(1 << 20) } });
  assert.equal(large.status, 413);
});
