// The parts of orders, events and errors by their names (tests/types/compile.test.mjs). It is never run.
import type {
  InvoiceDiscount,
  InvoiceDiscountInput,
  ReceivedDiscount,
  ReceivedInvoiceDiscount,
  ReceivedItem,
  ReceivedOrder,
  ReceivedOrderSource,
  ReceivedTax,
  SalesOrder,
  SalesOrderDiscount,
  SalesOrderDiscountInput,
  SalesOrderInput,
  SalesOrderTax,
  SalesOrderTaxInput,
} from 'sales-order-intake';
import {
  ConnectionError,
  NotFoundError,
  PermissionError,
  UnexpectedResponseError,
  RateLimitError,
  RejectedError,
  ServerError,
  type BatchProgress,
  type Client,
  type ClientOptions,
  type PreparedRequestInput,
  type RelayState,
  type RequestEvent,
  type ResponseEvent,
  type TokenContext,
} from 'sales-order-intake/client';

const entry: InvoiceDiscountInput = { Value: 5n, ValueType: 'Percent', Name: undefined };
const discount: SalesOrderDiscountInput = { InvoiceLevel: [entry], Extra: 1 };
const tax: SalesOrderTaxInput = { TaxId: 'x', TaxAmount: '0.30', Extra: 1 };
export function withParts(order: SalesOrderInput): SalesOrderInput {
  return { ...order, Discount: discount, Taxes: [tax] };
}
// @ts-expect-error a tax has an amount
export const wrongTax: SalesOrderTaxInput = { TaxId: 'x' };
// @ts-expect-error a ValueType is a number or a string
export const wrongEntry: InvoiceDiscountInput = { Value: 1, ValueType: true };

export function valid({ Discount, Taxes }: SalesOrder): void {
  const one: SalesOrderDiscount | null | undefined = Discount;
  const level: InvoiceDiscount[] | null | undefined = one?.InvoiceLevel;
  const taxes: SalesOrderTax[] | null | undefined = Taxes;
  const amounts: (`${number}` | undefined)[] = [level?.[0]?.Value, taxes?.[0]?.TaxAmount];
  void amounts;
}

export function received({ OrderSource, Items, Discount, Taxes }: ReceivedOrder): void {
  const source: ReceivedOrderSource | null | undefined = OrderSource;
  const items: (ReceivedItem | null)[] | null | undefined = Items;
  const one: ReceivedDiscount | null | undefined = Discount;
  const level: (ReceivedInvoiceDiscount | null)[] | null | undefined = one?.InvoiceLevel;
  const taxes: (ReceivedTax | null)[] | null | undefined = Taxes;
  void [source?.Name, items?.[0]?.Quantity, level?.[0]?.Value, taxes?.[0]?.TaxAmount];
}

export function status(error: unknown): number | undefined {
  if (error instanceof ConnectionError || error instanceof UnexpectedResponseError) return error.status;
  if (error instanceof RateLimitError) return error.retryAfterMs;
  const isRefusal =
    error instanceof NotFoundError || error instanceof PermissionError || error instanceof RejectedError;
  return isRefusal || error instanceof ServerError ? error.status : undefined;
}

export function whatCame(error: unknown): string {
  if (!(error instanceof UnexpectedResponseError)) return '';
  const mediaType: string | undefined = error.mediaType;
  const url: string | undefined = error.url;
  const isSuspect: boolean = error.isSuspect;
  // @ts-expect-error an error has no order that was present before
  void error.alreadyThere;
  return `${error.status} ${mediaType} ${url} ${isSuspect}`;
}

export function whatTheRelaySays(error: unknown): RelayState | undefined {
  return error instanceof RejectedError ? error.relayState : undefined;
}

export function options(log: (line: string) => void): Partial<ClientOptions> {
  const onRequest = ({ path, attempt }: RequestEvent) => log(`${path} ${attempt}`);
  const onResponse = ({ status: code, durationMs, orderId, version }: ResponseEvent) =>
    log(`${code} ${durationMs} ${orderId} ${version}`);
  const token = async ({ rejected }: TokenContext) => rejected ?? 'a-token';
  return { hooks: { onRequest, onResponse }, token, acceptEmptyBody: true };
}

export function sendStored(
  client: Client,
  stored: PreparedRequestInput,
  show: (progress: BatchProgress) => void,
): void {
  client.createOrders(new Set([stored]), { onProgress: show });
}
