import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createTestService } from 'sales-order-intake/testing';
import type { InjectedFaults } from './injected-faults.js';
import { usageProblem } from './problem.js';

const LOOPBACK = '127.0.0.1';
/** Larger bodies are not even read; the service itself refuses those above 1 MiB. */
const MOST_BYTES = 8 << 20;

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
    const headers = new Headers(fault ? { 'X-Fault': fault } : {});
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
    let status: number | null = null;
    try {
      // Without a reference, so that it does not hold up the end of the program.
      if (injected.latencyMs > 0) await setTimeout(injected.latencyMs, undefined, { ref: false });
      const body = ['GET', 'HEAD'].includes(method) ? null : await bodyOf(request);
      const result = await service.fetch(`${baseUrl}${path}`, { method, headers, body });
      status = result.status;
      response.writeHead(status, Object.fromEntries(result.headers)).end(Buffer.from(await result.arrayBuffer()));
    } catch {
      // The service drops the connection on demand; nothing else is thrown.
      request.socket.destroy();
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

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BYTES) throw new Error('The body is too large');
    chunks.push(chunk as Buffer);
  }
  return new Uint8Array(Buffer.concat(chunks));
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
