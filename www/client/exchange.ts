import type { JudgedResponse } from '../../pkg-template/src/order-fate.js';
import { notify } from '../../pkg-template/src/platform/notify.js';
import type { Stop } from '../../pkg-template/src/platform/timeout.js';
import { ownConnection } from '../../pkg-template/src/sending/connection.js';
import { showsStatusTextOfHttp1, showsTransferHeaders } from './browser.js';
import type { ClientFetch } from './options.js';

/** A response whose body has been read. */
export interface CompleteResponse extends JudgedResponse {
  /** The service's id of the request. */
  requestId: string | undefined;
  /** In lower case, without parameters. */
  mediaType: string | undefined;
  /** Without its query. */
  url: string;
}

/** In bytes: the limit of the core. A longer body is truncated and then is not JSON, so it contains no order (D26). */
const LONGEST_BODY = 33_554_432;
const LONGEST_ERROR_BODY = 1_048_576;

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id'];

/** Sends one request and reads the response. Rejects with what fetch or reading the body rejects with. */
export async function exchange(
  fetch: ClientFetch,
  url: string,
  request: { headers: Record<string, string>; token: string; body: string; stop: Stop },
): Promise<CompleteResponse> {
  const { headers, token, body, stop } = request;
  const connection = ownConnection();
  try {
    const response = await fetch(url, {
      method: 'PUT',
      headers: headersWith(token, headers),
      body,
      signal: stop.signal,
      // Redirects are not followed: the token is for this origin only.
      redirect: 'manual',
      ...connection.init,
    });
    const { status } = response;
    const isSuccess = status >= 200 && status < 300;
    const text = await readText(response, isSuccess ? LONGEST_BODY : LONGEST_ERROR_BODY, stop);
    return {
      status,
      body: text,
      requestId: requestIdIn(response),
      mediaType: mediaTypeOf(response),
      url: withoutQuery(response.url || url),
      endsAtClose: text.trim() === '' && status !== 204 && !hasMarkedEnd(response),
      response,
    };
  } finally {
    connection.close();
  }
}

/** Adds the client's own headers (D39). A subscriber's names may have any case; if names are equal, the client's own wins. */
function headersWith(token: string, headers: Record<string, string>): Record<string, string> {
  const own = { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  if (Object.keys(headers).length === 0) return own;
  const byName = new Map([headers, own].flatMap(Object.entries).map((entry) => [entry[0].toLowerCase(), entry]));
  return Object.fromEntries(byName.values());
}

/**
 * Returns true if a header marks the end of the body, as HTTP/2 always does, or if the platform can't tell: browsers
 * hide headers across origins, workerd hides these two, and responses that a test made have none.
 */
function hasMarkedEnd({ headers, url, statusText, body }: Response): boolean {
  if (headers.get('content-length') !== null || headers.get('transfer-encoding') !== null) return true;
  if (url === '' || body === null || !showsTransferHeaders()) return true;
  // Without TLS, fetch speaks HTTP/1.
  return !url.startsWith('http:') && (statusText === '' || !showsStatusTextOfHttp1());
}

function requestIdIn({ headers }: Response): string | undefined {
  return REQUEST_ID_HEADERS.map((name) => headers.get(name)?.trim()).find((id) => id) ?? undefined;
}

function mediaTypeOf({ headers }: Response): string | undefined {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] as string;
}

/** Reads like `response.text()`, but at most `longest` bytes, and stops reading when `stop` is called. */
async function readText(response: Response, longest: number, stop: Stop): Promise<string> {
  const { body } = response;
  // Some fetches have no streams, or streams of another kind: React Native, node-fetch, those of tests.
  if (typeof body?.getReader !== 'function') return ((await response.text?.()) ?? '').slice(0, longest);
  const reader = body.getReader();
  const cancel = () => notify(() => reader.cancel());
  // A fetch given as an option may ignore the signal.
  stop.onStop = cancel;
  if (stop.isStopped) {
    cancel();
    throw stop.signal.reason;
  }
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= longest; ) {
    const { done, value } = await reader.read();
    if (done) return decode(chunks);
    chunks.push(value);
    size += value.byteLength;
  }
  cancel();
  return decode(chunks).slice(0, longest);
}

/** Decodes a body. Most have one chunk, and decoding without `stream: true` is several times faster. */
function decode(chunks: Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk, index) => decoder.decode(chunk, { stream: index < chunks.length - 1 })).join('');
}
