import { setTimeout } from 'node:timers/promises';
import { problem, type ProblemName, type ServiceResponse } from '#serve';

/** The reference service's limit of a request. */
export const MAX_BODY_BYTES = 1 << 20;

/** A response that may be a file. */
export type HttpResponse = Omit<ServiceResponse, 'body'> & { body: string | Buffer };

/** The members of a problem besides its type, title and detail. */
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

/** A store that commits more slowly is not ready; the reference service has the same limits. */
const TIME_MS = 2000;
/** How long a result is used again, so that requests without a token cause few writes. */
const MAX_AGE_MS = 1000;

/**
 * Returns a function that resolves within two seconds with the reason why no order can be stored, or with null. There is at
 * most one probe a second. A probe that takes longer than two seconds is given up, and the next call starts another.
 *
 * @param explain Called with the error of a probe.
 */
export function readinessOf(
  probe: () => Promise<unknown>,
  explain: (error: unknown) => string,
): () => Promise<string | null> {
  let running: Promise<string | null> | undefined;
  let last: { at: number; failure: string | null } = { at: Number.NEGATIVE_INFINITY, failure: null };
  const run = async () => {
    const failure = await Promise.race([
      probe().then(() => null, explain),
      setTimeout(TIME_MS, `the store did not respond within ${TIME_MS / 1000} s`, { ref: false }),
    ]);
    last = { at: performance.now(), failure };
    running = undefined;
    return failure;
  };
  return async () => {
    if (performance.now() - last.at < MAX_AGE_MS) return last.failure;
    running ??= run();
    return running;
  };
}
