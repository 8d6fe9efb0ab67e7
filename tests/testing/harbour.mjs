/** The registry of these tests, an order that its token covers, and functions to send it. */
import { randomUUID } from 'node:crypto';

const STOREFRONT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const KIOSK = '11111111-2222-4333-8444-555555555555';

/**
 * Company 1501 with an exclusive, an unconfigured and an inclusive location, and 1502, which the first token does not
 * cover.
 */
export const registry = {
  companies: [
    {
      id: 1501,
      locations: [
        { id: 2301, taxPricing: 'Exclusive' },
        { id: 2302, inventoryHold: true },
        { id: 2303, taxPricing: 'Inclusive' },
      ],
    },
    { id: 1502, locations: [{ id: 2304 }] },
  ],
  integrators: [
    { id: STOREFRONT, name: 'Storefront' },
    { id: KIOSK, name: 'Kiosk "2"', allowEmptyTaxes: true, records: 'passthrough' },
  ],
  tokens: [
    { token: 'soi_storefront', companies: [1501], integrators: [STOREFRONT] },
    { token: 'soi_everyone', companies: [1501, 1502], integrators: [STOREFRONT, KIOSK] },
  ],
};

export const newId = () => randomUUID();
export const kiosk = { token: 'soi_everyone', IntegratorId: KIOSK };

export function order(id, changes = {}) {
  return {
    ...{ Id: id, CompanyId: 1501, EntityId: 2301, IntegratorId: STOREFRONT },
    Items: [
      { Name: 'Pre-roll', CatalogItemId: 'c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e', Quantity: 1, SellAtPricePerUnit: 10 },
    ],
    ...changes,
  };
}

/**
 * Sends to a path of a target, with the headers of §4; `headers` replace those of the same name, and undefined removes
 * one. Sends bytes, because fetch sets its own Content-Type for a string.
 *
 * @typedef {{ method?: string, headers?: Record<string, string | undefined>, body?: any, signal?: AbortSignal }} Sent
 * @param {{ baseUrl: string, token: string, fetch: any }} service
 * @param {string} path
 * @param {Sent} [request]
 */
export async function send({ baseUrl, token, fetch }, path, { method = 'PUT', headers = {}, body, signal } = {}) {
  const usual = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' };
  const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const response = await fetch(`${baseUrl}${path}`, { method, headers: all, ...(bytes && { body: bytes }), signal });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

/**
 * Sends an order to the operation of its id.
 *
 * @param {any} target
 * @param {any} order
 * @param {Sent & { version?: string }} [request]
 */
export function put(target, order, { version = 'v3', ...request } = {}) {
  return send(target, `/${version}/ServiceOrder(${order.Id})`, { body: JSON.stringify(order), ...request });
}
