import { startFates } from '../../pkg-template/src/order-fate.js';
import { notify } from '../../pkg-template/src/platform/notify.js';
import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { Interruption, wait, withTimeout } from '../../pkg-template/src/platform/timeout.js';
import { isTraced, traced, traceError, type TracingChannel } from '../../pkg-template/src/platform/tracing-channel.js';
import { backoffMs } from '../../pkg-template/src/sending/waits.js';
import { readConnectionError } from '../../pkg-template/src/sending/connection.js';
import type { OrderRequest } from '../../pkg-template/src/sending/request.js';
import { HeldBack, type ClientGate, type Pass } from './client-gate.js';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  OrderIntakeError,
  RateLimitError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.js';
import type { ErrorDetails, OutcomeError } from './error-details.js';
import { exchange, type CompleteResponse } from './exchange.js';
import { headersOf } from './headers.js';
import { errorMessage, secondsOf } from './message.js';
import type { CallFate, OrderFates } from './order-fates.js';
import { askedPauseMs, cameOf, judged, signOf, unanswered } from './response.js';
import type { RequestErrorEvent, RequestEvent, ResponseEvent, RetryEvent } from './options.js';
import type { CreatedOrder } from './results.js';
import type { ClientSettings, SendSettings } from './settings.js';
import { OrderToken, TokenProblem, type Token, type TokenSource } from './token.js';

/** The settings and the state that all orders of a client share. */
export interface ClientContext {
  settings: ClientSettings;
  tokens: TokenSource;
  gate: ClientGate;
  fates: OrderFates;
  platform: Platform;
  attemptChannel: TracingChannel | undefined;
}

const TOO_LATE = 'The time for this order ended while it waited for its turn';

/** Sends one order: attempts, and the waits between them. */
export class Submission {
  readonly #context: ClientContext;
  readonly #request: OrderRequest;
  readonly #settings: SendSettings;
  readonly #endsAt: number;
  readonly #fate: CallFate;
  readonly #token: OrderToken;
  #attempts = 0;
  #retries = 0;
  /** The end of the last attempt. */
  #failure: OutcomeError | undefined;

  /** The caller must then call {@link run}, which leaves the order's fate. */
  constructor(context: ClientContext, request: OrderRequest, settings: SendSettings) {
    this.#context = context;
    this.#request = request;
    this.#settings = settings;
    this.#endsAt = context.platform.now() + settings.totalTimeoutMs;
    this.#fate = context.fates.enter(request.orderId, settings.earlierAttempts);
    this.#token = new OrderToken(context.tokens);
  }

  /** Sends attempts until a response is final, or no retries or no time are left. */
  async run(): Promise<CreatedOrder> {
    let isCreated = false;
    try {
      // A core that can't start ends the call before anything is sent.
      startFates();
      for (;;) {
        const result = await this.#attempt();
        if (!(result instanceof OrderIntakeError)) {
          // An order that a relay has accepted may be created at any time.
          isCreated = result.delivery === null;
          return result;
        }
        this.#failure = result;
        await this.#waitForRetry(result);
      }
    } finally {
      this.#fate.leave(isCreated);
    }
  }

  get #leftMs(): number {
    return this.#endsAt - this.#context.platform.now();
  }

  // ---------------------------------------------------------------- the turn and the wait

  /** Waits for the order's turn, and sends it. */
  async #attempt(): Promise<CreatedOrder | OutcomeError> {
    const { lane, sharePause } = this.#settings;
    const gate = lane?.gate ?? (sharePause ? this.#context.gate : undefined);
    if (!gate) return this.#sendWithToken();
    const pass = gate.enter(lane) ?? (await this.#turn(gate));
    const sentBefore = this.#attempts;
    let result: CreatedOrder | OutcomeError | undefined;
    try {
      result = await this.#sendWithToken();
      return result;
    } finally {
      const sign = this.#attempts === sentBefore ? 'none' : signOf(result);
      gate.leave(pass, this.#request.orderId, sign, sharePause ? askedPauseMs(result) : 0);
    }
  }

  async #turn(gate: ClientGate): Promise<Pass> {
    try {
      return await gate.wait(this.#settings.lane, this.#leftMs, this.#settings.signal);
    } catch (cause) {
      if (cause instanceof HeldBack) throw this.#failure ?? this.#heldBack(cause.ms);
      throw this.#interrupted(cause, TOO_LATE);
    }
  }

  #heldBack(ms: number): RateLimitError {
    const problem = `The service has asked for a pause, and the turn of this order is in ${secondsOf(ms)}, after its time is over`;
    return this.#error(RateLimitError, problem, { retryable: true, retryAfterMs: ms });
  }

  /** Waits for the next attempt, or throws the failure if there is none. */
  async #waitForRetry(failure: OutcomeError): Promise<void> {
    const { platform, settings } = this.#context;
    const { retry, hooks } = settings;
    const { name: reason, status, retryAfterMs: askedMs = 0 } = failure;
    const isReplaced = this.#token.replace(status);
    const before = isReplaced ? this.#token.replacements - 2 : this.#retries++;
    // The first new token is used at once. A service that refuses one token after another must not be called in a loop.
    const waitMs =
      before < 0 ? 0 : askedMs > 0 ? askedMs + platform.random() * retry.baseMs : backoffMs(retry, before, platform);
    const isLate = waitMs >= this.#leftMs;
    if (isReplaced && isLate)
      throw this.#unauthorized('The service refused token after token, until the time for this order ended', true);
    if (!isReplaced && (!failure.retryable || before >= this.#settings.maxRetries || isLate)) throw failure;
    const event: RetryEvent = { ...this.#event(), waitMs, reason };
    if (status !== undefined) event.status = status;
    if (failure instanceof ConnectionError) event.failure = failure.failure;
    notify(() => hooks.onRetry?.(event));
    if (waitMs <= 0) return;
    const waiting = this.#wait(waitMs);
    // A batch starts other orders meanwhile.
    await (this.#settings.lane?.rest(waiting) ?? waiting);
  }

  async #wait(ms: number): Promise<void> {
    try {
      await wait(this.#context.platform, ms, this.#settings.signal);
    } catch (cause) {
      throw this.#interrupted(cause, '');
    }
  }

  // ---------------------------------------------------------------- an attempt

  /** Gets a token, and sends the order with it. Only at the order's turn: a token that waited with it could expire before it is used. */
  async #sendWithToken(): Promise<CreatedOrder | OutcomeError> {
    const token = this.#token.begin() ?? (await this.#newToken());
    if (token instanceof AuthenticationError) return token;
    const { attemptChannel, settings } = this.#context;
    const { orderId, method, path } = this.#request;
    const { signal, timeoutMs } = this.#settings;
    const ms = Math.min(timeoutMs, this.#leftMs);
    const attempt = this.#attempts + 1;
    let headers: Record<string, string>;
    try {
      headers = headersOf(this.#settings.headers, { orderId, attempt });
    } catch (cause) {
      // The function is called again, like the token function.
      const details = { retryable: true, isSent: false, failure: 'headers function failed', cause };
      return this.#error(ConnectionError, 'The headers function failed, so nothing was sent', details);
    }
    const url = settings.baseUrl + path;
    return this.#token.use(token, () => {
      // If it is already too late, no request is sent.
      if (!isTraced(attemptChannel) || ms <= 0 || signal?.aborted)
        return this.#sendRequest(url, headers, token.value, ms);
      return traced<'attempt', CreatedOrder | OutcomeError>(
        attemptChannel,
        { orderId, method, url, attempt, headers: {} },
        (trace) => this.#sendRequest(url, { ...headers, ...trace.headers }, token.value, ms),
        (end) => (end instanceof OrderIntakeError ? { error: traceError(end) } : { result: { status: end.status } }),
      );
    });
  }

  /** Returns an error if the token function failed: it is called again, like a request is sent again (D33). */
  async #newToken(): Promise<Token | AuthenticationError> {
    let token: Token | undefined;
    try {
      token = await this.#token.ask(this.#leftMs, this.#settings.signal);
    } catch (cause) {
      const interrupted = this.#interrupted(cause, 'There was no token in time');
      if (interrupted) throw interrupted;
      const problem = cause instanceof TokenProblem ? cause.message : 'The token function failed';
      return this.#error(AuthenticationError, problem, { retryable: true, cause });
    }
    if (token) return token;
    throw this.#unauthorized(
      'The service refused the token, and the token function returned the same token again',
      false,
    );
  }

  async #sendRequest(url: string, headers: Record<string, string>, token: string, ms: number) {
    const { settings, platform } = this.#context;
    const { hooks } = settings;
    const fetch = settings.fetch ?? globalThis.fetch;
    const { body } = this.#request;
    const startedAt = platform.now();
    let isSent = false;
    let response: CompleteResponse;
    try {
      response = await withTimeout(platform, ms, this.#settings.signal, (stop) => {
        isSent = true;
        this.#attempts++;
        this.#fate.begin();
        notify(() => hooks.onRequest?.(this.#event()));
        return exchange(fetch, url, { headers, token, body, stop });
      });
    } catch (cause) {
      if (isSent) this.#fate.end();
      const error = this.#unanswered(cause, isSent, url, ms);
      const durationMs = platform.now() - startedAt;
      const event: RequestErrorEvent = { ...this.#event(), durationMs, reason: error.name };
      if (error instanceof ConnectionError) event.failure = error.failure;
      if (isSent) notify(() => hooks.onError?.(event));
      if (error instanceof AbortedError) throw error;
      return error;
    }
    const { status, requestId } = response;
    this.#fate.end();
    const durationMs = platform.now() - startedAt;
    const event: ResponseEvent = { ...this.#event(), status, durationMs };
    if (requestId !== undefined) event.requestId = requestId;
    notify(() => hooks.onResponse?.(event));
    try {
      return this.#read(response);
    } catch (cause) {
      this.#fate.setMayBeCreated();
      const details = { retryable: false, ...cameOf(response), cause };
      return this.#error(UnexpectedResponseError, 'The response could not be read', details);
    }
  }

  /** Returns the error of an attempt without a response. */
  #unanswered(cause: unknown, isSent: boolean, url: string, ms: number): AbortedError | TimeoutError | ConnectionError {
    const lost = readConnectionError(cause, this.#context.settings.fetch ? undefined : url);
    const { mayBeCreated, details } = unanswered(isSent && lost.isSent);
    if (mayBeCreated) this.#fate.setMayBeCreated();
    const tooLate = isSent ? `The response was not complete within ${secondsOf(ms)}` : TOO_LATE;
    const problem = `The connection to ${new URL(url).host} failed: ${lost.failure}`;
    return (
      this.#interrupted(cause, tooLate) ?? this.#error(ConnectionError, problem, { ...details, url, ...lost, cause })
    );
  }

  #read(complete: CompleteResponse): CreatedOrder | OutcomeError {
    const { settings, platform } = this.#context;
    const earlierAttempts = this.#fate.outcome === 'unknown' ? 'unknown' : 'none';
    const result = judged(complete, this.#request, { ...settings, earlierAttempts }, platform);
    if ('Type' in result) {
      if (result.mayBeCreated) this.#fate.setMayBeCreated();
      return this.#error(result.Type, result.problem, result.details);
    }
    this.#fate.setStored();
    const { status, body, response, requestId = null } = complete;
    const { orderId } = this.#request;
    // An empty 200 does not say whether the order is new.
    const alreadyThere = status === 200 && result.order !== null && !this.#fate.mayBeCreated;
    return { ...result, orderId, status, attempts: this.#attempts, requestId, body, response, alreadyThere };
  }

  // ---------------------------------------------------------------- errors and events

  /** Returns the error for an interruption, or undefined for any other cause. */
  #interrupted(cause: unknown, problem: string): AbortedError | TimeoutError | undefined {
    if (!(cause instanceof Interruption)) return undefined;
    if (cause.by === 'timeout') return this.#error(TimeoutError, problem, { retryable: true });
    return this.#error(AbortedError, 'The caller aborted', { retryable: true, cause: this.#settings.signal?.reason });
  }

  /** Returns the error for a token that the service has refused, and that is not replaced. */
  #unauthorized(problem: string, retryable: boolean): AuthenticationError {
    const { status, issues, detail, body, requestId, mediaType, url } = this.#failure ?? {};
    const came = { status, issues, detail, body, requestId, mediaType, url };
    return this.#error(AuthenticationError, problem, { retryable, ...came });
  }

  #error<Failure extends OutcomeError>(
    Type: new (message: string, details: ErrorDetails) => Failure,
    problem: string,
    details: Pick<ErrorDetails, 'retryable'> & Partial<ErrorDetails>,
  ): Failure {
    const { version, orderId, path } = this.#request;
    const all = { orderId, version, attempts: this.#attempts, outcome: this.#fate.outcome, ...details } as const;
    return new Type(errorMessage(problem, path, all), all);
  }

  #event(): RequestEvent {
    const { method, path, orderId, version } = this.#request;
    return { method, path, orderId, version, attempt: this.#attempts };
  }
}
