/** Clients of the installed package, and a clock that makes their waits short. */
import { pathToFileURL } from 'node:url';
import { installed, installedFile } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';

export const { esm: core, cjs, client, cjsClient } = await installed();
/** Inside the package: what takes a platform. */
const { createClientOn } = await import(pathToFileURL(installedFile('dist/esm/client/client.js')).href);
const { platform } = await import(pathToFileURL(installedFile('dist/esm/client/platform.js')).href);

export { platform };
export const TOKEN = 'token-of-the-tests';
export const ORDER_ID = minimalOrder().Id;

/** Time passes so many times faster: a wait of a second takes 25 ms, so production values can be tested. */
export const SPEED = 40;

export const fastPlatform = {
  ...platform,
  now: () => platform.now() * SPEED,
  // The middle of what jitter can give.
  random: () => 0.5,
  after: (ms, callback) => platform.after(ms / SPEED, callback),
};

/** A client with production defaults on fast time. */
export function clientOf(baseUrl, options = {}, on = fastPlatform) {
  return createClientOn(on, { baseUrl, token: TOKEN, ...options });
}

/** The error that something rejects with. */
export async function failureOf(promise) {
  return promise.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error) => error,
  );
}

/** Order number `n` of many; each has an id of its own. */
export function numbered(n, changes = {}) {
  return minimalOrder({ Id: `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`, ...changes });
}

export function* manyOrders(count) {
  for (let n = 0; n < count; n++) yield numbered(n);
}

/** All results, by index. */
export async function collected(results) {
  const all = [];
  for await (const result of results) all.push(result);
  return all.sort((a, b) => a.index - b.index);
}
