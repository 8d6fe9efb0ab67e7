import { Problem } from './problem.js';

/**
 * A fault on request, with the values of the header `X-Fault` of the reference service.
 *
 * - `latency=<milliseconds>`: delays the response, by at most 300,000.
 * - `401`, `403`, `404`, `409`, `429`, `500`, `503`: responds with this status; nothing is stored.
 * - `drop`: loses the connection; nothing is stored.
 * - `drop-after`: stores the order, then loses the connection.
 * - `down-until=<seconds>`: responds with 503 to every order request until the seconds have passed, at most 86,400; 0 ends it.
 */
export type Fault =
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

export const FAULT_HEADER = 'X-Fault';
const MAX_LATENCY_MS = 300_000;
const MAX_OUTAGE_SECONDS = 86_400;
const NAMES = ['401', '403', '404', '409', '429', '500', '503', 'drop', 'drop-after'];

/** Every fault, for messages. */
export const FAULTS =
  `latency=<milliseconds up to ${MAX_LATENCY_MS}>, 401, 403, 404, 409, 429, 500, 503, drop, drop-after ` +
  `or down-until=<seconds up to ${MAX_OUTAGE_SECONDS}>`;

export function isFault(text: string): text is Fault {
  const latency = numberOf(text, 'latency');
  if (latency !== undefined) return latency <= MAX_LATENCY_MS;
  const outage = numberOf(text, 'down-until');
  return outage === undefined ? NAMES.includes(text) : outage <= MAX_OUTAGE_SECONDS;
}

/** Returns the seconds of an outage that the fault starts, or undefined if it starts none. */
export function outageOf(fault: Fault | undefined): number | undefined {
  return fault && numberOf(fault, 'down-until');
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

/** Returns the problem that replaces the operation, or undefined if the fault has another effect. */
export function problemOf(fault: Fault | undefined): Problem | undefined {
  if (fault === undefined || !(fault in KINDS)) return undefined;
  const kind = KINDS[fault as keyof typeof KINDS];
  return new Problem(kind, 'This fault was injected; nothing was stored.', HEADERS[fault]);
}

/** Waits if the fault is a latency. Rejects like fetch if the signal fires. */
export async function delay(fault: Fault | undefined, signal: AbortSignal): Promise<void> {
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
