/** The reference service of `serve`, in a process of its own. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { installed } from '../node/installed.mjs';
import { numbered } from './orders.mjs';
import { printed, start } from './program.mjs';

/**
 * Starts `serve`; gives what it printed as names and values.
 *
 * @param {string[]} [flags]
 * @param {{ node?: string }} [options]
 */
export async function served(flags = [], options = {}) {
  const child = start(['serve', '--port', '0', ...flags], options);
  await printed(child, 'out', /^view .*\n/m);
  const value = (name) => new RegExp(`^${name} +(.*)$`, 'm').exec(child.shown.out)?.[1] ?? '';
  const values = (name) => [...child.shown.out.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map(([, each]) => each);
  return { child, baseUrl: value('base URL'), token: value('token'), value, values };
}

/** Puts an order to it. */
export async function put({ baseUrl, token }, order, headers = {}) {
  const { esm } = await installed();
  const { path, headers: own, body } = esm.prepareRequest(order);
  return fetch(`${baseUrl}/${path}`, {
    method: 'PUT',
    headers: { ...own, Authorization: `Bearer ${token}`, ...headers },
    body,
  });
}

/** Sends bytes, and returns what comes back until the connection is closed. */
export function answerTo({ baseUrl }, ...pieces) {
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

/** Checks that bodies which are too large are refused, and that the service goes on. */
export async function refusesLargeBodies(service) {
  const body = Buffer.alloc(9 << 20, 'x');
  const head = (line, more = '') =>
    `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n${more}\r\n`;
  const sender = `Authorization: Bearer ${service.token}\r\nContent-Type: application/json\r\n`;
  for (const [status, request] of [
    // A page of any site may send this one.
    [405, head('POST /', 'Origin: http://evil.example\r\nContent-Type: text/plain\r\n')],
    [413, head(`PUT /v3/ServiceOrder(${numbered(0).Id})`, sender)],
    [404, head('GET /orders')],
  ]) {
    const [fields = '', content = ''] = (await answerTo(service, request, body)).split('\r\n\r\n');
    assert.match(fields, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(fields, /^connection: close$/im);
    assert.match(fields, /^content-type: application\/problem\+json$/im);
    assert.doesNotMatch(fields, /^Access-Control/im);
    assert.equal(JSON.parse(content).status, status);
  }
  const response = await fetch(service.baseUrl, { method: 'POST', body });
  assert.equal(response.status, 405);
  assert.equal((await put(service, numbered(0))).status, 201);
  await printed(service.child, 'out', /^405 POST \/$/m);
  assert.equal(service.child.exitCode, null);
}
