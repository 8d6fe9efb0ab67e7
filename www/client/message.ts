import type { ErrorDetails } from './error-details.js';

/**
 * Returns the message of an error: what happened to which order, and what to do. Contains nothing of the order except its
 * Id, so it can be logged (D45).
 */
export function errorMessage(problem: string, path: string, details: ErrorDetails): string {
  const { attempts, url } = details;
  return `${problem}; PUT ${url ?? path}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. ${advice(details)}`;
}

function advice({ outcome, retryable, status }: ErrorDetails): string {
  if (outcome === 'not-created') return 'The order was not created.';
  const unknown = 'It is unknown whether the order was created';
  const search = 'look for it at the point of sale';
  // D34.
  if (retryable && status === 409)
    return `${unknown}. Send it again later with the same Id. Do not send it with a new Id, but ${search}.`;
  if (retryable) return `${unknown}: send it again with the same Id.`;
  return `${unknown}. Do not send it with a new Id: fix the cause and send it again with the same Id, or ${search}.`;
}

export function secondsOf(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms / 100) / 10} s`;
}
