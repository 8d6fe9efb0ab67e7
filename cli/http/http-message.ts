import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problem, type ProblemName, type ServiceResponse } from '#serve';
import { usageProblem } from '../problem.js';

/** Requests and responses of the servers of the command line, in HTTP/1.1. */

/** The reference service's limit of a request. */
export const MAX_BODY_BYTES = 1 << 20;
/** How much of a refused body is still taken in: a client that is sending reads the response only if the connection stays. */
const MOST_DISCARDED = 64 << 20;
const LINGER_MS = 5000;

/** A response that may be a file. */
export type HttpResponse = Omit<ServiceResponse, 'body'> & { body: string | Buffer };

/** Divides the target of a request; only one in absolute form has an authority (RFC 9112 §3.2.2). */
export function targetOf(url: string): { authority: string | null; path: string; query: string } {
  const [origin = '', authority = null] = /^https?:\/\/([^/?]*)/i.exec(url) ?? [];
  const [path = '', ...query] = url.slice(origin.length).split('?');
  return { authority, path, query: query.join('?') };
}

/** Returns the headers as they were sent, repeated ones too. */
export function headersOf({ rawHeaders }: IncomingMessage): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}

/** Reads the body as `HttpRequest` says: up to a byte more than an order may have, and leaves the rest. */
export async function bodyOf(request: IncomingMessage, count: (bytes: number) => void = () => {}): Promise<Uint8Array> {
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

/** Responds. If the body has not come to its end, closes the connection when it has, or when too much of it has come. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
): void {
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

/** Listens, and returns the port. `flag` takes another one. */
export async function listening(server: Server, port: number, host: string, flag: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    const problem = code === 'EADDRINUSE' ? `port ${port} is in use` : `port ${port} can't be used: ${code}`;
    throw usageProblem(problem, `${flag} takes a free one.`);
  });
  return (server.address() as AddressInfo).port;
}

/** What else is in a problem, besides its type, title and detail. */
export interface ProblemMembers {
  /** Replaces the status of the type. */
  readonly status?: number | undefined;
  readonly [member: string]: unknown;
}

/**
 * Returns problem details (RFC 9457) in the reference service's form. `detail` has nothing of an order but its Id (D45), unless
 * it quotes the service to the order's own sender.
 */
export function problemDetails(
  name: ProblemName,
  detail: string,
  headers: ServiceResponse['headers'] = [],
  members: ProblemMembers = {},
): ServiceResponse {
  const response = problem(name, detail);
  const status = members.status ?? response.status;
  const body = JSON.stringify({ ...JSON.parse(response.body), ...members, status });
  return { status, headers: [...response.headers, ...headers], body };
}
