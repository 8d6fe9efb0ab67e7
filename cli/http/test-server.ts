import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createLocalService, type LocalServiceSettings, type ServiceResponse } from '#serve';
import { type HttpResponse, MAX_BODY_BYTES } from './http-message.js';
import { type HttpServer, startHttpServer } from './http-server.js';

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

export interface TestServerSettings extends Omit<LocalServiceSettings, 'maxBodyBytes'> {
  port: number;
  /** The folder of the page at `/`, if there is one. */
  page: string | undefined;
  onRequest(request: ServedRequest): void;
}

/** Serves the reference service on loopback. */
export function startTestServer({ port, page, onRequest, ...settings }: TestServerSettings): Promise<HttpServer> {
  const service = createLocalService({ ...settings, maxBodyBytes: MAX_BODY_BYTES });
  return startHttpServer({
    host: '127.0.0.1',
    port,
    freePort: '--port 0',
    // A latency that is injected may be as long as it likes.
    silenceMs: 0,
    async respond({ method, authority, path, query, headers, url, body }) {
      const { response, fault } = await service.respond({ method, authority, path, query, headers }, await body());
      const served = response && 'path' in response ? await fileOf(page, response) : response;
      onRequest({ method, path: url, status: served?.status ?? null, faults: fault ?? '' });
      return served;
    },
    failed: () => null,
  });
}

async function fileOf(
  folder: string | undefined,
  { path, headers }: { path: string; headers: ServiceResponse['headers'] },
): Promise<HttpResponse> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  try {
    if (folder === undefined) throw new Error('There is no page');
    return { status: 200, headers: [...headers, ['content-type', type]], body: await readFile(join(folder, path)) };
  } catch {
    return { status: 404, headers: [['content-type', 'text/plain; charset=utf-8']], body: 'There is no such file.\n' };
  }
}
