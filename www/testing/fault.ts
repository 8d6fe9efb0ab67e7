import { Problem } from './problem.js';

/**
 * What goes wrong on purpose, as the header `X-Fault` of the reference service has it.
 *
 * - `latency=<milliseconds>`: the answer takes longer, 300,000 at most.
 * - `429`, `500`, `503`: the answer is that, and nothing is stored.
 * - `drop`: the connection is lost, and nothing is stored.
 * - `drop-after`: the order is stored, and the connection is lost before the answer.
 */
export type Fault = '429' | '500' | '503' | 'drop' | 'drop-after' | `latency=${number}`;

export const FAULT_HEADER = 'X-Fault';
const LONGEST_MS = 300_000;

export function isFault(text: string): text is Fault {
  const latency = /^latency=(\d+)$/.exec(text);
  return latency ? Number(latency[1]) <= LONGEST_MS : ['429', '500', '503', 'drop', 'drop-after'].includes(text);
}

/** Returns the problem for a request that asks for an unknown fault. */
export function unknownFault(): Problem {
  return new Problem(
    'unknown-fault',
    `X-Fault must be latency=<milliseconds up to ${LONGEST_MS}>, 429, 500, 503, drop or drop-after.`,
  );
}

/** What is answered instead of doing anything; nothing for the other faults. */
export function problemOf(fault: Fault | undefined): Problem | undefined {
  const detail = 'This fault was injected; nothing was stored.';
  if (fault === '429') return new Problem('rate-limited', detail, { 'Retry-After': '1' });
  if (fault === '500') return new Problem('internal', detail);
  if (fault === '503') return new Problem('unavailable', detail, { 'Retry-After': '1' });
  return undefined;
}

/** Waits where the fault is a latency. Rejects as fetch does where the signal fires. */
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
