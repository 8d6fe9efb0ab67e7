/** Creates clients of the installed package, on a fast clock that shortens their waits. */
import { pathToFileURL } from 'node:url';
import { installed, installedFile } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';

export const { esm: core, cjs, client, cjsClient } = await installed();
/** An internal function of the package, because only this one takes a platform. */
const { createClientOn } = await import(pathToFileURL(installedFile('dist/esm/client/client.js')).href);
const { platform } = await import(pathToFileURL(installedFile('dist/esm/client/platform.js')).href);

export { platform };
export const TOKEN = 'token-of-the-tests';
export const ORDER_ID = minimalOrder().Id;

/** How many times faster time passes: a wait of a second takes 25 ms, so that production values can be tested. */
export const SPEED = 40;

export const fastPlatform = {
  ...platform,
  now: () => platform.now() * SPEED,
  // The middle of the range of jitter.
  random: () => 0.5,
  after: (ms, callback) => platform.after(ms / SPEED, callback),
};

/** Creates a client with production defaults on fast time. */
export function clientOf(baseUrl, options = {}, on = fastPlatform) {
  return createClientOn(on, { baseUrl, token: TOKEN, ...options });
}

/** Returns the error that a promise rejects with. */
export async function failureOf(promise) {
  return promise.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error) => error,
  );
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
