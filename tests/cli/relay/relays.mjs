/** The relay in a process of its own, and requests to it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { root } from '../../../scripts/places.mjs';
import { installed } from '../../node/installed.mjs';
import { numbered } from '../orders.mjs';
import { folderOf, jsonLines, printed, start } from '../program.mjs';

export const OPENAPI = JSON.parse(readFileSync(join(root, 'cli/relay/openapi.json'), 'utf8'));
export const PUT = '/v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)';
/** Strings that no log may have. */
export const PERSONAL = {
  FirstName: 'Xanthippe',
  LastName: 'Zwingli',
  Notes: 'rings twice',
  CustomerId: '3d0e5c7b-91a2-4f36-8b7d-6c5e4f3a2b10',
};

const seen = [];
// Each file of tests checks what it has seen.
after(() => {
  for (const [method, path, status, type] of seen) assertDescribed(method, path, status, type);
});

/** Fails if the OpenAPI document does not describe the status of a route, or what it allows. */
function assertDescribed(method, path, status, type) {
  const described = Object.keys(OPENAPI.paths).find((template) => {
    const pattern = template.replaceAll(/[()]/g, '\\$&').replace('{orderId}', '[^/()]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
  // No route: only the statuses of what is no request, or not for it.
  if (!described) return assert.ok([400, 404, 421].includes(status), `${method} ${path} ${status}`);
  const { parameters: _, ...operations } = OPENAPI.paths[described];
  const operation = operations[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!operation) {
    assert.ok([405, 421].includes(status), `${method} ${path} ${status}`);
    for (const { responses } of Object.values(operations)) assert.ok(responses[status], `${described} ${status}`);
    return;
  }
  // A refusal is repeated with the status that the service gave.
  const isRepeated = type === 'urn:sales-order-intake:problem:refused' && operation.responses['4XX'];
  assert.ok(
    operation.responses[status] ?? isRepeated,
    `openapi.json does not describe ${method} ${described} ${status}`,
  );
}

/**
 * Starts the relay on a free port; ends with the test.
 *
 * @param {any} t
 * @param {{ baseUrl: string, token?: string, outbox?: string | null, flags?: string[], env?: object, listen?: string, main?: string }}
 *   settings `outbox` is null if the environment names it; `main` is the program of another installation.
 */
export async function relayed(t, { baseUrl, token = 'a-token', outbox, flags = [], env = {}, listen = '0', main }) {
  const file = outbox ?? join(folderOf(t), 'relay.sqlite');
  const place = outbox === null ? [] : ['--outbox', file];
  const args = ['relay', '--base-url', baseUrl, '--listen', listen, ...place, ...flags];
  const child = start(args, { main, env: { SALES_ORDER_INTAKE_TOKEN: token, ...env } });
  t.after(() => child.kill('SIGKILL'));
  await printed(child, 'out', /"event":"listening".*\n/);
  const { url } = logOf(child, 'listening')[0];
  return { child, file, url: url.replace('0.0.0.0', '127.0.0.1') };
}

/** The log so far, or the events of it with this name. */
export function logOf({ shown }, event) {
  const whole = shown.out.slice(0, shown.out.lastIndexOf('\n') + 1);
  return jsonLines(whole).filter((line) => !event || line.event === event);
}

/** Asks the relay. */
export async function ask({ url }, path, init = {}) {
  const response = await fetch(url + path, init);
  const text = await response.text();
  const json = jsonOf(text);
  seen.push([init.method ?? 'GET', new URL(path, url).pathname, response.status, json?.type]);
  return { status: response.status, headers: response.headers, text, json };
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Puts an order. */
export async function put(relay, order = numbered(0), headers = {}) {
  const { esm } = await installed();
  const { path, headers: own, body } = esm.prepareRequest(order);
  return ask(relay, `/${path}`, { method: 'PUT', headers: { ...own, ...headers }, body });
}

/** Returns all orders of the list, page by page. */
export async function listed(relay, query = 'limit=500') {
  const orders = [];
  for (let after = ''; ; ) {
    const { json } = await ask(relay, `/orders?${query}${after}`);
    orders.push(...json.orders);
    if (json.next === null) return orders;
    after = `&after=${json.next}`;
  }
}

/** Waits until an order is settled, and returns its state. */
export async function settled(relay, { Id } = numbered(0), headers = {}) {
  const { status, json } = await ask(relay, `/orders/${Id}`, { headers: { Prefer: 'wait=30', ...headers } });
  assert.equal(status, 200);
  return json;
}
