import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { createLocalService, type LocalServiceSettings, type ServiceResponse } from '#serve';
import { bodyOf, headersOf, listening, MAX_BODY_BYTES, send, targetOf, type Bytes } from './http-message.js';

const LOOPBACK = '127.0.0.1';

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
    baseUrl: `http://${LOOPBACK}:${await listening(server, port, LOOPBACK, '--port 0')}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

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
