import { notify } from '../../pkg-template/src/platform/notify.js';
import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { Interruption, wait, withTimeout } from '../../pkg-template/src/platform/timeout.js';
import { isTraced, traced, traceError, type TracingChannel } from '../../pkg-template/src/platform/tracing-channel.js';
import { backoffMs, asksForPause } from '../../pkg-template/src/sending/waits.js';
import { readConnectionError } from '../../pkg-template/src/sending/connection.js';
import type { Turn } from '../../pkg-template/src/sending/gate.js';
import type { OrderRequest } from '../../pkg-template/src/sending/request.js';
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
import type { OrderFate, OrderFates } from './order-fates.js';
import { HeldBack, type RateGate } from './rate-gate.js';
import { cameOf, judged, signOf, unanswered } from './response.js';
import type { RequestErrorEvent, RequestEvent, ResponseEvent, RetryEvent } from './options.js';
import type { CreatedOrder } from './results.js';
import type { ClientSettings, SendSettings } from './settings.js';
import { TokenTimeout, type Token, type TokenSource } from './token.js';

/** The settings and the state that all orders of a client share. */
export interface ClientContext {
  settings: ClientSettings;
  tokens: TokenSource;
  gate: RateGate;
  fates: OrderFates;
  platform: Platform;
  attemptChannel: TracingChannel | undefined;
}

const TOO_LATE = 'The time for this order ended while it waited for its turn';

/** Sends one order: attempts, waits, and what is known about its fate. */
export class Submission {
  readonly #context: ClientContext;
  readonly #request: OrderRequest;
  readonly #settings: SendSettings;
  readonly #endsAt: number;
  readonly #fate: OrderFate;
  #attempts = 0;
  #retries = 0;
  /** An attempt of this call may have created the order. */
  #mayBeCreated = false;
  /** The token of the last attempt; undefined if there was none because the token function failed. */
  #token: Token | undefined;
  /** An order that was sent before with the same token has no response yet. */
  #isUndecided = false;
  /** The last token that was rejected and replaced (D35). */
  #rejectedToken: Token | undefined;
  /** The number of tokens that were replaced. */
  #replacements = 0;
  /** The last attempt ended with 401. */
  #wasRejected = false;
  #failure: OutcomeError | undefined;
  /** The next attempt finds out whether a pause is over. */
  #isTry = false;

  /** The caller must then call {@link run}, which leaves the order's fate. */
  constructor(context: ClientContext, request: OrderRequest, settings: SendSettings) {
    this.#context = context;
    this.#request = request;
    this.#settings = settings;
    this.#endsAt = context.platform.now() + settings.totalTimeoutMs;
    this.#fate = context.fates.enter(request.orderId);
    if (settings.earlierAttempts === 'unknown') this.#fate.mayBeStored = true;
  }

  /** Sends attempts until a response is final, or no retries or no time are left. */
  async run(): Promise<CreatedOrder> {
    const { fates, gate } = this.#context;
    let isCreated = false;
    try {
      for (;;) {
        this.#isTry = this.#settings.sharePause && !gate.isOpen && (await this.#passGate());
        const result = await this.#attempt();
        if (this.#isTry && signOf(result) === 'success') gate.open();
        if (!(result instanceof OrderIntakeError)) {
          // An order that a relay has accepted may be created at any time.
          isCreated = result.delivery === null;
          return result;
        }
        this.#failure = result;
        await this.#waitForRetry(result);
      }
    } finally {
      fates.leave(this.#request.orderId, this.#fate, isCreated);
    }
  }

  get #leftMs(): number {
    return this.#endsAt - this.#context.platform.now();
  }

  // ---------------------------------------------------------------- before an attempt

  /** Waits for the order's turn. Returns true if it tries whether a pause is over. */
  async #passGate(): Promise<boolean> {
    try {
      // The wait of a retry is random already.
      return await this.#context.gate.pass(() => this.#leftMs, this.#settings.signal, this.#failure !== undefined);
    } catch (cause) {
      if (cause instanceof HeldBack) throw this.#failure ?? this.#heldBack(cause.ms);
      throw this.#interrupted(cause, '');
    }
  }

  #heldBack(ms: number): RateLimitError {
    const problem = `The service has asked for a pause, and the turn of this order is in ${secondsOf(ms)}, after its time is over`;
    return this.#error(RateLimitError, problem, { retryable: true, retryAfterMs: ms });
  }

  /** Returns an error if the token function failed: it is called again, like a request is sent again (D33). */
  async #newToken(): Promise<Token | AuthenticationError> {
    const { tokens } = this.#context;
    const rejected = this.#rejectedToken;
    let token: Token;
    try {
      token = await tokens.ask(rejected, this.#leftMs, this.#settings.signal);
    } catch (cause) {
      const interrupted = this.#interrupted(cause, 'There was no token in time');
      if (interrupted) throw interrupted;
      const problem = cause instanceof TokenTimeout ? cause.message : 'The token function failed';
      return this.#error(AuthenticationError, problem, { retryable: true, cause });
    }
    if (token.value !== rejected?.value) return token;
    const problem = 'The service refused the token, and the token function returned the same token again';
    throw this.#unauthorized(problem, false);
  }

  /** Returns the error for a token that the service has refused, and that is not replaced. */
  #unauthorized(problem: string, retryable: boolean): AuthenticationError {
    const { status, issues, detail, body, requestId, mediaType, url } = this.#failure ?? {};
    const came = { status, issues, detail, body, requestId, mediaType, url };
    return this.#error(AuthenticationError, problem, { retryable, ...came });
  }

  /** Waits for the next attempt, or throws the failure if there is none. */
  async #waitForRetry(failure: OutcomeError): Promise<void> {
    const { settings, gate, platform } = this.#context;
    const { name: reason, status, retryAfterMs: askedMs = 0 } = failure;
    const isReplaced = this.#replacesToken(status);
    const before = isReplaced ? this.#replacements++ - 1 : this.#retries++;
    // The first new token is used at once. A service that refuses one token after another must not be called in a loop.
    const waitMs =
      before < 0 ? 0 : askedMs > 0 ? askedMs + gate.jitterMs() : backoffMs(settings.retry, before, platform);
    if (isReplaced) {
      if (waitMs >= this.#leftMs)
        throw this.#unauthorized('The service refused token after token, until the time for this order ended', true);
    } else {
      const sharedMs = this.#sharedPauseMs(failure);
      if (sharedMs > 0) gate.closeFor(sharedMs);
      if (!failure.retryable || before >= this.#settings.maxRetries || waitMs >= this.#leftMs) throw failure;
    }
    const event: RetryEvent = { ...this.#event(), waitMs, reason };
    if (status !== undefined) event.status = status;
    if (failure instanceof ConnectionError) event.failure = failure.failure;
    notify(() => settings.hooks.onRetry?.(event));
    if (waitMs <= 0) return;
    const waiting = this.#wait(waitMs);
    // A batch starts other orders meanwhile.
    await (this.#settings.turnstile?.rest(waiting) ?? waiting);
  }

  /**
   * Returns true if the last attempt ended with 401 and its token is replaced; the attempt is not counted. If two tokens
   * in a row are refused, the second one is replaced only if it was accepted, or may yet be, for an order that
   * was sent before (D35).
   */
  #replacesToken(status: number | undefined): boolean {
    const token = this.#token;
    if (!token) return false;
    const wasRejected = this.#wasRejected;
    this.#wasRejected = status === 401;
    if (status !== 401 || !this.#context.tokens.canRefresh) return false;
    if (wasRejected && !token.isAccepted && !this.#isUndecided) return false;
    this.#rejectedToken = token;
    return true;
  }

  async #wait(ms: number): Promise<void> {
    try {
      await wait(this.#context.platform, ms, this.#settings.signal);
    } catch (cause) {
      throw this.#interrupted(cause, '');
    }
  }

  /** Milliseconds that the service asks all orders to wait; 0 if it does not, or if this order shares no pause (D52). */
  #sharedPauseMs(result: CreatedOrder | OutcomeError | undefined): number {
    if (!(result instanceof OrderIntakeError) || !this.#settings.sharePause) return 0;
    return asksForPause(result.status) ? (result.retryAfterMs ?? 0) : 0;
  }

  // ---------------------------------------------------------------- an attempt

  async #attempt(): Promise<CreatedOrder | OutcomeError> {
    const { turnstile, signal } = this.#settings;
    if (!turnstile) return this.#authorized();
    let turn: Turn;
    try {
      turn = await turnstile.pass(this.#leftMs, signal);
    } catch (cause) {
      throw this.#interrupted(cause, TOO_LATE);
    }
    const sentBefore = this.#attempts;
    let result: CreatedOrder | OutcomeError | undefined;
    try {
      result = await this.#authorized();
      return result;
    } finally {
      const sign = this.#attempts === sentBefore ? 'none' : signOf(result);
      turnstile.leave(turn, this.#request.orderId, sign, this.#sharedPauseMs(result));
    }
  }

  /** Gets a token only when it is the order's turn: a token that waited with the order could expire before it is used. */
  async #authorized(): Promise<CreatedOrder | OutcomeError> {
    this.#token = undefined;
    const token = this.#context.tokens.known(this.#rejectedToken) ?? (await this.#newToken());
    if (token instanceof AuthenticationError) return token;
    this.#token = token;
    token.pending.add(this);
    try {
      const result = await this.#exchange(token.value);
      const { status } = result;
      if (status !== undefined && status !== 401) token.isAccepted = true;
      return result;
    } finally {
      const [earliest] = token.pending;
      this.#isUndecided = earliest !== this;
      token.pending.delete(this);
    }
  }

  async #exchange(token: string): Promise<CreatedOrder | OutcomeError> {
    const { settings, attemptChannel } = this.#context;
    const { orderId, method, path } = this.#request;
    const { signal, timeoutMs } = this.#settings;
    const url = settings.baseUrl + path;
    const attempt = this.#attempts + 1;
    const ms = Math.min(timeoutMs, this.#leftMs);
    let headers: Record<string, string>;
    try {
      headers = headersOf(this.#settings.headers, { orderId, attempt });
    } catch (cause) {
      return this.#unsent(cause);
    }
    // If it is already too late, no request is sent.
    if (!isTraced(attemptChannel) || ms <= 0 || signal?.aborted) return this.#send(url, headers, token, ms);
    return traced<'attempt', CreatedOrder | OutcomeError>(
      attemptChannel,
      { orderId, method, url, attempt, headers: {} },
      (trace) => this.#send(url, { ...headers, ...trace.headers }, token, ms),
      (end) => (end instanceof OrderIntakeError ? { error: traceError(end) } : { result: { status: end.status } }),
    );
  }

  /** Returns the error for headers that can't be sent. The function is called again, like the token function. */
  #unsent(cause: unknown): ConnectionError {
    this.#token = undefined;
    const details = { retryable: true, isSent: false, failure: 'headers function failed', cause };
    return this.#error(ConnectionError, 'The headers function failed, so nothing was sent', details);
  }

  async #send(url: string, headers: Record<string, string>, token: string, ms: number) {
    const { settings, platform, gate } = this.#context;
    const { hooks } = settings;
    const fetch = settings.fetch ?? globalThis.fetch;
    const { body } = this.#request;
    const { signal } = this.#settings;
    const startedAt = platform.now();
    const mayBeThere = this.#mayBeCreated;
    let isSent = false;
    let response: CompleteResponse;
    try {
      response = await withTimeout(platform, ms, signal, (stop) => {
        isSent = true;
        // It may have waited for a token.
        if (this.#isTry) gate.tries();
        this.#attempts++;
        this.#fate.inFlight++;
        notify(() => hooks.onRequest?.(this.#event()));
        return exchange(fetch, url, { headers, token, body, stop });
      });
    } catch (cause) {
      if (isSent) this.#fate.inFlight--;
      const lost = readConnectionError(cause, settings.fetch ? undefined : url);
      const { mayBeCreated, details } = unanswered(isSent && lost.isSent);
      if (mayBeCreated) this.#setMayBeCreated();
      const problem = `The connection to ${new URL(url).host} failed: ${lost.failure}`;
      const error =
        this.#interrupted(cause, isSent ? `The response was not complete within ${secondsOf(ms)}` : TOO_LATE) ??
        this.#error(ConnectionError, problem, { ...details, url, ...lost, cause });
      const durationMs = platform.now() - startedAt;
      const event: RequestErrorEvent = { ...this.#event(), durationMs, reason: error.name };
      if (error instanceof ConnectionError) event.failure = error.failure;
      if (isSent) notify(() => hooks.onError?.(event));
      if (error instanceof AbortedError) throw error;
      return error;
    }
    const { status, requestId } = response;
    this.#fate.inFlight--;
    const durationMs = platform.now() - startedAt;
    const event: ResponseEvent = { ...this.#event(), status, durationMs };
    if (requestId !== undefined) event.requestId = requestId;
    notify(() => hooks.onResponse?.(event));
    try {
      return this.#read(response, mayBeThere);
    } catch (cause) {
      this.#setMayBeCreated();
      const details = { retryable: false, ...cameOf(response), cause };
      return this.#error(UnexpectedResponseError, 'The response could not be read', details);
    }
  }

  /** Another attempt, of this call or another one, may have created the order, or may yet create it. */
  get #isUnknown(): boolean {
    return this.#fate.mayBeStored || this.#fate.inFlight > 0;
  }

  #setMayBeCreated(): void {
    this.#mayBeCreated = true;
    this.#fate.mayBeStored = true;
  }

  /** @param mayBeThere An earlier attempt of this call may have created the order. */
  #read(complete: CompleteResponse, mayBeThere: boolean): CreatedOrder | OutcomeError {
    const { settings, platform } = this.#context;
    const earlierAttempts = this.#isUnknown ? 'unknown' : 'none';
    const result = judged(complete, this.#request, { ...settings, earlierAttempts }, platform);
    if ('Type' in result) {
      if (result.mayBeCreated) this.#setMayBeCreated();
      return this.#error(result.Type, result.problem, result.details);
    }
    // Other calls with the same Id may end with a 409 because of this one.
    this.#fate.mayBeStored = true;
    const { status, response, requestId = null } = complete;
    const { orderId } = this.#request;
    // An empty 200 does not say whether the order is new.
    const alreadyThere = status === 200 && result.order !== null && !mayBeThere;
    return { ...result, orderId, status, attempts: this.#attempts, requestId, response, alreadyThere };
  }

  // ---------------------------------------------------------------- errors and events

  /** Returns the error for an interruption, or undefined for any other cause. */
  #interrupted(cause: unknown, problem: string): AbortedError | TimeoutError | undefined {
    if (!(cause instanceof Interruption)) return undefined;
    if (cause.by === 'timeout') return this.#error(TimeoutError, problem, { retryable: true });
    return this.#error(AbortedError, 'The caller aborted', { retryable: true, cause: this.#settings.signal?.reason });
  }

  #error<Failure extends OutcomeError>(
    Type: new (message: string, details: ErrorDetails) => Failure,
    problem: string,
    details: Pick<ErrorDetails, 'retryable'> & Partial<ErrorDetails>,
  ): Failure {
    const { version, orderId, path } = this.#request;
    const attempts = this.#attempts;
    const outcome = this.#isUnknown ? 'unknown' : 'not-created';
    const all = { orderId, version, attempts, outcome, ...details } as const;
    return new Type(errorMessage(problem, path, all), all);
  }

  #event(): RequestEvent {
    const { method, path, orderId, version } = this.#request;
    return { method, path, orderId, version, attempt: this.#attempts };
  }
}
