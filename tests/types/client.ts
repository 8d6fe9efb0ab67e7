// A program of a user of the client, compiled against the installed package (tests/types/compile.test.mjs). It is never run.
import {
  createClient,
  isConflictError,
  isOrderIntakeError,
  OrderIntakeError,
  RateLimitError,
  type BulkResult,
  type Client,
  type ClientOptions,
  type Created,
  type OrderIntakeErrorName,
  type Outcome,
  type RetryEvent,
  type TokenProvider,
} from 'sales-order-intake/client';
import { prepareRequest, type Guid, type Issue, type PreparedRequest, type SalesOrderInput, type SalesOrderV2V3Put } from 'sales-order-intake';

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
  retry: { attempts: 2 },
  allowBrowserToken: false,
  hooks: {
    onRequest({ method, path, attempt }) {
      const put: 'PUT' = method;
      void [put, path.length, attempt + 1];
    },
    onRetry: ({ waitMs, reason, status }: RetryEvent) => void [waitMs + 1, reason, status],
    onResponse: ({ status, durationMs, requestId }) => void [status + durationMs, requestId?.length],
  },
};
const client: Client = createClient(options);

// @ts-expect-error the base URL has no default
createClient({ token });
// @ts-expect-error a token is required
createClient({ baseUrl: 'https://intake.example.com' });
// @ts-expect-error there is no such option
createClient({ ...options, timeout: 1000 });
// @ts-expect-error the number of attempts is not a number of retries
createClient({ ...options, retry: { retries: 3 } });
// @ts-expect-error there is no v1
createClient({ ...options, version: 'v1' });
// @ts-expect-error the provider gives text
createClient({ ...options, token: () => 7 });
// @ts-expect-error there is no such hook
createClient({ ...options, hooks: { onError() {} } });
// @ts-expect-error a request has no status
createClient({ ...options, hooks: { onRequest: ({ status }) => status } });

export async function send(order: SalesOrderInput, prepared: PreparedRequest, signal: AbortSignal): Promise<Guid | undefined> {
  try {
    const created: Created = await client.createOrder(order, { signal, version: 'v3', allowEmptyTaxes: true });
    const put: SalesOrderV2V3Put | null = created.order;
    const issues: Issue[] = created.issues;
    const requestId: string | null = created.response.headers.get('x-request-id');
    void [put?.ReceiptNumber, issues[0]?.code, requestId, created.status + created.attempts];
    await client.createOrder(prepared);
    await client.createOrder(prepareRequest(order), { signal });
    // @ts-expect-error an order has a company
    await client.createOrder({ EntityId: 1, IntegratorId: 'x', Items: [] });
    // @ts-expect-error there is no such rule
    await client.createOrder(order, { strict: true });
    // @ts-expect-error a signal, not its controller
    await client.createOrder(order, { signal: new AbortController() });
    return created.orderId;
  } catch (error) {
    if (isConflictError(error)) {
      const name: 'ConflictError' = error.name;
      const outcome: Outcome = error.outcome;
      void [name, outcome];
    }
    if (!isOrderIntakeError(error)) throw error;
    const name: OrderIntakeErrorName = error.name;
    const details: [Guid, number, boolean, number | undefined, string | undefined] = [error.orderId, error.attempts, error.retryable, error.status, error.body];
    // @ts-expect-error it may have no status
    const status: number = error.status;
    void [name, details, status, error instanceof OrderIntakeError];
    switch (error.name) {
      case 'RateLimitError': {
        const limited: RateLimitError = error;
        const wait: number | undefined = limited.retryAfterMs;
        void wait;
        break;
      }
      // @ts-expect-error there is no such error
      case 'TooManyRequests':
        break;
    }
    return undefined;
  }
}

export async function sendAll(orders: AsyncIterable<SalesOrderInput>, signal: AbortSignal): Promise<void> {
  const bulk = { concurrency: 4, signal, version: 'v2', onProgress: ({ done, failed }: { done: number; failed: number }) => void [done, failed] } as const;
  for await (const result of client.createOrders(orders, bulk)) {
    const one: BulkResult = result;
    if (one.ok) void [one.index, one.created.orderId];
    else void [one.index, one.error.message];
    // @ts-expect-error a failed order has no answer
    if (!one.ok) void one.created;
  }
  client.createOrders([]);
  client.createOrders(new Set<SalesOrderInput>());
  // @ts-expect-error orders, not one order
  client.createOrders({ CompanyId: 1, EntityId: 1, IntegratorId: 'x', Items: [] });
  // @ts-expect-error each order has an id of its own
  client.createOrders(orders, { orderId: 'x' });
}
