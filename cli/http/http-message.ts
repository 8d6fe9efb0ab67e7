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
