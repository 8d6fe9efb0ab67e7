import type { Stop } from './within.js';

/** An answer, read to its end. */
export interface Answer {
  status: number;
  body: string;
  response: Response;
}

/** Bytes. The core reads no longer text; what is cut is no JSON any more, so it reads as no order (D26). */
const LONGEST_BODY = 33_554_432;
/** More than an error says. */
const LONGEST_ERROR_BODY = 1_048_576;

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id'];

/** What the service calls the request, where it says so. */
export function requestIdOf({ response }: Answer): { requestId?: string } {
  const requestId = REQUEST_ID_HEADERS.map((name) => response.headers.get(name)).find((id) => id);
  return requestId ? { requestId } : {};
}

/** One request and its answer. Rejects with whatever fetch, or the reading of the body, rejects with. */
export async function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  init: { token: string; body: string; stop: Stop },
): Promise<Answer> {
  const { token, body, stop } = init;
  const response = await fetch(url, {
    method: 'PUT',
    // D39.
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body,
    signal: stop.signal,
    // Followed by hand or not at all: the token is for this origin only.
    redirect: 'manual',
  });
  const longest = response.ok ? LONGEST_BODY : LONGEST_ERROR_BODY;
  return { status: response.status, body: await textOf(response, longest, stop), response };
}

/** Like `response.text()`, but not without end. */
async function textOf({ body }: Response, longest: number, stop: Stop): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  // Not every fetch that a caller may give looks at the signal.
  stop.byHand = cancel;
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= longest; ) {
    const { done, value } = await reader.read();
    if (done) return decoded(chunks);
    chunks.push(value);
    size += value.byteLength;
  }
  cancel();
  return decoded(chunks).slice(0, longest);
}

/** Most answers are one chunk, and what is not told of as the beginning of more is decoded several times as fast. */
function decoded(chunks: Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk, index) => decoder.decode(chunk, { stream: index < chunks.length - 1 })).join('');
}
