/**
 * The page and the reference service at one address, as `serve --demo` has them; a directory and a policy can be
 * another one's, and the page can be had without the service.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../www/demo/dist/', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../target/debug/sales-order-intake', import.meta.url));
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
};
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self' https: http://127.0.0.1:* http://localhost:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const DIRECTORY = {
  companies: [{
    companyId: 1501, name: 'Harbour Goods', locations: [
      { entityId: 2301, name: 'Harbour Street', taxPricing: 'Exclusive', taxRates: [] },
      { entityId: 2302, name: 'Old Mill', taxPricing: null, taxRates: [
        { id: 'gst', name: 'GST 5 %', rate: '0.05' },
        { id: 'levy', name: 'Levy 0.25 a piece', rate: '0.25', type: 'FlatRate', catalogItemIds: ['b7e6d5c4-a3b2-41c0-9d8e-7f6a5b4c3d2e', 'c8f7e6d5-b4c3-42d1-8e9f-806b5c4d3e2f'] },
        { id: 'pst', name: 'PST 7 % on top', rate: '0.07', layer: 1 },
      ] },
      { entityId: 2303, name: 'Airport', taxPricing: 'Inclusive', taxRates: [] },
    ],
  }],
  integrators: [{ integratorId: '7c9e6679-7425-40de-944b-e07fc1f90ae7', name: 'Storefront' }],
};

export interface Served {
  url: string;
  token: string;
  stop(): Promise<void>;
}

/** The service with the page before it. */
export async function servePage(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'sales-order-page-'));
  const service = spawn(PROGRAM, ['serve', '--demo', '--listen', '127.0.0.1:0', '--database', `sqlite:${join(folder, 'orders.sqlite')}`, '--log', 'error'],
    { stdio: ['ignore', 'pipe', 'inherit'] });
  const { base, token } = await announced(service);
  const server = createServer((incoming, answer) => {
    if (incoming.url === '/demo.json') return answer.setHeader('content-type', 'application/json').end(JSON.stringify(DIRECTORY));
    if (!file(incoming, answer, POLICY)) forward(incoming, answer, base);
  });
  return {
    url: await listening(server),
    token,
    async stop() {
      await closed(server);
      service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The page alone, as any server of static files has it. */
export async function serveFiles(policy?: string): Promise<Served> {
  const server = createServer((incoming, answer) => {
    if (!file(incoming, answer, policy)) answer.writeHead(404).end();
  });
  return { url: await listening(server), token: '', stop: () => closed(server) };
}

function file({ url = '/' }: IncomingMessage, answer: ServerResponse, policy: string | undefined): boolean {
  const path = join(DIST, url === '/' ? 'index.html' : new URL(url, 'http://x').pathname);
  if (!path.startsWith(DIST) || !extname(path) || !existsSync(path)) return false;
  answer.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', ...(policy && { 'content-security-policy': policy }) });
  answer.end(readFileSync(path));
  return true;
}

function forward(incoming: IncomingMessage, answer: ServerResponse, base: string): void {
  const { method, headers, url } = incoming;
  const outgoing = request(new URL(url ?? '/', base), { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  // What the service drops is dropped here too.
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
}

async function announced(service: ChildProcess): Promise<{ base: string; token: string }> {
  let base = '';
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream })) {
    base ||= /^base URL\s+(\S+)/.exec(line)?.[1] ?? '';
    const token = /^token\s+(\S+)/.exec(line)?.[1];
    if (token) {
      service.stdout?.resume();
      return { base, token };
    }
  }
  throw new Error('the service ended before it said its address');
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
