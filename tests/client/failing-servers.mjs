/** Servers on loopback whose connections fail, before the request is sent and after: for the client in any runtime. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { listen } from '../../scripts/ports.mjs';
import { certificateAuthority } from '../certificates.mjs';

/** A fatal TLS alert, without encryption: handshake_failure (RFC 8446, 6). */
const ALERT = Buffer.of(0x15, 3, 3, 0, 2, 2, 40);
const CREATED = 'HTTP/1.1 201 Created\r\n';

/**
 * Calls `action` with the cases, and the file of the authority that the runtime has to trust. Each case has a `url`;
 * one with
 * `calls: 2` fails at the second call.
 */
export async function withFailingServers(action) {
  const folder = mkdtempSync(join(tmpdir(), 'failing-servers-'));
  const certificates = join(folder, 'authority.pem');
  const [trusted, other] = [certificateAuthority(), certificateAuthority('Another authority')];
  writeFileSync(certificates, trusted.certificate);
  const servers = new Set();
  const opened = new Set();

  async function port(server) {
    servers.add(server);
    server.on('connection', (socket) => {
      opened.add(socket);
      socket.on('error', () => {});
    });
    return `127.0.0.1:${await listen(server)}`;
  }
  /** A server of TCP. */
  const tcp = (onSocket) => port(createServer(onSocket));
  /** A server of HTTP behind TLS that must receive nothing. */
  const tls = (options) => port(createTlsServer(options, () => {}).on('tlsClientError', () => {}));
  /** Does something with the connection once a request has come through TLS. */
  async function afterRequest(version, onRequest) {
    const outer = [];
    const limits = { minVersion: version, maxVersion: version };
    const inner = await port(
      createTlsServer({ ...trusted.issue(), ...limits }, (socket) => {
        socket.on('error', () => {});
        socket.once('data', () => onRequest(outer.at(-1)));
      }),
    );
    return tcp((socket) => {
      outer.push(socket);
      const up = createConnection({ port: Number(inner.split(':')[1]), host: '127.0.0.1' }).on('error', () => {});
      opened.add(up);
      socket.pipe(up).pipe(socket, { end: false });
    });
  }
  const raw = (response) => tcp((socket) => socket.once('data', () => socket.end(response)));

  // The port of a client's own end: nobody listens there, and nobody else gets it while the connection is open.
  const ended = createConnection({ port: Number((await tcp(() => {})).split(':')[1]), host: '127.0.0.1' });
  opened.add(ended);
  await once(ended, 'connect');
  const refused = `127.0.0.1:${ended.localPort}`;

  const cases = {
    refused: { url: `https://${refused}` },
    unknownHost: { url: 'https://intake.invalid' },
    badPort: { url: 'http://127.0.0.1:9' },
    selfSigned: { url: `https://${await tls(other.itself)}` },
    untrusted: { url: `https://${await tls(other.issue())}` },
    expired: { url: `https://${await tls(trusted.issue({ days: [-30, -2] }))}` },
    notYetValid: { url: `https://${await tls(trusted.issue({ days: [2, 30] }))}` },
    otherHost: { url: `https://${await tls(trusted.issue({ hosts: ['elsewhere.example'] }))}` },
    plainHttp: { url: `https://${await port(createHttpServer())}` },
    closedInHandshake: { url: `https://${await tcp((socket) => socket.once('data', () => socket.end()))}` },
    resetInHandshake: { url: `https://${await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))}` },
    alertInHandshake: { url: `https://${await tcp((socket) => socket.once('data', () => socket.end(ALERT)))}` },
    resetAfterRequest: { url: `http://${await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))}` },
    closedAfterRequest: { url: `http://${await tcp((socket) => socket.once('data', () => socket.end()))}` },
    resetAfterRequestInTls: { url: `https://${await afterRequest('TLSv1.3', (socket) => socket.resetAndDestroy())}` },
    closedAfterRequestInTls: { url: `https://${await afterRequest('TLSv1.3', (socket) => socket.end())}` },
    alertAfterRequest: { url: `https://${await afterRequest('TLSv1.2', (socket) => socket.end(ALERT))}` },
    plainTextAfterRequest: {
      url: `https://${await afterRequest('TLSv1.2', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))}`,
    },
    certificateForClientsRequired: {
      url: `https://${await tls({ ...trusted.issue(), requestCert: true, minVersion: 'TLSv1.3' })}`,
    },
    goneAfterRequest: { url: `http://${await port(goesAway())}`, calls: 2 },
    endsAtClose: { url: `http://${await raw(`${CREATED}\r\n`)}` },
    endsAtLength: { url: `http://${await raw(`${CREATED}Content-Length: 0\r\n\r\n`)}` },
    endsAtChunk: { url: `http://${await raw(`${CREATED}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)}` },
  };
  try {
    return await action({ cases, certificates });
  } finally {
    for (const socket of opened) socket.destroy();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  }
}

/** Creates the first order. Has received the second when it resets the kept connection, and listens no more. */
function goesAway() {
  let received = 0;
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      if (!`${data}`.includes('"Items"')) return;
      if (++received === 1) {
        socket.write(`${CREATED}Content-Length: 0\r\n\r\n`);
        return;
      }
      server.close();
      socket.resetAndDestroy();
    });
  });
  return server;
}
