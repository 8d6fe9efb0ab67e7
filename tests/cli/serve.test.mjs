/** serve: the test service over HTTP, with its token and faults. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { item } from '../node/orders.mjs';
import { numbered } from './orders.mjs';
import { start, until } from './program.mjs';

/** Starts `serve`; gives what it printed as names and values. */
async function served(t, ...flags) {
  const child = start(['serve', '--port', '0', ...flags], { node: '20' });
  t.after(() => child.kill('SIGKILL'));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  await until(() => /^IntegratorId .*\n/m.test(out), 'it serves');
  const value = (name) => new RegExp(`^${name} +(.*)$`, 'm').exec(out)?.[1] ?? '';
  return { child, baseUrl: value('base URL'), token: value('token'), value, output: () => out };
}

async function put({ baseUrl, token }, order, headers = {}) {
  const { esm } = await installed();
  const { path, headers: own, body } = esm.prepareRequest(order);
  return fetch(`${baseUrl}/${path}`, {
    method: 'PUT',
    headers: { ...own, Authorization: `Bearer ${token}`, ...headers },
    body,
  });
}

test('serve prints a token and ids, with which an order is created; the token is required', async (t) => {
  const service = await served(t);
  const order = numbered(0, {
    ...{ CompanyId: Number(service.value('CompanyId')), EntityId: Number(service.value('EntityId')) },
    IntegratorId: service.value('IntegratorId'),
  });
  const created = await put(service, order);
  assert.equal(created.status, 201);
  assert.equal((await created.json()).ReceiptNumber, '1');
  assert.equal((await put(service, order)).status, 200);
  assert.equal((await put(service, numbered(0, { Items: [item({ Quantity: 3 })] }))).status, 409);
  for (const token of ['test-token', '', `${service.token}x`]) {
    assert.equal((await put({ ...service, token }, numbered(1))).status, 401);
  }
  assert.equal((await fetch(`${service.baseUrl}/`)).status, 404);
  await until(() => /^201 PUT \/v3\/ServiceOrder\(/m.test(service.output()), 'requests are listed');
  service.child.kill('SIGINT');
  assert.equal(await new Promise((resolve) => service.child.on('close', resolve)), 0);
});

test('faults are injected by rate, or asked for in a request', async (t) => {
  const service = await served(t, '--token', 'a-token', '--fault', '503=1');
  assert.equal(service.token, 'a-token');
  assert.equal((await put(service, numbered(0))).status, 503);
  assert.equal((await put(service, numbered(0), { 'X-Fault': '429' })).status, 429);
  await assert.rejects(put(service, numbered(0), { 'X-Fault': 'drop' }), { message: 'fetch failed' });
  await until(() => /^lost PUT .* fault drop$/m.test(service.output()), 'the lost connection is listed');
});

test('a port that is in use is an error', async (t) => {
  const { baseUrl } = await served(t);
  const { finished } = await import('./program.mjs');
  const { code, err } = await finished(start(['serve', '--port', new URL(baseUrl).port]));
  assert.equal(code, 2);
  assert.match(err, /^error: port \d+ is in use\nhint: --port 0 takes a free one\./);
});
