/**
 * A TCP proxy that can fall silent, as a firewall does that forgets a connection, or a machine that loses its power:
 * sockets stay open, and nothing is forwarded.
 */
import { connect, createServer } from 'node:net';

/**
 * How long the server keeps its end of a silent connection, like a server with TCP keep-alive. Without this limit,
 * PostgreSQL would run out of connections.
 */
const KEEP_ALIVE_MS = 10_000;

/**
 * Starts a proxy before the server of a URL (of PostgreSQL, or HTTP).
 *
 * @param {string} target
 */
export async function startSilentProxy(target) {
  const { hostname, port } = new URL(target);
  /** @type {Set<{ isSilent: boolean, silence: () => void, destroy: () => void }>} */
  const connections = new Set();
  let isSilent = false;
  let swallowed = 0;
  // Half open: otherwise Node would answer the end of a silent connection.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const destroy = () => {
      connections.delete(connection);
      client.destroy();
      upstream.destroy();
    };
    const silence = () => {
      connection.isSilent = true;
      setTimeout(() => upstream.destroy(), KEEP_ALIVE_MS).unref();
    };
    const connection = { isSilent: false, silence, destroy };
    connections.add(connection);
    if (isSilent) silence();
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      from.on('data', (data) => {
        if (connection.isSilent) swallowed++;
        else to.write(data);
      });
      // Whoever has closed its end of a silent connection is gone; the other one does not learn it.
      from.on('close', () => !connection.isSilent && destroy());
      from.on('end', () => !connection.isSilent && to.end());
      from.on('error', () => {});
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(/** @type {import('node:net').AddressInfo} */ (server.address()).port);
  return {
    /** The URL of the server behind the proxy. */
    url: url.href,
    /** Silences the connections that are open now; new ones work, unless they are to be silent as well. */
    silence({ newOnes = false } = {}) {
      for (const connection of connections) if (!connection.isSilent) connection.silence();
      isSilent = newOnes;
    },
    /** Lets new connections work again; silent ones stay silent. */
    recover() {
      isSilent = false;
    },
    /** How many connections work. */
    get working() {
      return [...connections].filter((connection) => !connection.isSilent).length;
    },
    /** How many times something came that was not forwarded: it changes when somebody waits for an answer in vain. */
    get swallowed() {
      return swallowed;
    },
    /** Cuts the connections that are open now; new ones work. */
    cut() {
      for (const { destroy } of connections) destroy();
    },
    /** Closes everything. */
    close() {
      for (const { destroy } of connections) destroy();
      return new Promise((resolve) => server.close(() => resolve(undefined)));
    },
  };
}
