/** serve: the reference service over HTTP, with its token and faults. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { item } from '../node/orders.mjs';
import { numbered } from './orders.mjs';
import { cleanEnv, finished, folderOf, followed, MAIN, printed, start, until } from './program.mjs';
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

test('orders that are kept survive the end of the service, and are replayed', async (t) => {
  const file = join(folderOf(t), 'orders.ndjson');
  const first = await served(['--keep', file, '--token', 'a-token']);
  const created = await put(first, numbered(0));
  assert.equal(created.status, 201);
  first.child.kill('SIGKILL');
  await first.child.ended;
  // The remains of a write during which the service was killed were never acknowledged.
  appendFileSync(file, '{"orderId":"');
  const second = await served(['--keep', file, '--token', 'a-token']);
  const again = await put(second, numbered(0));
  assert.deepEqual([again.status, await again.text()], [200, await created.text()]);
  assert.equal((await put(second, numbered(0, { Items: [item({ Quantity: 3 })] }))).status, 409);
  assert.equal((await (await put(second, numbered(1))).json()).ReceiptNumber, '2');
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('two services with one file create no order twice: the one that does not know the last one stores nothing', async (t) => {
  const file = join(folderOf(t), 'orders.ndjson');
  const one = await served(['--keep', file, '--token', 'a-token']);
  const other = await served(['--keep', file, '--token', 'a-token']);
  assert.equal((await put(one, numbered(0))).status, 201);
  for (const n of [0, 1]) assert.equal((await put(other, numbered(n))).status, 503);
  await printed(other.child, 'err', /orders\.ndjson: an order could not be stored: another process has written to it/);
  assert.equal((await put(one, numbered(0))).status, 200);
  assert.equal((await put(one, numbered(1))).status, 201);
});

test('a file of something else is not taken for kept orders', async (t) => {
  const file = join(folderOf(t), 'orders.json');
  writeFileSync(file, '[]\n');
  const { code, err } = await finished(start(['serve', '--port', '0', '--keep', file]));
  assert.equal(code, 2);
  assert.match(err, /orders\.json is not a file that serve has written.*\nhint: Give --keep a file of its own/);
  assert.equal(readFileSync(file, 'utf8'), '[]\n');
});

test('an order is not acknowledged after its file has been removed or replaced', async (t) => {
  const file = join(folderOf(t), 'orders.ndjson');
  for (const change of [
    () => rmSync(file),
    () => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ]) {
    rmSync(file, { force: true });
    const service = await served(['--keep', file]);
    assert.equal((await put(service, numbered(0))).status, 201);
    change();
    assert.equal((await put(service, numbered(1))).status, 503);
    await printed(service.child, 'err', /orders\.ndjson: an order could not be stored: it was removed or replaced/);
    // A stored order stays known.
    assert.equal((await put(service, numbered(0))).status, 200);
  }
});

test('the service is not ready while its file can take no order', async (t) => {
  const file = join(folderOf(t), 'orders.ndjson');
  const ready = async ({ baseUrl }) => (await fetch(`${baseUrl}/health/ready`)).status;
  const keeping = await served(['--keep', file]);
  assert.equal(await ready(keeping), 204);
  assert.equal((await put(keeping, numbered(0))).status, 201);
  const size = statSync(file).size;
  // A result is used again for a second.
  const becomes = (status) => until(async () => (await ready(keeping)) === status, `ready is ${status}`);
  renameSync(file, `${file}.moved`);
  await becomes(503);
  const response = await fetch(`${keeping.baseUrl}/health/ready`);
  const { type, detail } = await response.json();
  assert.deepEqual([type, detail], ['urn:sales-order-intake:problem:unavailable', 'Orders cannot be stored.']);
  await printed(keeping.child, 'err', /orders\.ndjson: no order can be stored: it was removed or replaced/);
  renameSync(`${file}.moved`, file);
  await becomes(204);
  assert.equal(statSync(file).size, size);
  const more = `${readFileSync(file, 'utf8').split('\n')[1]}\n`;
  appendFileSync(file, more);
  await becomes(503);
  assert.equal(statSync(file).size, size + more.length);
  await printed(keeping.child, 'err', /no order can be stored: another process has written to it/);
});

test('the service is not ready if an order does not fit on the disk', async (t) => {
  const file = join(folderOf(t), 'orders.ndjson');
  const flags = ['serve', '--port', '0', '--token', 'a-token', '--keep', file];
  // At most 2 KiB in a file.
  const limited = ['-c', 'ulimit -f 2; exec "$@"', 'bash', process.execPath, MAIN, ...flags];
  const child = followed(spawn('bash', limited, { env: cleanEnv() }));
  await printed(child, 'out', /^view .*\n/m);
  const [, baseUrl = ''] = /^base URL +(.*)$/m.exec(child.shown.out) ?? [];
  const statuses = [];
  for (let n = 0; statuses.at(-1) !== 503; n++) {
    statuses.push((await put({ baseUrl, token: 'a-token' }, numbered(n))).status);
  }
  assert.equal(statuses[0], 201);
  const size = statSync(file).size;
  assert.equal((await fetch(`${baseUrl}/health/ready`)).status, 503);
  assert.equal(statSync(file).size, size);
  assert.equal((await put({ baseUrl, token: 'a-token' }, numbered(0))).status, 200);
});

test('only a regular file is taken for kept orders', async (t) => {
  const folder = folderOf(t);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  mkdirSync(join(folder, 'folder'));
  /** @type {[string, RegExp][]} */
  const cases = [
    [
      'pipe',
      /pipe is not a file that serve has written: it is not a regular file\nhint: Give --keep a file of its own/,
    ],
    ['folder', /folder can't be opened: EISDIR/],
  ];
  for (const [name, message] of cases) {
    const { code, err } = await finished(start(['serve', '--port', '0', '--keep', join(folder, name)]));
    assert.equal(code, 2);
    assert.match(err, message);
  }
});

test('a line that is not an order is refused with its number', async (t) => {
  const file = join(folderOf(t), 'orders.ndjson');
  const service = await served(['--keep', file]);
  assert.equal((await put(service, numbered(0))).status, 201);
  service.child.kill('SIGINT');
  await service.child.ended;
  const written = readFileSync(file, 'utf8');
  const record = JSON.parse(written.split('\n')[1]);
  for (const wrong of [
    ...['{"orderId":5}', '{"orderId"', '', 'null', '[]'],
    ...[{ orderId: 'x' }, { version: 'v1' }, { company: 0 }, { entity: '2000' }, { integrator: null }].map((member) =>
      JSON.stringify({ ...record, ...member }),
    ),
    ...[{ digest: [256] }, { digest: 'x' }, { receipt: 1.5 }, { receipt: 0 }, { body: {} }, { body: '{' }].map(
      (member) => JSON.stringify({ ...record, ...member }),
    ),
  ]) {
    writeFileSync(file, `${written}${wrong}\n`);
    const { code, err } = await finished(start(['serve', '--port', '0', '--keep', file]));
    assert.equal(code, 2, wrong);
    assert.match(err, /orders\.ndjson is not a file that serve has written: line 3 is not an order\nhint: /, wrong);
    assert.equal(readFileSync(file, 'utf8'), `${written}${wrong}\n`);
  }
});

test('the requests are listed, and a location shows its orders as a point of sale might', async () => {
  const service = await served(['--demo']);
  const get = async (path, init) => {
    const response = await fetch(`${service.baseUrl}${path}`, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const order = numbered(0, { CompanyId: 1501, EntityId: 2302, IntegratorId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' });
  const created = await put(service, order);
  assert.equal(created.status, 201, await created.text());
  const [request] = JSON.parse((await get('/requests')).text).requests;
  assert.deepEqual([request.method, request.version, request.orderId, request.status], ['PUT', 'v3', order.Id, 201]);
  const view = JSON.parse((await get('/pos/1501/2302.json')).text);
  assert.deepEqual([view.orders.length, view.orders[0].order.Id, view.older], [1, order.Id, null]);
  assert.match(view.orders[0].preview.total, /^\d+\.\d\d$/);
  const page = await get('/pos/1501/2302', { headers: { accept: 'text/html' } });
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.equal((await get('/pos/page.js')).status, 200);
  assert.equal((await get('/pos/1501/9')).status, 404);
  const { companies } = JSON.parse((await get('/demo.json')).text);
  assert.ok(companies.some(({ companyId, name }) => companyId === 1501 && name === 'Harbour Goods'));
  assert.equal((await get('/health/ready')).status, 204);
  assert.match(JSON.parse((await get('/openapi.json')).text).openapi, /^3\.1/);
  assert.equal((await get('/requests', { method: 'POST' })).status, 405);
  // A page whose own name leads here reads nothing.
  const rebound = 'GET /requests HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
  assert.match(await answerTo(service, rebound), /^HTTP\/1\.1 421 /);
  for (const [target, status] of [
    ['http://evil.example/requests', 421],
    ['http://localhost:4010/requests', 200],
  ]) {
    const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const response = await answerTo(service, request);
    assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `), String(target));
    assert.doesNotMatch(response, /--allow-host/);
  }
  assert.equal(service.values('view').length, 5);
});

test('a registry decides which locations and integrators there are, and its first error is shown', async (t) => {
  const file = join(folderOf(t), 'registry.toml');
  writeFileSync(file, 'companies = [{ id = 7, name = "Tea", locations = [{ id = 8, name = "Quay" }] }]');
  const service = await served(['--registry', file]);
  assert.equal((await put(service, numbered(0))).status, 403);
  assert.deepEqual(service.values('view'), [`${service.baseUrl}/pos/7/8  Tea, Quay`]);
  await printed(service.child, 'out', /^403 PUT /m);
  // No request is listed that nobody made.
  assert.doesNotMatch(service.child.shown.out, /GET/);
  writeFileSync(file, 'companies = [{ id = 0, name = "" }]');
  const { code, err } = await finished(start(['serve', '--port', '0', '--registry', file]));
  assert.equal(code, 2);
  assert.match(err, /is not a registry:\ncompanies\[0\]\.id: must be from 1 to 2147483647\n/);
  const token = `integrators = []\ncompanies = []\nsha256 = "${'0'.repeat(64)}"\nname = "a"`;
  /** @type {[toml: string, error: RegExp][]} */
  const invalid = [
    ['[[companies]]\nid = ', /registry\.toml is not a registry:\nInvalid TOML document: .*\n\n1:.*\n2: {2}id = /],
    ['companies = [{ id = 7, place = 8 }]', /\ncompanies\[0\]\.place: unknown field `place`, expected one of `id`,/],
    [`[[tokens]]\n${token}\nexpires = 2027-01-31`, /\ntokens\[0\]\.expires: must be a date and time with an offset/],
    [
      `[[tokens]]\n${token}\nexpires = 2027-01-31T18:00:00+02:00`,
      /registry\.toml is not a registry: it has no company\n/,
    ],
  ];
  for (const [toml, error] of invalid) {
    writeFileSync(file, toml);
    const refused = await finished(start(['serve', '--port', '0', '--registry', file]));
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, error);
  }
});
