/** Mistakes in programs that use sales-order-intake/client. mistakes.test.mjs says how they are written. */
import type { IdentifiedOrder, SalesOrderInput } from 'sales-order-intake';
import {
  type BatchResult,
  type BatchSummary,
  type Client,
  createClient,
  OrderIntakeError,
  type SendError,
} from 'sales-order-intake/client';

const CLIENT = { baseUrl: 'https://intake.example.com', token: () => 'a-token' };
const HEAD = { Id: 'x', CompanyId: 1000, EntityId: 2000, IntegratorId: 'x' };

// 'baseURL' does not exist in type 'ClientOptions'. Did you mean to write 'baseUrl'?
export function baseUrlInCapitals() {
  createClient({ baseURL: 'https://intake.example.com', token: () => 'a-token' });
}

// Property 'baseUrl' is missing in type '{ token: () => string; }' but required in type 'ClientOptions'.
export function baseUrlMissing() {
  createClient({ token: () => 'a-token' });
}

// Property 'created' does not exist on type 'Batch<IdentifiedOrder>'.
export const batchWithoutAwait = (client: Client, orders: IdentifiedOrder[]) => client.createOrders(orders).created;

// Type 'string' is not assignable to type 'number'.
export const companyAsString = (client: Client) =>
  client.createOrder({ Id: 'x', CompanyId: '1000', EntityId: 2000, IntegratorId: 'x', Items: [] });

// Type 'AbortController' is
export const controllerAsSignal = (client: Client, order: IdentifiedOrder) =>
  client.createOrder(order, { signal: new AbortController() });

// Property 'created' does not exist on type
// { ok: false; error: SendError; }
export const createdOfAFailedOrder = (result: BatchResult) => (result.ok ? 0 : result.created.status);

// Property 'created' does not exist on type
// { ok: false; error: SendError; }
export const createdOfFailed = ({ failed }: BatchSummary) => failed[0]?.created;

// Property 'created' does not exist on type 'BatchResult'.
// { ok: false; error: SendError; }
export const createdWithoutCheck = (result: BatchResult) => result.created.status;

// Type '"some"' is not assignable to type
export const earlierAttemptsUnknown = (client: Client, order: IdentifiedOrder) =>
  client.createOrder(order, { earlierAttempts: 'some' });

// Type '"ConflictEror"' is not comparable to type '"AbortedError" | "AuthenticationError" | "ConflictError" |
export function errorNameMisspelt(error: unknown): boolean {
  if (!(error instanceof OrderIntakeError)) return false;
  switch (error.name) {
    case 'ConflictEror':
      return true;
    default:
      return false;
  }
}

// Type 'AbortedError | AuthenticationError | ConflictError |
// does not satisfy the expected type 'never'.
export function errorNamesLeft(error: SendError): string {
  switch (error.name) {
    case 'OrderValidationError':
      return 'correct the order';
    default:
      error satisfies never;
      return '';
  }
}

// Cannot create an instance of an abstract class.
export const errorOfTheBaseClass = new OrderIntakeError('x', {
  orderId: 'x',
  version: 'v3',
  attempts: 1,
  retryable: false,
  outcome: 'unknown',
});

// Type '(request: Request) => Promise<Response>' is not assignable to type 'ClientFetch'.
// Type 'string' is not assignable to type 'Request'.
export const fetchOfARequest = () => createClient({ ...CLIENT, fetch: (request: Request) => fetch(request) });

// Type '(url: string) => Promise<string>' is not assignable to type 'ClientFetch'.
// Type 'string' is not assignable to type 'Response'.
export const fetchOfAString = () => createClient({ ...CLIENT, fetch: async (url: string) => url });

// Type 'number' is not assignable to type 'string'.
export const headerAsNumber = (client: Client, order: IdentifiedOrder) =>
  client.createOrder(order, { headers: { 'X-Cart': 7 } });

// Type '() => Promise<{ traceparent: string; }>' is not assignable to type
// Type 'Promise<{ traceparent: string; }>' is not assignable to type 'Readonly<Record<string, string>>'.
export const headersAsPromise = () => createClient({ ...CLIENT, headers: async () => ({ traceparent: '00' }) });

// Type '() => string' is not assignable to type
// Type 'string' is not assignable to type 'Readonly<Record<string, string>>'.
export const headersAsString = () => createClient({ ...CLIENT, headers: () => 'traceparent' });

// 'onFailure' does not exist in type '{ onRequest?: ((event: RequestEvent) => void) | undefined;
export const hookUnknown = () => createClient({ ...CLIENT, hooks: { onFailure() {} } });

// Argument of type 'IdentifiedOrder' is not assignable to parameter of type
// Iterable<
export const oneOrderForMany = (client: Client, order: IdentifiedOrder) => client.createOrders(order);

// 'orderId' does not exist in type 'BatchOptions<IdentifiedOrder>'.
export const optionOfOneOrderForMany = (client: Client, orders: IdentifiedOrder[]) =>
  client.createOrders(orders, { orderId: 'x' });

// 'companyId' does not exist in type 'IdentifiedOrder'. Did you mean to write 'CompanyId'?
export const orderMemberInLowerCase = (client: Client) =>
  client.createOrder({ Id: 'x', companyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });

// 'EntityID' does not exist in type 'IdentifiedOrder'. Did you mean to write 'EntityId'?
export const orderMemberMisspelt = (client: Client) =>
  client.createOrder({ Id: 'x', CompanyId: 1000, EntityID: 2000, IntegratorId: 'x', Items: [] });

// Type 'SalesOrderInput' is not assignable to type 'IdentifiedOrder'.
export const orderWithAnOptionalId = (client: Client, cart: SalesOrderInput) => client.createOrder(cart);

// Property 'CompanyId' is missing in type '{ Id: string; EntityId: number; IntegratorId: string; Items: never[]; }' but required in type
export const orderWithoutCompany = (client: Client) =>
  client.createOrder({ Id: 'x', EntityId: 2000, IntegratorId: 'x', Items: [] });

// Property 'Id' is missing in type '{ CompanyId: number; EntityId: number; IntegratorId: string; Items: never[]; }' but required in type 'IdentifiedOrder'.
export const orderWithoutId = (client: Client) =>
  client.createOrder({ CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });

// Argument of type 'SalesOrderInput[]' is not assignable to parameter of type
// Type 'SalesOrderInput' is not assignable to type
export const ordersWithoutId = (client: Client, carts: SalesOrderInput[]) => client.createOrders(carts);

// Property 'outcome' does not exist on type 'SendError'.
// Property 'outcome' does not exist on type 'OrderValidationError'.
export const outcomeOfEveryError = (result: BatchResult) => (result.ok ? 'created' : result.error.outcome);

// Type 'boolean' is not assignable to type 'DecimalInput'.
export const quantityAsBoolean = (client: Client) =>
  client.createOrder({
    ...HEAD,
    Items: [{ CatalogItemId: 'x', Quantity: true, SellAtPricePerUnit: 1 }],
  });

// This comparison appears to be unintentional because the types '"AbortedError" | "AuthenticationError" |
// and '"TimeoutEror"' have no overlap.
export const reasonOfARetryMisspelt = () =>
  createClient({ ...CLIENT, hooks: { onRetry: ({ reason }) => void (reason === 'TimeoutEror') } });

// This comparison appears to be unintentional because the types '"AbortedError" | "ConnectionError" | "TimeoutError"' and '"ServerError"' have no overlap.
export const reasonThatAnErrorCanNotHave = () =>
  createClient({ ...CLIENT, hooks: { onError: ({ reason }) => void (reason === 'ServerError') } });

// 'attempts' does not exist in type '{ baseMs?: number | undefined; capMs?: number | undefined; }'.
export const retriesAmongThePauses = () => createClient({ ...CLIENT, retry: { attempts: 4 } });

// 'lenient' does not exist in type 'SendOptions'.
export const ruleUnknown = (client: Client, order: IdentifiedOrder) => client.createOrder(order, { lenient: true });

// 'signal' does not exist in type 'ClientOptions'.
export const signalForAllCalls = () => createClient({ ...CLIENT, signal: new AbortController().signal });

// 'error.status' is possibly 'undefined'.
export function statusNotChecked(error: unknown): boolean {
  return error instanceof OrderIntakeError && error.status >= 500;
}

// Property 'status' does not exist on type 'RequestErrorEvent'.
export const statusOfALostConnection = () => createClient({ ...CLIENT, hooks: { onError: ({ status }) => status } });

// Property 'status' does not exist on type 'RequestEvent'.
export const statusOfARequest = () => createClient({ ...CLIENT, hooks: { onRequest: ({ status }) => status } });

// 'timeout' does not exist in type 'ClientOptions'. Did you mean to write 'timeoutMs'?
export const timeOutMisspelt = () => createClient({ ...CLIENT, timeout: 1000 });

// 'timeout' does not exist in type 'SendOptions'. Did you mean to write 'timeoutMs'?
export const timeOutOfACallMisspelt = (client: Client, order: IdentifiedOrder) =>
  client.createOrder(order, { timeout: 1000 });

// Type '() => number' is not assignable to type 'string | TokenProvider'.
// Type 'number' is not assignable to type 'string | Promise<string>'.
export function tokenAsNumber() {
  createClient({ baseUrl: 'https://intake.example.com', token: () => 7 });
}

// Property 'token' is missing in type '{ baseUrl: string; }' but required in type 'ClientOptions'.
export function tokenMissing() {
  createClient({ baseUrl: 'https://intake.example.com' });
}

// Type '"v1"' is not assignable to type 'Version | undefined'.
export const versionUnknown = () => createClient({ ...CLIENT, version: 'v1' });
