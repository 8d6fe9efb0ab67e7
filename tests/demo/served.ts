/** Serves the page: with the reference service, as `serve --demo` does, or as static files. */
import { createServer, type Server } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDemoService } from '../../scripts/service.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = join(ROOT, 'www/demo/dist/');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

export interface Served {
  /** The address that the service prints, with the token in its fragment. */
  page: string;
  url: string;
  token: string;
  stop(): Promise<void>;
}

export async function servePage(): Promise<Served> {
  const service = await startDemoService({ page: DIST });
  const { page, token } = service;
  return { page, url: new URL('/', page).href, token, stop: () => service.stop() };
}

/** Serves the files from another origin, with this content security policy if there is one. */
export async function serveFiles(policy?: string): Promise<Pick<Served, 'url' | 'stop'>> {
  const server: Server = createServer(({ url = '/' }, response) => {
    const path = join(DIST, url === '/' ? 'index.html' : new URL(url, 'http://x').pathname);
    if (!path.startsWith(DIST) || !existsSync(path)) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
    if (policy) response.setHeader('content-security-policy', policy);
    return response.end(readFileSync(path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
