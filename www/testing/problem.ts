import type { Issue } from 'sales-order-intake';

/** Every kind of problem the service has, with its status and title (D29). */
const KINDS = {
  'invalid-order': [400, "The order can't be created"],
  unauthenticated: [401, 'No token that is known here'],
  forbidden: [403, 'The token is not for this'],
  'not-found': [404, 'Nothing is here'],
  'method-not-allowed': [405, 'The method is not allowed here'],
  'not-acceptable': [406, 'No media type that is accepted'],
  conflict: [409, 'Another order has this id'],
  'too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The body is of another media type'],
  'rate-limited': [429, 'Too many requests'],
  internal: [500, 'The service failed'],
  unavailable: [503, "The service can't do this now"],
} as const;

type Kind = keyof typeof KINDS;
type IssueText = Pick<Issue, 'pointer' | 'code' | 'message' | 'hint'>;

/** Why a request was not done, as RFC 9457 has it. Holds nothing of the order and nothing of the token (D45). */
export class Problem {
  readonly #kind: Kind;
  readonly #detail: string;
  readonly #headers: Record<string, string>;
  readonly #issues: readonly IssueText[];

  constructor(kind: Kind, detail: string, headers: Record<string, string> = {}, issues: readonly IssueText[] = []) {
    this.#kind = kind;
    this.#detail = detail;
    this.#headers = headers;
    this.#issues = issues;
  }

  /** All issues of an order, warnings too: the code says which is which. */
  static invalid(issues: readonly IssueText[]): Problem {
    return new Problem('invalid-order', 'The order has errors; `errors` lists all there is to say about it.', {}, issues);
  }

  get response(): Response {
    const [status, title] = KINDS[this.#kind];
    const errors = this.#issues.map(({ pointer, code, message, hint }) => ({ pointer, code, detail: hint ? `${message}; ${hint}` : message }));
    const body = {
      ...{ type: `urn:sales-order-intake:problem:${this.#kind}`, title, status, detail: this.#detail },
      ...(errors.length > 0 && { errors }),
    };
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/problem+json', ...this.#headers } });
  }
}
