import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bodyOf, headersOf, listening, send, targetOf } from '../http-message.js';
import type { ServiceResponse } from '#serve';
import { problem } from './problem.js';
import type { RelayRequest, Served } from './routes.js';

/** The reference service's limits. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1000,
};
const MOST_CONNECTIONS = 2048;
/** A connection on which nothing is read or written: longer than the longest wait. */
const SILENCE_MS = 90_000;
/** The time for the requests that run when the relay stops. */
const GRACE_MS = 5000;

export interface RelayServer {
  baseUrl: string;
  /** Accepts no further requests, and waits for those that run. */
  close(): Promise<void>;
}

export interface RelayServerSettings {
  host: string;
  port: number;
  respond(request: RelayRequest): Promise<Served>;
  /** Called after each response; with the name of the error if the relay itself failed. */
  onResponse(served: Omit<Served, 'response'> & { status: number; failure?: string }): void;
}

/** Serves a relay. */
export async function startRelayServer({ host, port, respond, onResponse }: RelayServerSettings): Promise<RelayServer> {
  let isStopping = false;
  // A sender may send a request on a connection before the response to the one before.
  const running = new Map<ServerResponse, AbortController>();
  const server = createServer(LIMITS);
  server.maxConnections = MOST_CONNECTIONS;
  server.timeout = SILENCE_MS;
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const end = new AbortController();
    running.set(response, end);
    response.once('close', () => {
      running.delete(response);
      end.abort();
    });
    if (isStopping) end.abort();
    const { method = '', url = '/' } = request;
    const header = (name: string) => String(request.headers[name] ?? '');
    try {
      const asked = { method, ...targetOf(url), headers: headersOf(request), header, signal: end.signal };
      const { response: made, ...served } = await respond({ ...asked, body: () => bodyOf(request) });
      if (isStopping) response.shouldKeepAlive = false;
      const { status, headers, body } = made;
      onResponse({ ...served, status });
      if (typeof body === 'string') send(request, response, { status, headers, body });
      else await pipeline(Readable.from(method === 'HEAD' ? [] : body), response.writeHead(status, headers.flat()));
    } catch (error) {
      if (!request.complete || response.closed) {
        // The sender has closed the connection.
        response.destroy();
        return;
      }
      const failure = error instanceof Error ? error.name : 'Error';
      onResponse({ route: 'order', orderId: null, status: 500, failure });
      if (response.headersSent) response.destroy();
      else send(request, response, problem('internal', 'The relay failed; send it again.'));
    }
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isOpen = socket.writable && ![...running.keys()].some((each) => each.socket === socket && each.headersSent);
    if (isOpen && error.code !== 'ECONNRESET') socket.end(rawProblem(error.code));
    else socket.destroy();
  });
  const actual = await listening(server, port, host, '--listen 127.0.0.1:0');
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: () =>
      new Promise((closed) => {
        isStopping = true;
        for (const end of running.values()) end.abort();
        const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        server.close(() => {
          clearTimeout(timer);
          closed();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Returns the response to what is not valid HTTP. */
function rawProblem(code = ''): string {
  const problems: Record<string, () => ServiceResponse> = {
    HPE_HEADER_OVERFLOW: () => problem('large-headers', 'The headers must not exceed 16 KiB.'),
    ERR_HTTP_REQUEST_TIMEOUT: () => problem('slow-request', 'The request was not complete in time.'),
  };
  const { status, body } = problems[code]?.() ?? problem('bad-request', 'This is not a request of HTTP/1.1.');
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/problem+json\r\nConnection: close`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
