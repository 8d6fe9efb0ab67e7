import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Head, ServiceResponse } from '#serve';
import { bodyOf, headersOf, listening, send, targetOf } from './http-message.js';
import { problemDetails } from './problem-details.js';

/** The reference service's limits. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1000,
};
const MOST_CONNECTIONS = 2048;

export interface HttpRequest extends Head {
  /** The host in the target, or null if the target has none. */
  readonly authority: string | null;
  /** Without its question mark; empty if there is none. */
  readonly query: string;
  /** The target as it was sent. */
  readonly url: string;
  /** Returns a header; several of the same name are joined by commas. */
  header(name: string): string;
  /** Reads the body, up to a byte more than it may have. Rejects if the connection is closed before its end. */
  body(): Promise<Uint8Array>;
  /** Fires when the connection is closed before the response, or the server stops. */
  readonly signal: AbortSignal;
}

/** A response. Pieces of a body are sent as they come. */
export type HttpResponse = Omit<ServiceResponse, 'body'> & { readonly body: string | Buffer | AsyncIterable<string> };

export interface HttpServer {
  baseUrl: string;
  /** Accepts no further requests, and gives those that run some milliseconds to end. */
  close(graceMs?: number): Promise<void>;
}

export interface HttpServerSettings {
  host: string;
  port: number;
  /** The flag that takes a free port. */
  freePort: string;
  /** Milliseconds after which a connection is closed on which nothing is read or written; 0 for never. */
  silenceMs: number;
  /** Resolves with null to close the connection without a response. */
  respond(request: HttpRequest): Promise<HttpResponse | null>;
  /** Called if that rejects although the client is still there. */
  failed(error: unknown): HttpResponse | null;
}

/** Serves HTTP/1.1 for a command. */
export async function startHttpServer(settings: HttpServerSettings): Promise<HttpServer> {
  const { host, port, freePort, silenceMs, respond, failed } = settings;
  let isStopping = false;
  // A client may send a request on a connection before the response to the one before.
  const running = new Map<ServerResponse, AbortController>();
  // Node itself would respond to a request without Host, and without problem details.
  const server = createServer({ ...LIMITS, requireHostHeader: false });
  server.maxConnections = MOST_CONNECTIONS;
  server.timeout = silenceMs;
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const end = new AbortController();
    running.set(response, end);
    response.once('close', () => {
      running.delete(response);
      if (!response.writableFinished) end.abort();
    });
    if (isStopping) end.abort();
    const write = async (made: HttpResponse | null): Promise<unknown> => {
      if (made === null || response.headersSent) return response.destroy();
      if (isStopping) response.shouldKeepAlive = false;
      const { status, headers, body } = made;
      if (typeof body === 'string' || Buffer.isBuffer(body)) return send(request, response, { status, headers, body });
      const pieces = Readable.from(request.method === 'HEAD' ? [] : body);
      return pipeline(pieces, response.writeHead(status, headers.flat()));
    };
    try {
      const hasHost = request.headers.host !== undefined || request.httpVersion !== '1.1';
      await write(hasHost ? await respond(readable(request, end.signal)) : hostMissing());
    } catch (error) {
      // Otherwise the client has closed the connection.
      const isConnected = request.complete && !response.closed;
      await write(isConnected ? failed(error) : null);
    }
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isOpen = socket.writable && ![...running.keys()].some((each) => each.socket === socket && each.headersSent);
    if (isOpen && error.code !== 'ECONNRESET') socket.end(refusalOf(error.code));
    else socket.destroy();
  });
  const actual = await listening(server, port, host, freePort);
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: (graceMs = 0) =>
      new Promise((closed) => {
        isStopping = true;
        for (const end of running.values()) end.abort();
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          closed();
        });
        server.closeIdleConnections();
      }),
  };
}

function readable(request: IncomingMessage, signal: AbortSignal): HttpRequest {
  const { method = '', url = '' } = request;
  return {
    ...{ method, url, signal, ...targetOf(url), headers: headersOf(request) },
    header: (name) => String(request.headers[name] ?? ''),
    body: () => bodyOf(request),
  };
}

const hostMissing = () => problemDetails('bad-request', 'The request needs the header Host.');

/** Returns the response to what is not valid HTTP. */
function refusalOf(code = ''): string {
  const problems: Record<string, () => ServiceResponse> = {
    HPE_HEADER_OVERFLOW: () => problemDetails('large-headers', 'The headers must not exceed 16 KiB.'),
    ERR_HTTP_REQUEST_TIMEOUT: () => problemDetails('slow-request', 'The request was not complete in time.'),
  };
  const { status, body } = problems[code]?.() ?? problemDetails('bad-request', 'This is not a request of HTTP/1.1.');
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/problem+json\r\nConnection: close`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
