// A program of a user, compiled against the installed package (tests/types/compile.test.mjs). It is never run.
import * as slim from 'sales-order-intake/slim';
import {
  CoreInitError,
  buildOrder,
  deriveOrderId,
  init,
  isCoreInitError,
  isInternalError,
  isOrderValidationError,
  newOrderId,
  parseGuid,
  prepareOrder,
  prepareRequest,
  previewOrder,
  readOrder,
  ready,
  requestPath,
  validateOrder,
  type CoreInitReason,
  type CoreSource,
  type DecimalText,
  type Guid,
  type Issue,
  type PreparedRequest,
  type Preview,
  type PreviewOptions,
  type RuleOptions,
  type SalesOrderInput,
  type SalesOrderV2V3Put,
  type Verdict,
} from 'sales-order-intake';

class Money {
  toString(): string {
    return '19.99';
  }
}

const order: SalesOrderInput = {
  CompanyId: 1000,
  EntityId: 2000,
  IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
  Items: [
    { CatalogItemId: 'x', Quantity: 1, SellAtPricePerUnit: '19.99' },
    { CatalogItemId: 'x', Quantity: 1n, SellAtPricePerUnit: new Money(), Name: 'Tea', PackageId: 'p', Batch: 'b' },
  ],
  FirstName: null,
  Discount: { InvoiceLevel: [{ Name: 'Members', Value: '5', ValueType: 1 }], Extra: true },
  Taxes: [{ TaxId: 'x', TaxAmount: 0.3, Extra: 'kept' }],
};

// @ts-expect-error IntegratorId is required
const noIntegrator: SalesOrderInput = { CompanyId: 1, EntityId: 1, Items: [] };
// @ts-expect-error CompanyId is a number
const textCompany: SalesOrderInput = { ...order, CompanyId: '1' };

const options: PreviewOptions = {
  version: 'v2',
  orderId: newOrderId(),
  locationTaxPricing: null,
  allowEmptyTaxes: true,
  records: 'passthrough',
  scale: 3,
  rounding: 'half-even',
  roundTaxPer: 'tax',
  taxRates: [{ id: 'gst', rate: '0.05', type: 'Percentage', layer: 0, catalogItemIds: ['x'] }],
  discountValueTypes: { amount: 1, percent: 2 },
  explain: true,
};
// @ts-expect-error there is no v1
const wrongVersion: RuleOptions = { version: 'v1' };

const verdict: Verdict = buildOrder(order, options);
if (verdict.ok) {
  const built: SalesOrderV2V3Put = verdict.order;
  const quantity: DecimalText | null | undefined = built.Items?.[0]?.Quantity;
  const extra: unknown = built.Extra;
  void [quantity, extra];
} else {
  const issues: Issue[] = verdict.issues;
  // @ts-expect-error there is no order where there are errors
  void [issues, verdict.order];
}

const preview: Preview = previewOrder(JSON.stringify(order), options);
const total: DecimalText | null = preview.total;
const share: DecimalText | null | undefined = preview.lines[0]?.discount;
const request: PreparedRequest = prepareRequest(order, { version: 'v3' });
const { ok: isReady, request: whole, preview: totals } = prepareOrder(order, { scale: 2 });
if (isReady) whole.path satisfies string;
totals.total satisfies DecimalText | null;
// @ts-expect-error an order that can't be sent has no request
prepareOrder(order).request.path;
const put: 'PUT' = request.method;
const read: { order: SalesOrderV2V3Put | null; issues: Issue[] } = readOrder('{}');
const id: Guid = deriveOrderId('x', 'cart-1');
const parsed: Guid | null = parseGuid('x');
const path: string = requestPath('v2', id);
void [validateOrder(undefined), total, share, put, read, parsed, path, noIntegrator, textCompany, wrongVersion];

// @ts-expect-error the preview takes no such rounding
previewOrder(order, { rounding: 'up' });

export async function start(bytes: Uint8Array, source: CoreSource): Promise<CoreInitReason | undefined> {
  try {
    if (!ready()) await init();
    await slim.init(bytes);
    await slim.init(bytes.buffer as ArrayBuffer);
    await slim.init(Promise.resolve(bytes));
    await slim.init(source);
    slim.validateOrder(order);
  } catch (error) {
    if (isCoreInitError(error)) return error.reason;
    if (isOrderValidationError(error)) console.log(error.issues[0]?.code);
    if (isInternalError(error) || error instanceof CoreInitError) console.log(error.name);
  }
  return undefined;
}

// Whatever the program knows of the platform, the core's types do as well.
declare const console: { log(...values: unknown[]): void };
