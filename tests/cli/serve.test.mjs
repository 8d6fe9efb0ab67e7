/** serve: the test service over HTTP, with its token and faults. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { item } from '../node/orders.mjs';
import { numbered } from './orders.mjs';
import { cleanEnv, finished, folderOf, followed, MAIN, printed, start } from './program.mjs';
import { answerTo, put, refusesLargeBodies, served } from './served.mjs';

test('serve prints a token and ids, with which an order is created; the token is required', async () => {
  const service = await served();
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
  await printed(service.child, 'out', /^201 PUT \/v3\/ServiceOrder\(/m);
  service.child.kill('SIGINT');
  assert.equal((await service.child.ended).code, 0);
});

test('faults are injected by rate, or asked for in a request', async () => {
  const service = await served(['--token', 'a-token', '--fault', '503=1']);
  assert.equal(service.token, 'a-token');
  assert.equal((await put(service, numbered(0))).status, 503);
  assert.equal((await put(service, numbered(0), { 'X-Fault': '429' })).status, 429);
  await assert.rejects(put(service, numbered(0), { 'X-Fault': 'drop' }), { message: 'fetch failed' });
  await printed(service.child, 'out', /^lost PUT .* fault drop$/m);
});

test('a latency is combined with another fault', async () => {
  const service = await served(['--fault', 'latency=300=1', '--fault', '503=1']);
  const startedAt = performance.now();
  assert.equal((await put(service, numbered(0))).status, 503);
  assert.ok(performance.now() - startedAt >= 290);
  await printed(service.child, 'out', /^503 PUT .* fault 503, latency=300$/m);
});

test('the example that serve prints sends an order', async (t) => {
  const cwd = folderOf(t);
  const service = await served();
  await printed(service.child, 'err', /send order\.json/);
  const [, example = ''] = service.child.shown.err.split('In another terminal:\n');
  writeFileSync(join(cwd, 'sales-order-intake'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, {
    mode: 0o755,
  });
  const env = cleanEnv({ PATH: `${cwd}:${process.env.PATH}` });
  const { code, out, err } = await finished(followed(spawn('sh', ['-c', example], { cwd, env })));
  assert.deepEqual([code, out], [0, '1 order: 1 created.\n'], err);
});

test('a port that is in use is an error', async () => {
  const { baseUrl } = await served();
  const { code, err } = await finished(start(['serve', '--port', new URL(baseUrl).port]));
  assert.equal(code, 2);
  assert.match(err, /^error: port \d+ is in use\nhint: --port 0 takes a free one\./);
});

test('a body that is too large is refused with 413, and the service goes on', async () => {
  await refusesLargeBodies(await served());
});

test('broken requests do not end the service', async () => {
  const service = await served();
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

test('a page of another site gets no permission to send orders', async () => {
  const service = await served();
  const headers = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'PUT' };
  for (const init of [{ method: 'OPTIONS', headers }, { headers }, { method: 'POST', headers, body: '{}' }]) {
    const response = await fetch(`${service.baseUrl}/v3/ServiceOrder(${numbered(0).Id})`, init);
    assert.ok(response.status >= 400);
    assert.ok([...response.headers.keys()].every((name) => !name.startsWith('access-control')));
  }
});
