// Orders that users pass, compiled by tests/types/compile.test.mjs. It is never run.
import {
  buildOrder,
  createEvaluator,
  evaluateOrder,
  prepareRequest,
  previewOrder,
  readOrder,
  validateOrder,
  type IdentifiedOrder,
  type PreviewOptions,
  type SalesOrder,
  type SalesOrderInput,
  type SalesOrderItemInput,
} from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';

type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

const client = createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token' });
const item = { CatalogItemId: 'x', Quantity: 1, SellAtPricePerUnit: '19.99' };
const head = { Id: 'x', CompanyId: 1, EntityId: 2, IntegratorId: 'x' };

// ---------------------------------------------------------------- a misspelt member, in every function that takes an order

// @ts-expect-error Items is missing
buildOrder({ ...head, Itmes: [item] });
// @ts-expect-error Items is missing
validateOrder({ ...head, Itmes: [item] });
// @ts-expect-error Items is missing
previewOrder({ ...head, Itmes: [item] });
// @ts-expect-error Items is missing
prepareRequest({ ...head, Itmes: [item] });
// @ts-expect-error Items is missing
evaluateOrder({ ...head, Itmes: [item] });
// @ts-expect-error Items is missing
createEvaluator()({ ...head, Itmes: [item] });
// @ts-expect-error Items is missing
void client.createOrder({ ...head, Itmes: [item] });
// @ts-expect-error Items is missing
client.createOrders([{ ...head, Itmes: [item] }]);

// @ts-expect-error there is no such member
validateOrder({ ...head, Items: [item], Note: 'x' });
// @ts-expect-error there is no such member
evaluateOrder({ ...head, Items: [item], Note: 'x' });
// @ts-expect-error there is no such member of an item
validateOrder({ ...head, Items: [{ ...item, Qty: 1 }] });
// @ts-expect-error there is no such member of a discount
validateOrder({ ...head, Items: [item], Discount: { InvoiceLevel: [{ Value: 1, ValueType: 1, Valeu: 1 }] } });
// @ts-expect-error an object without toFixed is not a decimal
validateOrder({ ...head, Items: [{ ...item, Quantity: { toString: () => '1' } }] });
// @ts-expect-error an order is not unknown
validateOrder({} as unknown);
// @ts-expect-error an order is not undefined
validateOrder(undefined);
// @ts-expect-error buildOrder does not take JSON
buildOrder('{}');
// @ts-expect-error an evaluator does not take JSON
createEvaluator()('{}');

// ---------------------------------------------------------------- the Id

declare const cart: SalesOrderInput;
buildOrder(cart);
validateOrder(cart);
previewOrder(cart);
evaluateOrder(cart);
prepareRequest({ ...cart, Id: 'x' });

export function sendBuilt(valid: SalesOrder): IdentifiedOrder {
  prepareRequest(valid);
  void client.createOrder(valid);
  client.createOrders([valid]);
  createEvaluator()(valid);
  const input: SalesOrderInput = valid;
  return input === valid ? valid : valid;
}

// ---------------------------------------------------------------- deeply readonly inputs

const literal = {
  ...head,
  Items: [{ CatalogItemId: 'x', Quantity: '1', SellAtPricePerUnit: 2, Name: 'Tea', PackageId: 'p', Batch: 'b' }],
  Discount: { InvoiceLevel: [{ Name: 'Members', Value: '5', ValueType: 2 }], Extra: [true] },
  Taxes: [{ TaxId: 'x', TaxAmount: 0.3, Extra: { kept: true } }],
  FirstName: null,
  IsDelivery: true,
} as const;
const fixed: DeepReadonly<IdentifiedOrder> = literal;
const frozen = Object.freeze({ ...literal, Items: Object.freeze([Object.freeze(item)]) });
for (const order of [literal, fixed, frozen]) {
  buildOrder(order);
  validateOrder(order);
  previewOrder(order);
  prepareRequest(order);
  evaluateOrder(order);
  createEvaluator()(order);
  void client.createOrder(order);
  client.createOrders([order] as const);
}
export function readonlyResults(valid: DeepReadonly<SalesOrder>): void {
  prepareRequest(valid);
  void client.createOrder(valid);
}
const options = {
  taxRates: [{ id: 'gst', rate: '0.05', catalogItemIds: ['x'] }],
  discountValueTypes: { amount: 1, percent: 2 },
} as const;
const fixedOptions: DeepReadonly<PreviewOptions> = options;
for (const each of [options, fixedOptions]) {
  validateOrder(literal, each);
  createEvaluator(each);
  evaluateOrder(literal, each);
}

export function sendPrepared(prepared: DeepReadonly<ReturnType<typeof prepareRequest>>): void {
  void client.createOrder(prepared);
  client.createOrders([prepared]);
  void client.createOrder(Object.freeze(prepareRequest(literal)));
  // A prepared request that was stored as JSON.
  const { version, orderId, path, body } = prepared;
  void client.createOrder({ method: 'PUT', version, orderId, path, body });
  // @ts-expect-error a request has a body
  void client.createOrder({ method: 'PUT', version, orderId, path });
}

// ---------------------------------------------------------------- undefined in every optional member

const nothing: IdentifiedOrder = {
  ...head,
  Items: [{ ...item, Name: undefined, PackageId: undefined, Batch: undefined }],
  FirstName: undefined,
  LastName: undefined,
  CustomerId: undefined,
  OrderNumber: undefined,
  ExternalOrderId: undefined,
  Discount: undefined,
  Taxes: undefined,
  IsDelivery: undefined,
  Notes: undefined,
  TimeSlotDisplayString: undefined,
};
buildOrder({ ...nothing, Id: undefined });

// ---------------------------------------------------------------- an edit, and an earlier response that is sent again

export function edited(order: SalesOrderInput, index: number, changes: Partial<SalesOrderItemInput>): SalesOrderInput {
  return { ...order, Items: order.Items.map((one, i) => (i === index ? { ...one, ...changes } : one)) };
}

export function sendAgain(order: IdentifiedOrder): void {
  const { order: received } = readOrder('{}');
  // Read-only members may be present.
  prepareRequest({ ...order, ...{ ReceiptNumber: received?.ReceiptNumber, DateCreatedUtc: 'x' } });
}
