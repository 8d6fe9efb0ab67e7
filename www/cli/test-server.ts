import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { createLocalService, type LocalServiceSettings, type ServiceResponse } from '#serve';
import { usageProblem } from './problem.js';

const LOOPBACK = '127.0.0.1';
const MAX_BODY_BYTES = 1 << 20;
/** How much of a refused body is still taken in: a client that is sending reads the response only if the connection stays. */
const MOST_DISCARDED = 64 << 20;
const LINGER_MS = 5000;

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A request that was served; `status` is null if the connection was lost on demand. */
export interface ServedRequest {
  method: string;
  path: string;
  status: number | null;
  /** Separated by commas; empty if there are none. */
  faults: string;
}

export interface TestServer {
  baseUrl: string;
  close(): Promise<void>;
}

export interface TestServerSettings extends Omit<LocalServiceSettings, 'maxBodyBytes'> {
  port: number;
  /** The folder of the page at `/`, if there is one. */
  page: string | undefined;
  onRequest(request: ServedRequest): void;
}

/** Serves the reference service on loopback. */
export async function startTestServer({ port, page, onRequest, ...settings }: TestServerSettings): Promise<TestServer> {
  const service = createLocalService({ ...settings, maxBodyBytes: MAX_BODY_BYTES });
  const server = createServer();
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    const { path, query } = targetOf(url);
    let status: number | null = null;
    let faults: string | null = null;
    try {
      const body = await bodyOf(request);
      const served = await service.respond({ method, path, query, headers: headersOf(request) }, body);
      faults = served.fault;
      const found =
        served.response && 'path' in served.response ? await fileOf(page, served.response) : served.response;
      status = found?.status ?? null;
      if (found) send(request, response, found);
      else response.destroy();
    } catch {
      // The client has closed the connection.
      response.destroy();
    }
    onRequest({ method, path: url, status, faults: faults ?? '' });
  });
  return {
    baseUrl: `http://${LOOPBACK}:${await listening(server, port)}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Divides the target of a request; one in absolute form has an origin too (RFC 9112 §3.2.2). */
function targetOf(url: string): { path: string; query: string } {
  const [path = '', ...query] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return { path, query: query.join('?') };
}

/** Returns the headers as they were sent, repeated ones too. */
function headersOf({ rawHeaders }: IncomingMessage): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}

/** Reads the body up to a byte more than an order may have, and leaves the rest. Rejects if the connection ends before. */
function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const read = () => resolve(Buffer.concat(chunks));
    if (request.destroyed) reject(new Error('The connection was closed'));
    request.on('data', (chunk: Buffer) => {
      if (bytes > MAX_BODY_BYTES) return;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) read();
    });
    request.once('end', read);
    request.once('error', reject);
    request.once('close', () => reject(new Error('The connection was closed')));
  });
}

type Bytes = Omit<ServiceResponse, 'body'> & { body: string | Buffer };

async function fileOf(
  folder: string | undefined,
  { path, headers }: { path: string; headers: ServiceResponse['headers'] },
): Promise<Bytes> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  try {
    if (folder === undefined) throw new Error('There is no page');
    return { status: 200, headers: [...headers, ['content-type', type]], body: await readFile(join(folder, path)) };
  } catch {
    return { status: 404, headers: [['content-type', 'text/plain; charset=utf-8']], body: 'There is no such file.\n' };
  }
}

/** Responds. If the body has not come to its end, closes the connection when it has, or when too much of it has come. */
function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Bytes): void {
  response.writeHead(status, [...headers, ['content-length', String(Buffer.byteLength(body))]].flat());
  if (request.complete) {
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

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        usageProblem(
          isTaken ? `port ${port} is in use` : `port ${port} can't be used: ${error.code}`,
          '--port 0 takes a free one.',
        ),
      );
    });
    server.listen(port, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
  });
}
