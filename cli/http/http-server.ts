import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Head, ServiceResponse } from '#serve';
import { usageProblem } from '../problem.js';
import { type HttpResponse, MAX_BODY_BYTES, problemDetails } from './http-response.js';

/** The reference service's limits. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1000,
};
const MOST_CONNECTIONS = 2048;
/** The most concurrent requests of a connection, and the most that may wait for them: one more closes the connection. */
const MOST_RUNNING = 16;
const MOST_WAITING = 48;
/** How much of a refused body is still read: a client that is sending reads the response only while it is connected. */
const MOST_DISCARDED = 64 << 20;
const LINGER_MS = 5000;

export interface HttpRequest extends Head {
  /** The host in the target, or null if the target has none. */
  readonly authority: string | null;
  /** Without its question mark; empty if there is none. */
  readonly query: string;
  /** The target as it was sent. */
  readonly url: string;
  /** Returns a header; several of the same name are joined by commas. */
  header(name: string): string;
  /**
   * Reads the body, up to a byte more than it may have. Rejects if the connection is closed before its end, or if `count`,
   * which is called with the bytes of each piece that comes, throws.
   */
  body(count?: (bytes: number) => void): Promise<Uint8Array>;
  /** Fires when the connection is closed before the response, or the server stops. */
  readonly signal: AbortSignal;
  /** Resolves when the response has been sent, or the connection is closed. */
  readonly ended: Promise<unknown>;
}

interface HttpServerSettings {
  host: string;
  port: number;
  /** The flag that takes a free port. */
  freePort: string;
  /** Milliseconds after which a connection is closed on which nothing is read or written; 0 for never. */
  silenceMs: number;
  /** Resolves with null to close the connection without a response. */
  respond(request: HttpRequest): Promise<HttpResponse | null>;
  /** Called if `respond` rejects while the client is still connected. */
  failed(error: unknown): HttpResponse | null;
}

/** Serves HTTP/1.1 for a command. */
export async function startHttpServer(settings: HttpServerSettings) {
  const { host, port, freePort, silenceMs, respond, failed } = settings;
  let isStopping = false;
  const connections = new Map<Socket, Connection>();
  // Node itself would respond to a request without Host, and without problem details.
  const server = createServer({ ...LIMITS, requireHostHeader: false });
  server.maxConnections = MOST_CONNECTIONS;
  server.timeout = silenceMs;
  server.on('connection', (socket: Socket) => {
    connections.set(socket, new Connection(socket));
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    connections.get(request.socket)?.begin(response, (end) => exchange(request, response, end)),
  );
  const exchange = async (request: IncomingMessage, response: ServerResponse, end: AbortController) => {
    if (isStopping) end.abort();
    const write = (made: HttpResponse | null): void => {
      if (made === null || response.headersSent) return void response.destroy();
      if (isStopping) response.shouldKeepAlive = false;
      send(request, response, made);
    };
    try {
      const hasHost = request.headers.host !== undefined || request.httpVersion !== '1.1';
      write(hasHost ? await respond(readable(request, response, end.signal)) : hostMissing());
    } catch (error) {
      // Otherwise the client has closed the connection.
      const isConnected = request.complete && !response.closed;
      write(isConnected ? failed(error) : null);
    }
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isOpen = socket.writable && !connections.get(socket)?.isResponding;
    if (isOpen && error.code !== 'ECONNRESET') socket.end(refusalOf(error.code));
    else socket.destroy();
  });
  const actual = await listening(server, port, host, freePort);
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    /** Accepts no further requests, and waits up to `graceMs` for those that run. */
    close: (graceMs = 0) =>
      new Promise<void>((closed) => {
        isStopping = true;
        for (const connection of connections.values()) connection.abort();
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          closed();
        });
        server.closeIdleConnections();
      }),
  };
}

/** The requests of a connection: a client may send one before it has the response to the previous one. */
class Connection {
  readonly #socket: Socket;
  readonly #running = new Map<ServerResponse, AbortController>();
  #waiting: (() => void)[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => {
      this.#waiting = [];
      this.abort();
    });
  }

  /** Whether the head of a response has been sent. */
  get isResponding(): boolean {
    return [...this.#running.keys()].some(({ socket, headersSent }) => socket !== null && headersSent);
  }

  /** Runs a request when few enough run. A request runs until the connection has taken its response. */
  begin(response: ServerResponse, run: (end: AbortController) => Promise<void>): void {
    if (this.#running.size >= MOST_RUNNING) {
      // Stops reading. The data read so far is still parsed, so there may be more requests.
      this.#socket.pause();
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(() => this.begin(response, run));
      else this.#socket.destroy();
      return;
    }
    const end = new AbortController();
    this.#running.set(response, end);
    response.once('close', () => {
      this.#running.delete(response);
      if (!response.writableFinished) end.abort();
      this.#waiting.shift()?.();
      if (this.#waiting.length === 0 && this.#socket.isPaused()) this.#socket.resume();
    });
    void run(end);
  }

  /** Aborts the running requests, as if the client had disconnected. */
  abort(): void {
    for (const end of this.#running.values()) end.abort();
  }
}

function readable(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): HttpRequest {
  const { method = '', url = '' } = request;
  // Later, its 'close' may be over.
  const ended = new Promise((resolve) => response.once('close', resolve));
  return {
    ...{ method, url, signal, ended, ...targetOf(url), headers: headersOf(request) },
    header: (name) => String(request.headers[name] ?? ''),
    body: (count) => bodyOf(request, count),
  };
}

/** Splits the target of a request; only one in absolute form has an authority (RFC 9112 §3.2.2). */
function targetOf(url: string): { authority: string | null; path: string; query: string } {
  const [origin = '', authority = null] = /^https?:\/\/([^/?]*)/i.exec(url) ?? [];
  const [path = '', ...query] = url.slice(origin.length).split('?');
  return { authority, path, query: query.join('?') };
}

/** Returns the headers as they were sent, repeated ones too. */
function headersOf({ rawHeaders }: IncomingMessage): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}

/** Reads the body as `HttpRequest` specifies: up to a byte more than an order may have, and leaves the rest. */
async function bodyOf(request: IncomingMessage, count: (bytes: number) => void = () => {}): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection is still needed for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    count(chunk.length);
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** Responds. If the body is not complete, closes the connection when it is, or when too much of it has come. */
function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: HttpResponse): void {
  const { complete: isComplete } = request;
  // A 204 has none (RFC 9110 §8.6).
  const length = status === 204 ? [] : [['content-length', String(Buffer.byteLength(body))] as const];
  const others = headers.filter(([name]) => name !== 'connection');
  response.writeHead(status, [...others, ...length, ...(isComplete ? [] : [['connection', 'close'] as const])].flat());
  if (isComplete) {
    response.end(request.method === 'HEAD' ? undefined : body);
    return;
  }
  response.write(body);
  const close = () => response.end(() => request.destroy());
  const timer = setTimeout(close, LINGER_MS).unref();
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MOST_DISCARDED) close();
  });
  request.once('end', close);
  request.once('close', () => clearTimeout(timer));
}

/** Listens, and returns the port. `flag` is the flag for another port, for the error. */
async function listening(server: Server, port: number, host: string, flag: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    const problem = code === 'EADDRINUSE' ? `port ${port} is in use` : `port ${port} can't be used: ${code}`;
    throw usageProblem(problem, `${flag} takes a free one.`);
  });
  return (server.address() as AddressInfo).port;
}

const hostMissing = () => problemDetails('bad-request', 'The request needs the header Host.');

/** Returns the response to invalid HTTP. */
function refusalOf(code = ''): string {
  const problems: Record<string, () => ServiceResponse> = {
    HPE_HEADER_OVERFLOW: () => problemDetails('large-headers', 'The headers must not exceed 16 KiB.'),
    ERR_HTTP_REQUEST_TIMEOUT: () => problemDetails('slow-request', 'The request was not complete in time.'),
  };
  const { status, body } = problems[code]?.() ?? problemDetails('bad-request', 'This is not a request of HTTP/1.1.');
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/problem+json\r\nConnection: close`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
