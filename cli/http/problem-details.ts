import { problem, type ProblemName, type ServiceResponse } from '#serve';

/** What else is in a problem, besides its type, title and detail. */
interface ProblemMembers {
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
