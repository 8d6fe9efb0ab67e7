import type { ServiceResponse } from '#serve';

/** What the servers of the command line respond with; the reference service's rules have the other problems. */
const PROBLEMS = {
  'bad-request': [400, 'The request is not valid HTTP'],
  'invalid-query': [400, 'The query is invalid'],
  'not-found': [404, 'Not found'],
  'slow-request': [408, 'The request took too long'],
  'wrong-state': [409, 'The state of the order does not permit this'],
  'large-headers': [431, 'The headers are too large'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Temporarily unavailable'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

/** Returns problem details (RFC 9457) in the reference service's form. `detail` has nothing of an order but its Id (D45). */
export function problemDetails(
  name: keyof typeof PROBLEMS,
  detail: string,
  ...headers: ServiceResponse['headers']
): ServiceResponse {
  const [status, title] = PROBLEMS[name];
  const body = JSON.stringify({ type: `urn:sales-order-intake:problem:${name}`, title, status, detail });
  return { status, headers: [['content-type', 'application/problem+json'], ...headers], body };
}
