/** serve: the test service over HTTP, with its token and faults. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeOf } from '../outbox/run.mjs';
import { installed } from '../node/installed.mjs';
import { item } from '../node/orders.mjs';
import { numbered } from './orders.mjs';
import { cleanEnv, finished, folderOf, MAIN, start, until } from './program.mjs';

/** Starts `serve`; gives what it printed as names and values. */
async function served(t, ...flags) {
  const child = start(['serve', '--port', '0', ...flags], { node: '20' });
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
