/** serve: the test service over HTTP, with its token and faults. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeOf } from '../outbox/run.mjs';
import { installed } from '../node/installed.mjs';
import { item } from '../node/orders.mjs';
import { numbered } from './orders.mjs';
import { cleanEnv, finished, folderOf, MAIN, start, until } from './program.mjs';

/** Starts `serve` with flags, and in a version of Node if an object names it; gives what it printed as names and values. */
async function served(t, ...settings) {
  const flags = settings.filter((setting) => typeof setting === 'string');
  const { node = '20' } = settings.find((setting) => typeof setting === 'object') ?? {};
  const child = start(['serve', '--port', '0', ...flags], { node });
  t.after(() => child.kill('SIGKILL'));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  await until(() => /^IntegratorId .*\n/m.test(out), 'it serves');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const value = (name) => new RegExp(`^${name} +(.*)$`, 'm').exec(out)?.[1] ?? '';
  return { child, baseUrl: value('base URL'), token: value('token'), value, output: () => out, errors: () => errors };
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

test('a latency is combined with another fault', async (t) => {
  const service = await served(t, '--fault', 'latency=300=1', '--fault', '503=1');
  const startedAt = performance.now();
  assert.equal((await put(service, numbered(0))).status, 503);
  assert.ok(performance.now() - startedAt >= 290);
  await until(() => /^503 PUT .* fault 503, latency=300$/m.test(service.output()), 'both are listed');
});

test('the example that serve prints sends an order', async (t) => {
  const cwd = folderOf(t);
  const service = await served(t);
  await until(() => /send order\.json/.test(service.errors()), 'the example is printed');
  const [, example = ''] = service.errors().split('In another terminal:\n');
  writeFileSync(join(cwd, 'sales-order-intake'), `#!/bin/sh\nexec '${nodeOf('24')}' '${MAIN}' "$@"\n`, { mode: 0o755 });
  const env = cleanEnv({ PATH: `${cwd}:${process.env.PATH}` });
  const { code, out, err } = await finished(spawn('sh', ['-c', example], { cwd, env }));
  assert.deepEqual([code, out], [0, '1 order: 1 created.\n'], err);
});

test('a port that is in use is an error', async (t) => {
  const { baseUrl } = await served(t);
  const { code, err } = await finished(start(['serve', '--port', new URL(baseUrl).port]));
  assert.equal(code, 2);
  assert.match(err, /^error: port \d+ is in use\nhint: --port 0 takes a free one\./);
});

/** Sends bytes, and returns what comes back until the connection is closed. */
function answerTo({ baseUrl }, ...pieces) {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

for (const node of ['20', '24']) {
  test(`a body that is too large is refused with 413, and the service goes on, in Node ${node}`, async (t) => {
    const service = await served(t, { node });
    const body = Buffer.alloc(9 << 20, 'x');
    const head = (line, more = '') =>
      `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n${more}\r\n`;
    // A page of any site may send the first.
    for (const request of [
      head('POST /', 'Origin: http://evil.example\r\nContent-Type: text/plain\r\n'),
      head('PUT /v3/ServiceOrder(x)', `Authorization: Bearer ${service.token}\r\n`),
      head('GET /'),
    ]) {
      const [fields = '', content = ''] = (await answerTo(service, request, body)).split('\r\n\r\n');
      assert.match(fields, /^HTTP\/1\.1 413 /);
      assert.match(fields, /^Connection: close$/m);
      assert.match(fields, /^Content-Type: application\/problem\+json$/m);
      assert.doesNotMatch(fields, /^Access-Control/im);
      assert.equal(JSON.parse(content).status, 413);
    }
    const response = await fetch(service.baseUrl, { method: 'POST', body });
    assert.equal(response.status, 413);
    assert.equal((await put(service, numbered(0))).status, 201);
    await until(() => /^413 POST \/$/m.test(service.output()), 'the refusal is listed');
    assert.equal(service.child.exitCode, null);
  });
}

test('broken requests do not end the service', async (t) => {
  const service = await served(t);
  const begun = 'PUT /x HTTP/1.1\r\nHost: x\r\n';
  for (const request of [
    'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3),
    `${begun}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n`,
    `GET http://a:b:c/ HTTP/1.1\r\nHost: x\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  ]) {
    await answerTo(service, request);
  }
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => {
    socket.write(`${begun}Content-Length: 1000\r\n\r\n{`, () => socket.resetAndDestroy());
  });
  await new Promise((closed) => socket.on('close', closed));
  assert.equal((await put(service, numbered(0))).status, 201);
  assert.equal(service.child.exitCode, null);
});

test('a page of another site gets no permission to send orders', async (t) => {
  const service = await served(t);
  const headers = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'PUT' };
  for (const init of [{ method: 'OPTIONS', headers }, { headers }, { method: 'POST', headers, body: '{}' }]) {
    const response = await fetch(`${service.baseUrl}/v3/ServiceOrder(${numbered(0).Id})`, init);
    assert.ok(response.status >= 400);
    assert.ok([...response.headers.keys()].every((name) => !name.startsWith('access-control')));
  }
});
