/** Creates clients of the installed package, on a clock that costs no time. */
import { pathToFileURL } from 'node:url';
import { installed, installedFile } from '../node/installed.mjs';
import { ID, minimalOrder } from '../node/orders.mjs';
import * as clock from './clock.mjs';

export const { esm: core, client } = await installed();
/** Internal functions of the package: only this one takes a platform. */
const internals = await import(pathToFileURL(installedFile('dist/esm/internals.js')).href);
const { createClientOn } = internals;

export const { orderRequest, platform, sendStoredOf } = internals;
export const TOKEN = 'token-of-the-tests';
export const ORDER_ID = ID;

/** Creates a client with production defaults on the simulated clock. */
export function clientOf(baseUrl, options = {}, on = clock.platform) {
  const fetch = options.fetch ? clock.watching(options.fetch) : clock.fetch;
  return createClientOn(on, { baseUrl, token: TOKEN, ...options, fetch });
}

/** Returns order number `n`; each has a different id. */
export function numbered(n, changes = {}) {
  return minimalOrder({ Id: `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`, ...changes });
}

export function* manyOrders(count) {
  for (let n = 0; n < count; n++) yield numbered(n);
}

/** Returns all results, sorted by index. */
export async function collected(results) {
  const all = [];
  for await (const result of results) all.push(result);
  return all.sort((a, b) => a.index - b.index);
}

/** Returns all results, sorted by index, and the error that the loop threw after the last one. */
export async function collectedUntilError(results) {
  const all = [];
  try {
    for await (const result of results) all.push(result);
  } catch (error) {
    return { results: all.sort((a, b) => a.index - b.index), error };
  }
  throw new Error('nothing was thrown');
}
