// A user's program with the client, compiled against the installed package (tests/types/compile.test.mjs). It is never run.
import {
  createClient,
  ConflictError,
  OrderIntakeError,
  RateLimitError,
  type AttemptTrace,
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
  type OrderTrace,
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
    onRetry: ({ waitMs, reason, status }: RetryEvent) => void [waitMs + 1, reason === 'ServerError', status],
    onResponse: ({ status, durationMs, requestId }) => void [status + durationMs, requestId?.length],
    onError: ({ durationMs, reason, attempt }: RequestErrorEvent) =>
      void [durationMs + attempt, reason === 'TimeoutError'],
  },
};
const client: Client = createClient(options);
createClient({ baseUrl: new URL('https://intake.example.com'), token: 'a-token' });
// Every optional member also takes undefined.
createClient({
  baseUrl: 'https://intake.example.com',
  token,
  version: undefined,
  fetch: undefined,
  timeoutMs: undefined,
  totalTimeoutMs: undefined,
  maxRetries: undefined,
  headers: undefined,
  allowBrowserToken: undefined,
  retry: { baseMs: undefined, capMs: undefined },
  hooks: { onRequest: undefined, onResponse: undefined, onError: undefined, onRetry: undefined },
});
createClient({ baseUrl: 'https://intake.example.com', token, retry: undefined, hooks: undefined });

// The function that the client calls is narrower than the platform's fetch.
const ownFetch = async (url: string, init: RequestInit): Promise<Response> =>
  fetch(url.replace('http:', 'https:'), init);
const anyFetch: ClientFetch = ownFetch;
createClient({ ...options, fetch: ownFetch });
createClient({ ...options, fetch });
createClient({ ...options, fetch: anyFetch });
const traced: HeadersProvider = ({ orderId, attempt }: HeadersContext) => ({ traceparent: `${orderId}-${attempt}` });
createClient({ ...options, headers: traced });

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
    // A program that has either of them.
    const either: IdentifiedOrder | PreparedRequestInput = created.attempts > 1 ? order : prepared;
    await client.createOrder(either, { headers: traced });
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
    const status: number | undefined = error.status;
    void [name, details, more, waitMs, issues, status, error instanceof OrderIntakeError];
    if (error instanceof RateLimitError) {
      const limited: 'RateLimitError' = error.name;
      void limited;
    }
    switch (error.name) {
      case 'ConnectionError':
      case 'TimeoutError':
        return error.orderId;
      default:
        return undefined;
    }
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
      const stateUrl: URL | null = one.created.delivery;
      void [stateUrl, isOld];
    } else {
      const error: SendError = one.error;
      if (error.name !== 'OrderValidationError') void error.outcome;
      else void error.issues.length;
      if (error instanceof OrderValidationError) void error.issues.length;
      else void error.outcome;
    }
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
  const summary: BatchSummary<Cart> = await client.createOrders(carts, batch);
  const { created, alreadyThere, accepted, failed } = summary;
  const numbers: number[] = [created, alreadyThere, accepted, failed.length];
  for (const { error, index, input } of failed) void [numbers, error.name, index, input.cartNumber];
}

export function readTraces(order: OrderTrace, attempt: AttemptTrace): (string | number | undefined)[] {
  attempt.headers['x-trace'] = `${order.orderId} ${attempt.attempt}`;
  const { run } = order;
  order.run = (work) => run(() => work());
  // @ts-expect-error an attempt may not have a result yet
  void attempt.result.status;
  const put: 'PUT' = attempt.method;
  return [
    put,
    attempt.url,
    order.result?.status,
    String(order.result?.alreadyThere),
    attempt.error?.name,
    attempt.error?.outcome,
  ];
}
