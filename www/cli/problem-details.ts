import { problem, type ProblemName, type ServiceResponse } from '#serve';

/** The problems of the relay alone; the reference service's rules have the others. */
const OF_RELAY = {
  'invalid-query': [400, 'The query is invalid'],
  'wrong-state': [409, 'The state of the order does not permit this'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

/** Returns problem details (RFC 9457) in the reference service's form. `detail` has nothing of an order but its Id (D45). */
export function problemDetails(
  name: keyof typeof OF_RELAY | ProblemName,
  detail: string,
  ...headers: ServiceResponse['headers']
): ServiceResponse {
  if (name !== 'invalid-query' && name !== 'wrong-state') {
    const response = problem(name, detail);
    return { ...response, headers: [...response.headers, ...headers] };
  }
  const [status, title] = OF_RELAY[name];
  const body = JSON.stringify({ type: `urn:sales-order-intake:problem:${name}`, title, status, detail });
  return { status, headers: [['content-type', 'application/problem+json'], ...headers], body };
}
