/** Serves a handler from Request to Response with Node alone. */
// #region server
import { createServer } from 'node:http';
import { Readable } from 'node:stream';

/**
 * Returns a server, not yet listening.
 *
 * @param {(request: Request) => Promise<Response>} handler
 */
export function serverOf(handler) {
  return createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const body = method === 'POST' ? Readable.toWeb(incoming) : undefined;
    /** @type {any} Types of Node and of the DOM differ. */
    const init = { method, headers, body, duplex: 'half' };
    let request;
    try {
      // Not `new URL(url, base)`: there a path that begins with two slashes names another host.
      request = new Request(`http://${headers.host}${url}`, init);
    } catch {
      // No address has this host, or no Request this method.
      return outgoing.writeHead(400).end();
    }
    const response = await handler(request).catch(() => new Response(null, { status: 500 }));
    return outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
}
// #endregion server
