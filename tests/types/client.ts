// A user's program with the client, compiled against the installed package (tests/types/compile.test.mjs). It is never run.
import {
  createClient,
  ConflictError,
  OrderIntakeError,
  RateLimitError,
  type BatchOptions,
  type BatchResult,
  type Client,
  type ClientOptions,
  type CreatedOrder,
  type OrderIntakeErrorName,
  type Outcome,
  type RequestErrorEvent,
  type RequestOptions,
  type RetryEvent,
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
    // @ts-expect-error the Id is required
    await client.createOrder({ CompanyId: 1, EntityId: 1, IntegratorId: 'x', Items: [] });
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
    switch (error.name) {
      case 'RateLimitError': {
        const limited: RateLimitError = error;
        void limited;
        break;
      }
      // @ts-expect-error there is no such error
      case 'TooManyRequests':
        break;
    }
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
  const results: AsyncGenerator<BatchResult<Cart>, void, void> = client.createOrders(carts, batch);
  for await (const result of results) {
    const one: BatchResult<Cart> = result;
    const id: Guid | null = one.orderId;
    void [id, one.index, one.input.cartNumber];
    if (one.ok) {
      const isOld: boolean = one.created.alreadyThere;
      void [one.created.delivery, isOld];
    } else {
      const error: OrderIntakeError | OrderValidationError = one.error;
      void error.message;
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
  // @ts-expect-error the Id is required
  client.createOrders(new Set<SalesOrderInput>());
  // @ts-expect-error orders, not one order
  client.createOrders({ Id: 'x', CompanyId: 1, EntityId: 1, IntegratorId: 'x', Items: [] });
  // @ts-expect-error each order has its own Id
  client.createOrders(carts, { orderId: 'x' });
}
