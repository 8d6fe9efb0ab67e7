import { notify } from '../platform/notify.js';
import type { Platform } from '../platform/platform.js';
import { Interruption, wait, withTimeout } from '../platform/timeout.js';
import { isTraced, traced, traceError, type TracingChannel } from '../platform/tracing-channel.js';
import { backoffMs } from '../sending/backoff.js';
import { readConnectionError } from '../sending/connection.js';
import type { Turn } from '../sending/gate.js';
import { asksForPause } from '../sending/pause.js';
import type { OrderRequest } from '../sending/request.js';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  OrderIntakeError,
  RateLimitError,
  TimeoutError,
  UnexpectedResponseError,
  type ErrorDetails,
  type OutcomeError,
} from './errors.js';
import { exchange, type CompleteResponse } from './exchange.js';
import { headersOf } from './headers.js';
import { errorMessage, secondsOf } from './message.js';
import type { OrderFate, OrderFates } from './order-fates.js';
import type { RateGate } from './rate-gate.js';
import { cameOf, readCreated, refusalOf, signOf } from './response.js';
import type { RequestErrorEvent, RequestEvent, ResponseEvent, RetryEvent } from './options.js';
import type { CreatedOrder } from './results.js';
import type { ClientSettings, SendSettings } from './settings.js';
import type { TokenSource } from './token.js';

/** What all orders of a client share. */
export interface ClientContext {
  settings: ClientSettings;
  tokens: TokenSource;
  gate: RateGate;
  fates: OrderFates;
  platform: Platform;
  channels: { order: TracingChannel | undefined; attempt: TracingChannel | undefined };
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
  /** The token that was rejected and replaced. It is replaced only once (D35). */
  #rejectedToken: string | undefined;
  #failure: OutcomeError | undefined;

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
    const { tokens, fates } = this.#context;
    let isCreated = false;
    try {
      for (;;) {
        const waitMs = this.#gateMs;
        if (waitMs > 0) await this.#passGate(waitMs);
        const token = tokens.known(this.#rejectedToken) ?? (await this.#newToken());
        const result = typeof token === 'string' ? await this.#attempt(token) : token;
        if (!(result instanceof OrderIntakeError)) {
          isCreated = true;
          return result;
        }
        this.#failure = result;
        await this.#waitForRetry(result, token);
      }
    } finally {
      fates.leave(this.#request.orderId, this.#fate, isCreated);
    }
  }

  get #leftMs(): number {
    return this.#endsAt - this.#context.platform.now();
  }

  // ---------------------------------------------------------------- before an attempt

  /** Milliseconds that the gate holds the next attempt back. */
  get #gateMs(): number {
    const { gate } = this.#context;
    // The wait of a retry is random already.
    return !this.#settings.sharePause || (this.#failure && gate.pauseMs === 0) ? 0 : gate.delayMs();
  }

  /** Does not start a pause that is longer than the time left. */
  async #passGate(waitMs: number): Promise<void> {
    const { gate } = this.#context;
    for (let ms = waitMs; ms > 0; ) {
      if (gate.pauseMs >= this.#leftMs) throw this.#failure ?? this.#heldBack(gate.pauseMs);
      await this.#wait(ms);
      ms = gate.pauseMs > 0 ? gate.delayMs() : 0;
    }
  }

  #heldBack(ms: number): RateLimitError {
    const problem = `The service has asked for a pause of another ${secondsOf(ms)}, longer than the time for this order`;
    return this.#error(RateLimitError, problem, { retryable: true, retryAfterMs: ms });
  }

  /** Returns an error if the token function failed: it is called again, like a request is sent again (D33). */
  async #newToken(): Promise<string | AuthenticationError> {
    const { tokens, platform } = this.#context;
    const rejected = this.#rejectedToken;
    let token: string;
    try {
      token = await tokens.ask(rejected, platform, this.#leftMs, this.#settings.signal);
    } catch (cause) {
      const interrupted = this.#interrupted(cause, 'There was no token in time');
      if (interrupted) throw interrupted;
      return this.#error(AuthenticationError, 'The token function failed', { retryable: true, cause });
    }
    if (token !== rejected) return token;
    const { status, issues, detail, body, requestId, mediaType, url } = this.#failure ?? {};
    const problem = 'The service refused the token, and the token function returned the same token again';
    const details = { retryable: false, status, issues, detail, body, requestId, mediaType, url };
    throw this.#error(AuthenticationError, problem, details);
  }

  /** Waits for the next attempt, or throws the failure if there is none. */
  async #waitForRetry(failure: OutcomeError, token: string | AuthenticationError): Promise<void> {
    const { settings, gate, tokens, platform } = this.#context;
    const { name: reason, status, retryAfterMs: askedMs = 0 } = failure;
    let waitMs = 0;
    if (status === 401 && typeof token === 'string' && tokens.canRefresh && this.#rejectedToken === undefined) {
      // The attempt with a new token is not counted.
      this.#rejectedToken = token;
    } else {
      const retries = this.#retries++;
      waitMs = askedMs > 0 ? askedMs + gate.jitterMs() : backoffMs(settings.retry, retries, platform);
      const sharedMs = this.#sharedPauseMs(failure);
      if (sharedMs > 0) gate.closeFor(sharedMs);
      if (!failure.retryable || retries >= this.#settings.maxRetries || waitMs >= this.#leftMs) throw failure;
    }
    const event: RetryEvent = { ...this.#event(), waitMs, reason };
    if (status !== undefined) event.status = status;
    if (failure instanceof ConnectionError) event.failure = failure.failure;
    notify(() => settings.hooks.onRetry?.(event));
    if (waitMs > 0) await this.#rest(waitMs);
  }

  async #wait(ms: number): Promise<void> {
    try {
      await wait(this.#context.platform, ms, this.#settings.signal);
    } catch (cause) {
      throw this.#interrupted(cause, '');
    }
  }

  /** Waits for a retry. A batch starts other orders meanwhile. */
  async #rest(ms: number): Promise<void> {
    const waiting = this.#wait(ms);
    return this.#settings.turnstile?.rest(waiting) ?? waiting;
  }

  /** Milliseconds that the service asks all orders to wait; 0 if it does not, or if this order shares no pause (D52). */
  #sharedPauseMs(result: CreatedOrder | OutcomeError | undefined): number {
    if (!(result instanceof OrderIntakeError) || !this.#settings.sharePause) return 0;
    return asksForPause(result.status) ? (result.retryAfterMs ?? 0) : 0;
  }

  // ---------------------------------------------------------------- an attempt

  async #attempt(token: string): Promise<CreatedOrder | OutcomeError> {
    const { turnstile, signal } = this.#settings;
    if (!turnstile) return this.#exchange(token);
    let turn: Turn;
    try {
      turn = await turnstile.pass(this.#leftMs, signal);
    } catch (cause) {
      throw this.#interrupted(cause, TOO_LATE);
    }
    let result: CreatedOrder | OutcomeError | undefined;
    try {
      result = await this.#exchange(token);
      return result;
    } finally {
      turnstile.leave(turn, this.#request.orderId, signOf(result), this.#sharedPauseMs(result));
    }
  }

  #exchange(token: string): Promise<CreatedOrder | OutcomeError> {
    const { settings, channels } = this.#context;
    const { orderId, method, path } = this.#request;
    const { signal, timeoutMs } = this.#settings;
    const url = settings.baseUrl + path;
    const attempt = this.#attempts + 1;
    const headers = headersOf(this.#settings.headers, { orderId, attempt });
    const ms = Math.min(timeoutMs, this.#leftMs);
    // If it is too late already, there is no request.
    if (!isTraced(channels.attempt) || ms <= 0 || signal?.aborted) return this.#send(url, headers, token, ms);
    return traced<'attempt', CreatedOrder | OutcomeError>(
      channels.attempt,
      { orderId, method, url, attempt, headers: {} },
      (trace) => this.#send(url, { ...headers, ...trace.headers }, token, ms),
      (end) => (end instanceof OrderIntakeError ? { error: traceError(end) } : { result: { status: end.status } }),
    );
  }

  async #send(url: string, headers: Record<string, string>, token: string, ms: number) {
    const { settings, platform } = this.#context;
    const { hooks } = settings;
    const fetch = settings.fetch ?? globalThis.fetch;
    const { body } = this.#request;
    const { signal } = this.#settings;
    const startedAt = platform.now();
    const mayBeCreated = this.#mayBeCreated;
    let isSent = false;
    let response: CompleteResponse;
    try {
      response = await withTimeout(platform, ms, signal, (stop) => {
        isSent = true;
        this.#attempts++;
        this.#fate.inFlight++;
        notify(() => hooks.onRequest?.(this.#event()));
        return exchange(fetch, url, { headers, token, body, stop });
      });
    } catch (cause) {
      if (isSent) this.#fate.inFlight--;
      const lost = readConnectionError(cause);
      if (isSent && lost.isSent) this.#setMayBeCreated();
      const problem = `The connection to ${new URL(url).host} failed: ${lost.failure}`;
      const error =
        this.#interrupted(cause, isSent ? `The response was not complete within ${secondsOf(ms)}` : TOO_LATE) ??
        this.#error(ConnectionError, problem, { retryable: true, url, ...lost, cause });
      const event: RequestErrorEvent = {
        ...this.#event(),
        durationMs: platform.now() - startedAt,
        reason: error.name,
      };
      if (error instanceof ConnectionError) event.failure = error.failure;
      if (isSent) notify(() => hooks.onError?.(event));
      if (error instanceof AbortedError) throw error;
      return error;
    }
    const { status, requestId } = response;
    this.#fate.inFlight--;
    // A 4xx proves that this attempt created nothing; no other status proves anything (D31).
    if (status < 400 || status >= 500 || status === 408) this.#setMayBeCreated();
    const durationMs = platform.now() - startedAt;
    const event: ResponseEvent = { ...this.#event(), status, durationMs };
    if (requestId !== undefined) event.requestId = requestId;
    notify(() => hooks.onResponse?.(event));
    try {
      return status >= 200 && status < 300
        ? this.#created(response, mayBeCreated)
        : this.#error(...refusalOf(response, platform));
    } catch (cause) {
      const details = { retryable: false, ...cameOf(response), cause };
      return this.#error(UnexpectedResponseError, 'The response could not be read', details);
    }
  }

  #setMayBeCreated(): void {
    this.#mayBeCreated = true;
    this.#fate.mayBeStored = true;
  }

  /** @param mayBeCreated An earlier attempt of this call may have created the order. */
  #created(complete: CompleteResponse, mayBeCreated: boolean): CreatedOrder | OutcomeError {
    const { status, response, requestId = null } = complete;
    const { orderId } = this.#request;
    const proof = readCreated(complete, this.#request, this.#context.settings.acceptEmptyBody);
    if (typeof proof === 'string') {
      const problem = `The service responded with ${status} and ${proof}, which does not prove that the order was created`;
      return this.#error(UnexpectedResponseError, problem, { retryable: true, ...cameOf(complete) });
    }
    // A 200 without a body, which only `acceptEmptyBody` permits, does not say whether the order is new.
    const alreadyThere = status === 200 && proof.order !== null && !mayBeCreated;
    return { ...proof, orderId, status, attempts: this.#attempts, requestId, response, alreadyThere };
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
    const outcome = this.#fate.mayBeStored || this.#fate.inFlight > 0 ? 'unknown' : 'not-created';
    const all = { orderId, version, attempts, outcome, ...details } as const;
    return new Type(errorMessage(problem, path, all), all);
  }

  #event(): RequestEvent {
    const { method, path, orderId, version } = this.#request;
    return { method, path, orderId, version, attempt: this.#attempts };
  }
}
