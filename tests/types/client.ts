// A user's program with the client, compiled against the installed package (tests/types/compile.test.mjs). It is never run.
import {
  createClient,
  ConflictError,
  OrderIntakeError,
  RateLimitError,
  type Batch,
  type BatchOptions,
  type BatchResult,
  type BatchSummary,
  type Client,
  type ClientFetch,
  type ClientOptions,
  type CreatedOrder,
  type HeadersContext,
  type HeadersProvider,
  type OrderIntakeErrorName,
  type Outcome,
  type RequestErrorEvent,
  type RequestOptions,
  type PreparedRequestInput,
  type RetryEvent,
  type SendError,
  type SendOptions,
  type TokenProvider,
} from 'sales-order-intake/client';
import {
  OrderValidationError,
  prepareRequest,
  type Guid,
  type IdentifiedOrder,
  type Issue,
  type PreparedRequest,
  type ReceivedOrder,
  type SalesOrderInput,
} from 'sales-order-intake';

const token: TokenProvider = async ({ rejected, signal }) => {
  const response = await fetch('https://identity.example.com', { signal });
  return `${rejected ?? 'first'} ${response.status}`;
};

const options: ClientOptions = {
  baseUrl: 'https://intake.example.com',
  token,
  version: 'v2',
  fetch: (input, init) => fetch(input, init),
  timeoutMs: 1000,
  totalTimeoutMs: 5000,
  maxRetries: 2,
  headers: { 'X-Shop': 'north' } as const,
  retry: { baseMs: 100, capMs: 1000 },
  allowBrowserToken: false,
  hooks: {
    onRequest({ method, path, attempt }) {
      const put: 'PUT' = method;
      void [put, path.length, attempt + 1];
    },
    onRetry: ({ waitMs, reason, status }: RetryEvent) => void [waitMs + 1, reason, status],
    onResponse: ({ status, durationMs, requestId }) => void [status + durationMs, requestId?.length],
    onError: ({ durationMs, reason, attempt }: RequestErrorEvent) => void [durationMs + attempt, reason.length],
  },
};
const client: Client = createClient(options);
createClient({ baseUrl: new URL('https://intake.example.com'), token: 'a-token' });
// Every optional member also takes undefined.
createClient({
  ...{
    baseUrl: 'https://intake.example.com',
    token,
    version: undefined,
    fetch: undefined,
    timeoutMs: undefined,
    totalTimeoutMs: undefined,
  },
  ...{
    maxRetries: undefined,
    headers: undefined,
    allowBrowserToken: undefined,
    retry: { baseMs: undefined, capMs: undefined },
  },
  hooks: { onRequest: undefined, onResponse: undefined, onError: undefined, onRetry: undefined },
});
createClient({ baseUrl: 'https://intake.example.com', token, retry: undefined, hooks: undefined });

// What the client calls is narrower than the platform's fetch.
const ownFetch = async (url: string, init: RequestInit): Promise<Response> =>
  fetch(url.replace('http:', 'https:'), init);
const anyFetch: ClientFetch = ownFetch;
createClient({ ...options, fetch: ownFetch });
createClient({ ...options, fetch });
createClient({ ...options, fetch: anyFetch });
const traced: HeadersProvider = ({ orderId, attempt }: HeadersContext) => ({ traceparent: `${orderId}-${attempt}` });
createClient({ ...options, headers: traced });
// @ts-expect-error Type '() => string' is not assignable to type 'HeadersProvider'
createClient({ ...options, headers: () => 'traceparent' });
// @ts-expect-error Type '() => Promise<…>' is not assignable to type 'HeadersProvider'
createClient({ ...options, headers: async () => ({ traceparent: '00' }) });
// @ts-expect-error 'timeout' does not exist in type 'ClientOptions'. Did you mean to write 'timeoutMs'?
createClient({ baseUrl: 'https://intake.example.com', token, timeout: 1000 });
// @ts-expect-error 'baseURL' does not exist in type 'ClientOptions'. Did you mean to write 'baseUrl'?
createClient({ baseURL: 'https://intake.example.com', token });
createClient({
  ...options,
  hooks: {
    // @ts-expect-error This comparison appears to be unintentional because the types … and '"TimeoutEror"' have no overlap
    onRetry: ({ reason }) => void (reason === 'TimeoutEror'),
    // @ts-expect-error … '"AbortedError" | "ConnectionError" | "TimeoutError"' and '"ServerError"' have no overlap
    onError: ({ reason }) => void (reason === 'ServerError'),
  },
});

// @ts-expect-error the base URL has no default
createClient({ token });
// @ts-expect-error a token is required
createClient({ baseUrl: 'https://intake.example.com' });
// @ts-expect-error there is no such option
createClient({ ...options, timeout: 1000 });
// @ts-expect-error retries are counted by maxRetries
createClient({ ...options, retry: { attempts: 4 } });
// @ts-expect-error a signal is for one call
createClient({ ...options, signal: new AbortController().signal });
// @ts-expect-error there is no v1
createClient({ ...options, version: 'v1' });
// @ts-expect-error the token function returns a string
createClient({ ...options, token: () => 7 });
// @ts-expect-error there is no such hook
createClient({ ...options, hooks: { onFailure() {} } });
// @ts-expect-error a request has no status
createClient({ ...options, hooks: { onRequest: ({ status }) => status } });
// @ts-expect-error a lost connection has no status
createClient({ ...options, hooks: { onError: ({ status }) => status } });

/** The names are a closed set: a case that is missing does not compile. */
export function advice(error: SendError): string {
  switch (error.name) {
    case 'OrderValidationError':
      return error.issues.map(({ message }) => message).join();
    case 'ConflictError':
    case 'PermissionError':
    case 'NotFoundError':
    case 'RejectedError':
    case 'AuthenticationError':
      return `${error.outcome} ${error.detail}`;
    case 'RateLimitError':
    case 'ServerError':
    case 'ConnectionError':
    case 'TimeoutError':
      return `${error.retryable} ${error.retryAfterMs}`;
    case 'UnexpectedResponseError':
      return `${error.mediaType}`;
    case 'AbortedError':
      return '';
    default:
      return error satisfies never;
  }
}

/** A class that a program derives has the members of its base, and its own. */
export class StockError extends RateLimitError {
  readonly shelf = 7;
}
export function shelfOf(error: unknown): number {
  return error instanceof StockError ? error.shelf + error.attempts : 0;
}

export async function send(
  order: IdentifiedOrder,
  prepared: PreparedRequest,
  signal: AbortSignal,
): Promise<Guid | undefined> {
  try {
    const request: RequestOptions = {
      signal,
      timeoutMs: 1000,
      totalTimeoutMs: 5000,
      maxRetries: 0,
      headers: { 'X-Cart': '7' },
    };
    const all: SendOptions = { ...request, version: 'v3', allowEmptyTaxes: true, earlierAttempts: 'unknown' };
    const created: CreatedOrder = await client.createOrder(order, all);
    const received: ReceivedOrder | null = created.order;
    const issues: Issue[] = created.issues;
    const requestId: string | null = created.requestId;
    const delivery: URL | null = created.delivery;
    const response: Response = created.response;
    void [
      received?.ReceiptNumber,
      issues[0]?.code,
      requestId,
      delivery?.href,
      response.headers,
      created.status + created.attempts,
    ];
    await client.createOrder(prepared);
    await client.createOrder(prepareRequest(order), {
      signal: undefined,
      timeoutMs: undefined,
      maxRetries: undefined,
      earlierAttempts: undefined,
    });
    await client.createOrder({ Id: 'x', CompanyId: 1, EntityId: 1, IntegratorId: 'x', Items: [] });
    // @ts-expect-error Property 'Id' is missing in type … but required in type '{ Id: string; }'
    await client.createOrder({ CompanyId: 1, EntityId: 1, IntegratorId: 'x', Items: [] });
    // @ts-expect-error 'EntityID' does not exist in type 'IdentifiedOrder'. Did you mean to write 'EntityId'?
    await client.createOrder({ Id: 'x', CompanyId: 1, EntityID: 1, IntegratorId: 'x', Items: [] });
    // @ts-expect-error 'timeout' does not exist in type 'SendOptions'. Did you mean to write 'timeoutMs'?
    await client.createOrder(order, { timeout: 1000 });
    // A program that has either of them.
    const either: IdentifiedOrder | PreparedRequestInput = created.attempts > 1 ? order : prepared;
    await client.createOrder(either, { headers: traced });
    // @ts-expect-error the Id is required
    await client.createOrder({} as SalesOrderInput);
    // @ts-expect-error an order has a company
    await client.createOrder({ Id: 'x', EntityId: 1, IntegratorId: 'x', Items: [] });
    // @ts-expect-error there is no such option
    await client.createOrder(order, { strict: true });
    // @ts-expect-error a signal, not its controller
    await client.createOrder(order, { signal: new AbortController() });
    // @ts-expect-error 'none' or 'unknown'
    await client.createOrder(order, { earlierAttempts: 'some' });
    // @ts-expect-error headers are strings
    await client.createOrder(order, { headers: { 'X-Cart': 7 } });
    return created.orderId;
  } catch (error) {
    if (error instanceof ConflictError) {
      const name: 'ConflictError' = error.name;
      const outcome: Outcome = error.outcome;
      void [name, outcome];
    }
    if (!(error instanceof OrderIntakeError)) throw error;
    const name: OrderIntakeErrorName = error.name;
    const details: [Guid, number, boolean, number | undefined, string | undefined] = [
      error.orderId,
      error.attempts,
      error.retryable,
      error.status,
      error.body,
    ];
    const more: (string | undefined)[] = [error.detail, error.requestId, error.version];
    const waitMs: number | undefined = error.retryAfterMs;
    const issues: Issue[] | undefined = error.issues;
    // @ts-expect-error it may have no status
    const status: number = error.status;
    void [name, details, more, waitMs, issues, status, error instanceof OrderIntakeError];
    if (error instanceof RateLimitError) {
      const limited: 'RateLimitError' = error.name;
      void limited;
    }
    switch (error.name) {
      case 'ConnectionError':
      case 'TimeoutError':
        return error.orderId;
      // @ts-expect-error Type '"ConflictEror"' is not comparable to type '"AbortedError" | "AuthenticationError" | …'
      case 'ConflictEror':
        break;
      default:
        // @ts-expect-error Type '"AbortedError"' does not satisfy the expected type 'never': other names are left
        error.name satisfies never;
    }
    // @ts-expect-error Cannot create an instance of an abstract class
    void new OrderIntakeError('none of its own is thrown', { ...error });
    return undefined;
  }
}

interface Cart extends IdentifiedOrder {
  cartNumber: number;
}

export async function sendAll(
  carts: AsyncIterable<Cart>,
  prepared: readonly PreparedRequest[],
  signal: AbortSignal,
): Promise<void> {
  const batch: BatchOptions<Cart> = {
    concurrency: 4,
    signal,
    version: 'v2',
    maxRetries: 1,
    stopOnUnauthorized: false,
    earlierAttempts: 'none',
    onProgress: ({ done, failed, inFlight }) => void [done + failed + inFlight],
    onResult: (result) => void result.input.cartNumber,
  };
  const results: Batch<Cart> = client.createOrders(carts, batch);
  const generator: AsyncGenerator<BatchResult<Cart>, void, void> = results;
  await generator.return();
  for await (const result of results) {
    const one: BatchResult<Cart> = result;
    const id: Guid | null = one.orderId;
    void [id, one.index, one.input.cartNumber];
    if (one.ok) {
      const isOld: boolean = one.created.alreadyThere;
      void [one.created.delivery, isOld];
    } else {
      const error: SendError = one.error;
      // @ts-expect-error Property 'outcome' does not exist on type 'OrderValidationError'
      void error.outcome;
      if (error.name === 'OrderValidationError') void error.issues.length;
      else void error.outcome;
      if (error instanceof OrderValidationError) void error.issues.length;
      else void error.outcome;
    }
    // @ts-expect-error a failed order has no response
    if (!one.ok) void one.created;
  }
  await results.return();
  for await (const { input } of client.createOrders(prepared)) void input.body;
  const one: BatchResult | undefined = (await client.createOrders([] as IdentifiedOrder[]).next()).value ?? undefined;
  void one;
  client.createOrders([], {
    concurrency: undefined,
    onProgress: undefined,
    onResult: undefined,
    stopOnUnauthorized: undefined,
  });
  client.createOrders(new Set<IdentifiedOrder>(), { onResult: async ({ ok }) => void ok });
  const { created, alreadyThere, failed }: BatchSummary<Cart> = await client.createOrders(carts, batch);
  const numbers: number[] = [created, alreadyThere, failed.length];
  for (const { error, index, input } of failed) void [numbers, error.name, index, input.cartNumber];
  // @ts-expect-error Property 'created' does not exist on type 'Batch<Cart>': its await is missing
  void client.createOrders(carts).created;
  // @ts-expect-error Property 'created' does not exist on type … '{ ok: false; error: SendError; }': it failed
  for (const result of failed) void result.created;
  // @ts-expect-error the Id is required
  client.createOrders(new Set<SalesOrderInput>());
  // @ts-expect-error orders, not one order
  client.createOrders({ Id: 'x', CompanyId: 1, EntityId: 1, IntegratorId: 'x', Items: [] });
  // @ts-expect-error each order has its own Id
  client.createOrders(carts, { orderId: 'x' });
}
