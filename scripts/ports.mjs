import { createServer } from 'node:net';

/**
 * Makes a server listen on a free port of loopback, and resolves to the port.
 *
 * @param {import('node:net').Server} server
 * @returns {Promise<number>}
 */
export async function listen(server) {
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/** Resolves to a port of loopback that is free now. */
export async function freePort() {
  const server = createServer();
  const port = await listen(server);
  await new Promise((closed) => server.close(closed));
  return port;
}
