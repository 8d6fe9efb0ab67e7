// A user's program, compiled against the installed package (tests/types/compile.test.mjs). It is never run.
import * as core from 'sales-order-intake';
import * as slim from 'sales-order-intake/slim';
import {
  CoreInitError,
  InternalError,
  OptionError,
  OrderValidationError,
  buildOrder,
  createEvaluator,
  evaluateOrder,
  init,
  isReady,
  newOrderId,
  prepareRequest,
  previewOrder,
  readError,
  readOrder,
  validateOrder,
  type CoreInitReason,
  type CoreSource,
  type DecimalInput,
  type DecimalString,
  type Evaluation,
  type Guid,
  type IdentifiedOrder,
  type Issue,
  type IssueCode,
  type IssueOf,
  type IssueParams,
  type PreparedRequest,
  type Preview,
  type PreviewLine,
  type PreviewOptions,
  type ReceivedOrder,
  type Rounding,
  type RuleOptions,
  type SalesOrder,
  type SalesOrderInput,
  type SalesOrderItem,
  type Severity,
  type Step,
  type TaxRate,
  type Totals,
  type Verdict,
  type Version,
} from 'sales-order-intake';

// ---------------------------------------------------------------- every function, with the types of the contract

interface Functions {
  newOrderId: () => Guid;
  deriveOrderId: (namespace: string, key: string) => Guid;
  parseGuid: (text: string) => Guid | null;
  requestPath: (version: Version, orderId: string) => string;
  buildOrder: (input: SalesOrderInput, options?: RuleOptions) => Verdict;
  validateOrder: (input: SalesOrderInput | string, options?: RuleOptions) => Verdict;
  previewOrder: (input: SalesOrderInput | string, options?: PreviewOptions) => Preview;
  prepareRequest: (input: IdentifiedOrder | string, options?: RuleOptions) => PreparedRequest;
  evaluateOrder: (input: SalesOrderInput | string, options?: PreviewOptions) => Evaluation;
  createEvaluator: (options?: PreviewOptions) => (input: SalesOrderInput) => Evaluation;
  readOrder: (body: string) => { order: ReceivedOrder | null; issues: Issue[] };
  readError: (body: string) => { detail: string | null; issues: Issue[] };
  init: (source?: CoreSource) => Promise<void>;
  isReady: () => boolean;
}
export const functions: Functions = core;
export const sameInSlim: Functions = slim;

// ---------------------------------------------------------------- results

declare const order: IdentifiedOrder;

export function narrow(verdict: Verdict): SalesOrderItem {
  if (!verdict.ok) {
    const nothing: null = verdict.order;
    throw new Error(`${nothing} ${verdict.issues.length}`);
  }
  const valid: SalesOrder = verdict.order;
  // A valid order has an item, even with noUncheckedIndexedAccess.
  const first: SalesOrderItem = valid.Items[0];
  const quantity: DecimalString = first.Quantity;
  const company: number = valid.CompanyId;
  const id: Guid = valid.Id;
  void [quantity, company, id];
  return first;
}
// @ts-expect-error a verdict may have no order
void validateOrder(order).order.Id;

export function send(evaluation: Evaluation): string | undefined {
  const { ok, issues, totals, order: valid, preview, request } = evaluation;
  if (!ok) return issues[0]?.message;
  const whole: SalesOrder = valid();
  const lines: PreviewLine[] = preview().lines;
  const steps: Step[] | undefined = preview().steps;
  const put: 'PUT' = request().method;
  const sum: Totals = totals;
  // @ts-expect-error the totals have no lines
  void totals.lines;
  const id: Guid = evaluation.order().Id;
  void [whole, lines, steps, put, sum, id];
  return request().body;
}

export function notSent(evaluation: Evaluation): null {
  if (evaluation.ok) throw new Error(evaluation.request().path);
  const never: () => never = evaluation.request;
  void never;
  return evaluation.order();
}
const preview: Preview = previewOrder(order);
export const amounts: (DecimalString | null)[] = [
  preview.subtotal,
  preview.discount.total,
  preview.tax.total,
  preview.total,
];
export const range: { min: DecimalString; max: DecimalString } | null = preview.roundingRange;
// @ts-expect-error only a preview has it
void evaluateOrder(order).totals.roundingRange;
export const source: 'supplied' | 'estimated' | 'point-of-sale' = preview.tax.source;
export const rounding: Rounding = preview.rounding;
// @ts-expect-error a total may be unknown
export const total: DecimalString = preview.total;

export const { headers, path, version, orderId, issues }: PreparedRequest = prepareRequest(order);
export const json: 'application/json' = headers['Content-Type'];
export const plain: Record<string, string> = headers;

const received: ReceivedOrder | null = readOrder('{}').order;
export const receipt: string | null | undefined = received?.ReceiptNumber;
export const extra: unknown = received?.Extra;
// @ts-expect-error what was received may lack its items
void received?.Items[0];
export const detail: string | null = readError('').detail;

// ---------------------------------------------------------------- issues

export const severity: Severity = 'notice';
declare const issue: Issue;
export const values: IssueParams[IssueCode] = issue.params;
export const pairs: [string, string | number][] = Object.entries(issue.params);
const large: IssueOf<'too_large'> = {
  code: 'too_large',
  severity,
  message: '',
  pointer: '',
  path: [],
  params: { limit: 1 },
};
export const anyIssue: Issue = large;
// @ts-expect-error the code has a limit
export const withoutLimit: IssueOf<'too_large'>['params'] = {};
// @ts-expect-error every issue has params
export const withoutParams: Issue = { code: 'missing', severity, message: '', pointer: '', path: [] };
export const location: (string | number)[] = issue.path;
export const hint: string | undefined = issue.hint;
export const code: IssueCode = 'quantity_not_positive';
// @ts-expect-error there is no such code
export const wrongCode: IssueCode = 'quantity_too_small';
// @ts-expect-error a severity is one of three
export const wrongSeverity: Severity = 'info';

// ---------------------------------------------------------------- errors

export async function start(bytes: Uint8Array, from: CoreSource): Promise<CoreInitReason | undefined> {
  try {
    if (!isReady()) await init();
    await slim.init(bytes);
    await slim.init(bytes.buffer as ArrayBuffer);
    await slim.init(Promise.resolve(bytes));
    await slim.init(from);
    await slim.init('/core.wasm');
    await slim.init(Promise.resolve('https://shop.example/core.wasm'));
    // @ts-expect-error a promise of a number is no source
    await slim.init(Promise.resolve(42));
    await init(undefined);
    slim.validateOrder(order);
  } catch (error) {
    if (error instanceof CoreInitError) return error.reason;
    if (error instanceof OrderValidationError) {
      const id: Guid | null = error.orderId;
      const all: Issue[] = error.issues;
      void [id, all];
    }
    if (error instanceof OptionError) {
      const option: string = error.option;
      const asTypeError: TypeError = error;
      void [option, asTypeError];
    }
    if (error instanceof InternalError || error instanceof CoreInitError) void error.message;
    const classes = [OrderValidationError, OptionError, CoreInitError, InternalError];
    void classes.some((Type) => error instanceof Type);
  }
  return undefined;
}

// ---------------------------------------------------------------- options

const rate: TaxRate = { id: 'gst', rate: 1n, catalogItemIds: ['x'] as const };
const options: PreviewOptions = {
  version: 'v2',
  orderId: newOrderId(),
  locationTaxPricing: null,
  allowEmptyTaxes: true,
  records: 'passthrough',
  scale: 3,
  rounding: 'half-even',
  roundTaxPer: 'tax',
  taxRates: [rate, { id: 'gst', name: 'GST', rate: '0.05', type: 'FlatRate', layer: 1 }],
  discountValueTypes: { amount: 1, percent: 'Percent' },
  explain: true,
  id: 'optional',
};
// One options object serves all functions.
buildOrder(order, options);
validateOrder(order, options);
prepareRequest(order, options);
// Every optional member takes undefined.
createEvaluator({
  version: undefined,
  orderId: undefined,
  locationTaxPricing: undefined,
  allowEmptyTaxes: undefined,
  records: undefined,
  scale: undefined,
  rounding: undefined,
  roundTaxPer: undefined,
  taxRates: undefined,
  discountValueTypes: undefined,
  explain: undefined,
  id: undefined,
});
export const undefinedInRate: TaxRate = {
  ...rate,
  name: undefined,
  type: undefined,
  layer: undefined,
  catalogItemIds: undefined,
};

// @ts-expect-error an Id is required or optional
evaluateOrder(order, { id: 'none' });
// @ts-expect-error there is no such option
createEvaluator({ Version: 'v2' });
// @ts-expect-error a layer is 0 or 1
createEvaluator({ taxRates: [{ id: 'gst', rate: 1, layer: 2 }] });
// @ts-expect-error a rate has an id
createEvaluator({ taxRates: [{ rate: 1 }] });
// @ts-expect-error both meanings are needed
validateOrder(order, { discountValueTypes: { amount: 1 } });

// ---------------------------------------------------------------- decimals

class Decimal {
  toFixed(): string {
    return '19.99';
  }
}
export const decimals: DecimalInput[] = [1, '1', 1n, new Decimal(), { toFixed: (digits?: number) => `${digits}` }];
// @ts-expect-error an empty object is not a decimal
export const wrongObject: DecimalInput = {};
// @ts-expect-error a Date is not a decimal
export const wrongDate: DecimalInput = new Date();
// @ts-expect-error a function is not a decimal
export const wrongFunction: DecimalInput = () => 1;
