// How users handle what the package returns (tests/types/compile.test.mjs). It is never run.
import {
  OrderValidationError,
  compareAmounts,
  createEvaluator,
  evaluateOrder,
  readDecimal,
  sumAmounts,
  validateOrder,
  type CartEvaluation,
  type DecimalNotation,
  type DecimalString,
  type IdentifiedOrder,
  type Issue,
  type IssueCode,
  type IssueOf,
  type IssueParams,
  type SalesOrder,
  type SalesOrderInput,
  type Totals,
  type Verdict,
} from 'sales-order-intake';
import { createClient, type BatchResult, type CreatedOrder, type OrderIntakeError } from 'sales-order-intake/client';

export function orderOf(verdict: Verdict): SalesOrder | null {
  switch (verdict.ok) {
    case true:
      return verdict.order;
    case false:
      return verdict.order satisfies null;
  }
}

/** Comparing `ok` narrows an evaluation. */
export function idOf(order: SalesOrderInput): string | null {
  const evaluation = evaluateOrder(order);
  if (evaluation.ok) return evaluation.order().Id;
  return evaluation.order() satisfies null;
}

/** A cart may have no Id yet, so `ok` does not narrow it. */
export function idOfCart(cart: SalesOrderInput): string | null {
  const evaluation: CartEvaluation = evaluateOrder(cart, { id: 'optional' });
  evaluation.order() satisfies SalesOrder | null;
  createEvaluator({ id: 'optional' })(cart) satisfies CartEvaluation;
  return evaluation.ok ? evaluation.request().orderId : null;
}

/** Amounts are compared and added without becoming numbers of JavaScript. */
export const ascending = (orders: Totals[]) => orders.map(({ subtotal }) => subtotal ?? 0).sort(compareAmounts);
export const turnover = (orders: Totals[]) =>
  sumAmounts(orders.map(({ total }) => total)) satisfies DecimalString | null;
const swiss: DecimalNotation = { decimal: '.', thousands: "'" };
export const typed = (text: string) => readDecimal(text, swiss) satisfies DecimalString | null;

/** As React declares the value of a field, and its state. */
type Field = { value?: string | number | readonly string[] | undefined };
declare function useState<State>(initial: State | (() => State)): [State, (next: State) => void];
export const [evaluate] = useState(() => createEvaluator());
export const quantityField = (order: SalesOrder): Field => ({ value: order.Items[0].Quantity });
export const totalField = (order: SalesOrderInput): Field => ({ value: evaluate(order).totals.total ?? 'unknown' });

/** A table of all codes: a code that is missing, or not one, does not compile. */
export function isOfTheWholeBody(code: Extract<IssueCode, `body_${string}`>): boolean {
  switch (code) {
    case 'body_empty':
      return true;
    case 'body_not_an_order':
      return false;
    default:
      return code satisfies never;
  }
}
export const some: Partial<Record<IssueCode, string>> = { missing: 'fehlt', not_a_guid: 'ist keine GUID' };
// @ts-expect-error there is no such code
export const wrong: Partial<Record<IssueCode, string>> = { mising: 'fehlt' };
// @ts-expect-error all other codes are missing
export const incomplete: Record<IssueCode, string> = { missing: 'fehlt' };
export function isMissing(code: IssueCode): boolean {
  // @ts-expect-error a misspelt code
  if (code === 'misisng') return false;
  return code === 'missing';
}

/** Comparing the code narrows the params. */
export function limitOf(issue: Issue): number | undefined {
  if (issue.code === 'too_large') {
    const limit: number = issue.params.limit;
    return limit;
  }
  switch (issue.code) {
    case 'integer_out_of_range':
      return issue.params.max - issue.params.min;
    case 'unknown_member':
      return issue.params.suggestion?.length;
    default:
      return 'limit' in issue.params ? issue.params.limit : undefined;
  }
}

/** A message for each code takes the params of its code. */
const german: { [Code in IssueCode]?: (params: IssueParams[Code]) => string } = {
  too_large: ({ limit }) => `höchstens ${limit} Bytes`,
  unknown_member: ({ suggestion = 'anders' }) => `heißt wohl ${suggestion}`,
  missing: () => 'fehlt',
};
function translated<Code extends IssueCode>({ code, params, message }: IssueOf<Code>): string {
  return german[code]?.(params) ?? message;
}
export function allTranslated(order: IdentifiedOrder): string[] {
  return validateOrder(order).issues.map((issue) => translated(issue));
}
/** A text with placeholders takes the params of any code. */
export function filled(text: string, { params }: Issue): string {
  const values: Record<string, string | number | undefined> = params;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** An issue is copied with a change, and stays one. */
export function inLanguage(issue: Issue): Issue {
  return { ...issue, message: translated(issue) };
}

interface Cart extends IdentifiedOrder {
  cartNumber: number;
}

export async function sendAll(carts: readonly Cart[]): Promise<void> {
  const client = createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token' });
  const results = client.createOrders(carts, { onResult: ({ input }) => void input.cartNumber });
  for await (const result of results) handle(result);
  const { value, done } = await results.next();
  if (!done) handle(value);
  await results.return();
  await results[Symbol.asyncIterator]().next();
}

function handle(result: BatchResult<Cart>): void {
  const { cartNumber } = result.input;
  if (result.ok) {
    const created: CreatedOrder = result.created;
    // @ts-expect-error there is no error
    void [cartNumber, created, result.error];
    return;
  }
  // @ts-expect-error there is no response
  void result.created;
  if (result.error instanceof OrderValidationError) {
    const first: string | undefined = result.error.issues[0]?.message;
    void first;
    return;
  }
  const error: OrderIntakeError = result.error;
  const outcome: 'not-created' | 'unknown' = error.outcome;
  void outcome;
}
