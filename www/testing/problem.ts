import type { Issue } from 'sales-order-intake';
import { PROBLEM_TYPES } from './problem-types.js';

type Kind = keyof typeof PROBLEM_TYPES;
type ProblemIssue = Pick<Issue, 'pointer' | 'code' | 'message' | 'params'>;

/** Problem details of a failed request (RFC 9457). Contains no part of the order or of the token (D45). */
export class Problem {
  readonly #kind: Kind;
  readonly #detail: string;
  readonly #headers: Record<string, string>;
  readonly #issues: readonly ProblemIssue[];

  constructor(kind: Kind, detail: string, headers: Record<string, string> = {}, issues: readonly ProblemIssue[] = []) {
    this.#kind = kind;
    this.#detail = detail;
    this.#headers = headers;
    this.#issues = issues;
  }

  /** Reports all issues of an order, warnings too; the codes imply the severity. */
  static invalid(issues: readonly ProblemIssue[]): Problem {
    return new Problem('invalid-order', 'The order has errors; `errors` lists all its issues.', {}, issues);
  }

  get response(): Response {
    const [status, title] = PROBLEM_TYPES[this.#kind];
    const errors = this.#issues.map(({ pointer, code, message, params }) => ({
      ...{ pointer, code, detail: message },
      ...(Object.keys(params).length > 0 && { params }),
    }));
    const body = {
      type: `urn:sales-order-intake:problem:${this.#kind}`,
      title,
      status,
      detail: this.#detail,
      // JSON has no member that is undefined.
      errors: errors.length > 0 ? errors : undefined,
    };
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'Content-Type': 'application/problem+json', ...this.#headers },
    });
  }
}
