import type { Issue } from 'sales-order-intake';

/** The types of problems, each with its status and title (D29). */
const KINDS = {
  'invalid-order': [400, 'The order is invalid'],
  unauthenticated: [401, 'The token is missing or unknown'],
  forbidden: [403, 'The token does not allow this'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'not-acceptable': [406, 'No acceptable media type'],
  conflict: [409, 'Another order has this Id'],
  'too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'unknown-fault': [400, 'The requested fault is unknown'],
  'rate-limited': [429, 'Too many requests'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Temporarily unavailable'],
} as const;

type Kind = keyof typeof KINDS;
type IssueText = Pick<Issue, 'pointer' | 'code' | 'message'>;

/** Problem details of a failed request (RFC 9457). Contains no part of the order or of the token (D45). */
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

  /** Reports all issues of an order, warnings too; the codes imply the severity. */
  static invalid(issues: readonly IssueText[]): Problem {
    return new Problem('invalid-order', 'The order has errors; `errors` lists all its issues.', {}, issues);
  }

  get response(): Response {
    const [status, title] = KINDS[this.#kind];
    const errors = this.#issues.map(({ pointer, code, message }) => ({ pointer, code, detail: message }));
    const body = {
      ...{ type: `urn:sales-order-intake:problem:${this.#kind}`, title, status, detail: this.#detail },
      ...(errors.length > 0 && { errors }),
    };
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'Content-Type': 'application/problem+json', ...this.#headers },
    });
  }
}
