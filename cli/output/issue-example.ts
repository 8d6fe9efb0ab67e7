import type { IssueCode, PreviewOptions } from 'sales-order-intake';

/**
 * An entry of examples/issue-examples.json: an order that causes an issue, and the corrected one. A code may have none; its
 * page then shows an order of the vectors.
 */
export interface IssueExample {
  code: IssueCode;
  /** Why it matters and what to do, in one or two sentences. */
  advice: string;
  /** @default 'order' */
  trigger?: IssueTrigger;
  /** @default 3 */
  version?: 2 | 3;
  /** Options with which the order has the issue. */
  options?: PreviewOptions;
  /** What causes the issue. A string is JSON, or what `trigger` says. */
  order: object | string;
  /** The corrected order; for the trigger `response`, a response without the issue. */
  fixed: object;
  /** Options with which the corrected order does not have the issue. */
  fixedOptions?: PreviewOptions;
}

/**
 * - `order`: an order, as JSON.
 * - `javascript`: an order that only a program can have; `order` is a JavaScript expression.
 * - `response`: the body of a response that reports success; `order` is that body.
 * - `created-response`: the body of a response to the order `fixed`; `order` is that body.
 * - `error-response`: the body of a response that reports an error; `order` is that body.
 * - `no-random-source`: an order without an Id, which buildOrder makes on a platform without secure random numbers.
 */
export type IssueTrigger =
  | 'order'
  | 'javascript'
  | 'response'
  | 'created-response'
  | 'error-response'
  | 'no-random-source';
