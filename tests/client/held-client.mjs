/**
 * Creates clients whose requests a test responds to, or that are answered at once, and sources of orders that are
 * counted.
 */
import { clientOf, numbered } from './clients.mjs';

/** Creates a client whose requests wait in `pending` until the test responds to them. */
export function heldClient(options = {}) {
  const pending = [];
  const fetch = (_, { body, signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      const respond = (status, headers = {}) =>
        resolve(new Response(status === 201 ? body : null, { status, headers }));
      pending.push({
        respond,
        create: () => respond(201),
        refuse: () => respond(400),
        lose: () => reject(new TypeError('fetch failed')),
      });
    });
  return { pending, sender: clientOf('https://x.example', { fetch, ...options }) };
}

/** Creates a client whose orders are all created at once. */
export function instantClient(options = {}) {
  const fetch = async (_, { body }) => new Response(body, { status: 201 });
  return clientOf('https://x.example', { fetch, ...options });
}

/** Creates a source of orders that counts how many were pulled, and records when it is closed. */
export function countedOrders(count = Number.POSITIVE_INFINITY) {
  const source = {
    pulled: 0,
    isClosed: false,
    *[Symbol.iterator]() {
      try {
        while (source.pulled < count) yield numbered(source.pulled++);
      } finally {
        source.isClosed = true;
      }
    },
  };
  return source;
}
