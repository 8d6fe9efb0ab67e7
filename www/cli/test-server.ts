import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createTestService } from 'sales-order-intake/testing';
import type { InjectedFaults } from './injected-faults.js';
import { usageProblem } from './problem.js';

const LOOPBACK = '127.0.0.1';
/** Larger bodies are refused unread, whoever sends them; the service itself refuses orders above 1 MiB. */
const MOST_BYTES = 8 << 20;
const TOO_LARGE = {
  type: 'urn:sales-order-intake:problem:too-large',
  title: 'The body is too large',
  status: 413,
  detail: `The body must not exceed ${MOST_BYTES} bytes.`,
};
/** How much of a refused body is still taken in: a client that is sending reads the response only if the connection stays. */
const MOST_DISCARDED = 64 << 20;
const LINGER_MS = 5000;

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

/** Serves the test service on loopback. */
export async function startTestServer(settings: {
  port: number;
  token: string;
  faults: InjectedFaults;
  onRequest(request: ServedRequest): void;
}): Promise<TestServer> {
  const server = createServer();
  const port = await listening(server, settings.port);
  const baseUrl = `http://${LOOPBACK}:${port}`;
  const service = createTestService({ baseUrl, token: settings.token });
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/' } = request;
    const injected = settings.faults.next();
    const fault = faultOf(request) ?? injected.fault;
    let status: number | null = null;
    try {
      const headers = new Headers(fault ? { 'X-Fault': fault } : {});
      for (const [name, value] of Object.entries(request.headers)) {
        if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
      }
      // Without a reference, so that it does not hold up the end of the program.
      if (injected.latencyMs > 0) await setTimeout(injected.latencyMs, undefined, { ref: false });
      const body = await bodyOf(request);
      if (body === 'too-large') {
        status = TOO_LARGE.status;
        refuse(request, response);
      } else {
        const init = { method, headers, body: ['GET', 'HEAD'].includes(method) ? null : body };
        const result = await service.fetch(`${baseUrl}${path}`, init);
        status = result.status;
        response.writeHead(status, Object.fromEntries(result.headers)).end(Buffer.from(await result.arrayBuffer()));
      }
    } catch {
      // On demand, or because the client has closed the connection or sends what fetch does not take.
      response.destroy();
    }
    const faults = [fault, injected.latencyMs > 0 && `latency=${injected.latencyMs}`].filter(Boolean).join(', ');
    settings.onRequest({ method, path, status, faults });
  });
  return {
    baseUrl,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function faultOf(request: IncomingMessage): string | undefined {
  const asked = request.headers['x-fault'];
  return Array.isArray(asked) ? asked[0] : asked;
}

/** Reads the body up to the limit, and leaves the rest. Rejects if the connection ends before. */
function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | 'too-large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    if (request.destroyed) reject(new Error('The connection was closed'));
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_BYTES) chunks.push(chunk);
      else resolve('too-large');
    });
    request.once('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The connection was closed')));
  });
}

/** Responds, and closes the connection when the rest of the body has come, or too much of it. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(TOO_LARGE);
  const headers = { 'Content-Type': 'application/problem+json', 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(TOO_LARGE.status, { ...headers, Connection: 'close' }).write(body);
  const close = () => response.end(() => request.destroy());
  const timer = globalThis.setTimeout(close, LINGER_MS).unref();
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
