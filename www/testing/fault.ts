import { Problem } from './problem.js';

/**
 * A fault that a request asks for with the header `X-Fault`, as of the reference service.
 *
 * - `latency=<milliseconds>`: delays the response, by at most 300,000.
 * - `401`, `403`, `404`, `409`, `429`, `500`, `503`: responds with this status; nothing is stored.
 * - `drop`: loses the connection; nothing is stored.
 * - `drop-after`: stores the order, then loses the connection.
 * - `down-until=<seconds>`: responds with 503 to every order request until the seconds have passed, at most 86,400; 0 ends it.
 */
export type RequestedFault =
  | '401'
  | '403'
  | '404'
  | '409'
  | '429'
  | '500'
  | '503'
  | 'drop'
  | 'drop-after'
  | `latency=${number}`
  | `down-until=${number}`;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type ErrorStatusText = `${4 | 5}${Digit}${Digit}`;
type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** A status from 400 to 599, as a number or a string. */
export type ErrorStatus = ErrorStatusText | NumberOf<ErrorStatusText>;

/**
 * A fault for `failNext`: one of {@link RequestedFault}, or
 *
 * - any status from 400 to 599, such as `502` or `'502'`: responds with it and with problem details; nothing is stored.
 * - `html`, or `html=<status>`: responds with a page of HTML and status 200, or the given one, as something between the
 *   client and the service does; nothing is stored.
 * - `redirect`: responds with 302 to another address; nothing is stored. The redirect is not followed, whatever the mode of
 *   the request.
 */
export type Fault = RequestedFault | ErrorStatus | 'html' | `html=${number}` | 'redirect';

export const FAULT_HEADER = 'X-Fault';
const MAX_LATENCY_MS = 300_000;
const MAX_OUTAGE_SECONDS = 86_400;
const NAMES = ['401', '403', '404', '409', '429', '500', '503', 'drop', 'drop-after'];

/** Every fault, for messages. */
export const FAULTS =
  `latency=<milliseconds up to ${MAX_LATENCY_MS}>, 401, 403, 404, 409, 429, 500, 503, drop, drop-after ` +
  `or down-until=<seconds up to ${MAX_OUTAGE_SECONDS}>`;

/** Every fault of `failNext`, for messages. */
export const SCRIPTED_FAULTS =
  `a status from 400 to 599, html, html=<status from 200 to 599>, redirect, ` +
  `latency=<milliseconds up to ${MAX_LATENCY_MS}>, drop, drop-after or down-until=<seconds up to ${MAX_OUTAGE_SECONDS}>`;

/** Returns true for a fault that a request may ask for. */
export function isFault(text: string): text is RequestedFault {
  const latency = numberOf(text, 'latency');
  if (latency !== undefined) return latency <= MAX_LATENCY_MS;
  const outage = numberOf(text, 'down-until');
  return outage === undefined ? NAMES.includes(text) : outage <= MAX_OUTAGE_SECONDS;
}

/** Returns true for a fault of `failNext`, as a string. */
export function isScripted(text: string): boolean {
  const page = numberOf(text, 'html');
  const isPage = page === undefined ? text === 'html' : page >= 200 && page <= 599;
  return isPage || text === 'redirect' || /^[45]\d\d$/.test(text) || isFault(text);
}

/** Returns the seconds of an outage that the fault starts, or undefined if it starts none. */
export function outageOf(fault: string | undefined): number | undefined {
  return fault === undefined ? undefined : numberOf(fault, 'down-until');
}

function numberOf(text: string, name: string): number | undefined {
  const digits = text.startsWith(`${name}=`) ? text.slice(name.length + 1) : '';
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** Returns the problem for a request that asks for an unknown fault. */
export function unknownFault(): Problem {
  return new Problem('unknown-fault', `X-Fault must be ${FAULTS}.`);
}

/** Returns the response to every order request during an outage. */
export function outageProblem(restMs: number): Problem {
  // An outage without an end has no Retry-After.
  const headers: Record<string, string> = Number.isFinite(restMs)
    ? { 'Retry-After': `${Math.ceil(restMs / 1000)}` }
    : {};
  return new Problem('unavailable', 'This outage was injected; nothing was stored.', headers);
}

const KINDS = {
  '401': 'unauthenticated',
  '403': 'forbidden',
  '404': 'not-found',
  '409': 'conflict',
  '429': 'rate-limited',
  '500': 'internal',
  '503': 'unavailable',
} as const;
const HEADERS: Record<string, Record<string, string>> = {
  '401': { 'WWW-Authenticate': 'Bearer' },
  '429': { 'Retry-After': '1' },
  '503': { 'Retry-After': '1' },
};

/** Returns the response that replaces the operation, or undefined if the fault has another effect. */
export function responseOf(fault: string | undefined): Response | undefined {
  if (fault === undefined) return undefined;
  const detail = 'This fault was injected; nothing was stored.';
  if (fault in KINDS) return new Problem(KINDS[fault as keyof typeof KINDS], detail, HEADERS[fault]).response;
  if (/^\d+$/.test(fault)) return otherProblem(Number(fault), detail);
  if (fault === 'redirect') return new Response(null, { status: 302, headers: { Location: 'https://login.test/' } });
  const page = fault === 'html' ? 200 : numberOf(fault, 'html');
  return page === undefined ? undefined : htmlPage(page);
}

/** A status that the service itself never responds with has no problem type of its own (RFC 9457 §4.2.1). */
function otherProblem(status: number, detail: string): Response {
  const body = JSON.stringify({ type: 'about:blank', title: 'Injected fault', status, detail });
  return new Response(body, { status, headers: { 'Content-Type': 'application/problem+json' } });
}

function htmlPage(status: number): Response {
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  const page = '<!doctype html>\n<html lang="en"><title>Maintenance</title><p>We will be back soon.</p></html>\n';
  return new Response(hasBody ? page : null, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

/** Waits if the fault is a latency. Rejects like fetch if the signal fires. */
export async function delay(fault: string | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!fault?.startsWith('latency=')) return;
  await new Promise<void>((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', aborted);
        resolve();
      },
      Number(fault.slice('latency='.length)),
    );
    signal.addEventListener('abort', aborted, { once: true });
  });
}
