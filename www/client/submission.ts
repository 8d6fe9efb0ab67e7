import { readError, readOrder, type PreparedRequest } from 'sales-order-intake';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  OrderIntakeError,
  ProtocolError,
  RateLimitError,
  TimeoutError,
  type ErrorDetails,
} from './errors.js';
import { exchange, requestIdOf, type Answer } from './exchange.js';
import { tell } from './hooks.js';
import type { Platform } from './platform.js';
import type { RateGate } from './rate-gate.js';
import { refusalOf, type ErrorClass } from './refusal.js';
import { backoffMs, retryAfterMs } from './retry.js';
import type { Settings } from './settings.js';
import type { TokenSource } from './token.js';
import type { Created } from './types.js';
import type { UnsettledOrders } from './unsettled.js';
import { Interruption, wait, within } from './within.js';

/** What the orders of one client share. */
export interface Line {
  settings: Settings;
  tokens: TokenSource;
  gate: RateGate;
  unsettled: UnsettledOrders;
  platform: Platform;
}

const LONGEST_SHOWN_BODY = 10_000;

/** One order on its way: attempts, waits, and what is known of its fate. */
export class Submission {
  readonly #line: Line;
  readonly #request: PreparedRequest;
  readonly #caller: AbortSignal | undefined;
  readonly #endsAt: number;
  #attempts = 0;
  /** An attempt may have landed without an answer that says so, be it one of an earlier call (D31). */
  #mayHaveLanded: boolean;
  /** The one token that was refused and replaced: there is no second replacement (D35). */
  #rejectedToken: string | undefined;
  #failure: OrderIntakeError | undefined;

  constructor(line: Line, request: PreparedRequest, caller: AbortSignal | undefined) {
    this.#line = line;
    this.#request = request;
    this.#caller = caller;
    this.#mayHaveLanded = line.unsettled.has(request.orderId);
    this.#endsAt = line.platform.now() + line.settings.totalTimeoutMs;
  }

  /** Tries until the service has answered for good, or attempts or time are used up. */
  async run(): Promise<Created> {
    const { gate, tokens, unsettled } = this.#line;
    const { orderId } = this.#request;
    try {
      for (;;) {
        if (gate.waitMs > 0) await this.#passGate();
        const token = tokens.known(this.#rejectedToken) ?? (await this.#newToken());
        const result = await this.#attempt(token);
        if (!(result instanceof OrderIntakeError)) {
          unsettled.delete(orderId);
          return result;
        }
        this.#failure = result;
        await this.#beforeNextAttempt(result, token);
      }
    } catch (error) {
      if (this.#mayHaveLanded) unsettled.add(orderId);
      throw error;
    }
  }

  get #leftMs(): number {
    return this.#endsAt - this.#line.platform.now();
  }

  // ---------------------------------------------------------------- before an attempt

  /** A pause that doesn't fit into the time that is left is not begun. */
  async #passGate(): Promise<void> {
    const { gate } = this.#line;
    while (gate.waitMs > 0) {
      if (gate.waitMs >= this.#leftMs) throw this.#failure ?? this.#heldBack(gate.waitMs);
      await this.#wait(gate.waitMs);
    }
  }

  #heldBack(ms: number): OrderIntakeError {
    const why = `the service has asked for a pause of ${seconds(ms)} more, longer than the time for this order`;
    return this.#error(RateLimitError, why, { retryable: true, retryAfterMs: ms });
  }

  async #newToken(): Promise<string> {
    const { tokens, platform } = this.#line;
    const rejected = this.#rejectedToken;
    let token: string;
    try {
      token = await tokens.ask(rejected, platform, this.#leftMs, this.#caller);
    } catch (cause) {
      const stopped = this.#stopped(cause, 'there was no token in time');
      throw stopped ?? this.#error(AuthenticationError, 'there is no token', { retryable: true, cause });
    }
    if (token !== rejected) return token;
    const { status, issues, body } = this.#failure ?? {};
    throw this.#error(AuthenticationError, 'the service refused the token, and the provider gave the same one again', {
      retryable: false,
      status,
      issues,
      body,
    });
  }

  /** Waits for the next attempt, or throws the failure where there is none. */
  async #beforeNextAttempt(failure: OrderIntakeError, token: string): Promise<void> {
    const { settings, gate, tokens, platform } = this.#line;
    let waitMs = 0;
    if (failure.status === 401 && tokens.canRefresh && this.#rejectedToken === undefined) {
      this.#rejectedToken = token;
    } else {
      // The one after a 401 comes on top.
      const counted = this.#attempts - (this.#rejectedToken === undefined ? 0 : 1);
      waitMs = failure.retryAfterMs ?? backoffMs(settings.retry, counted - 1, platform);
      if (failure.status === 429) gate.closeFor(waitMs);
      if (!failure.retryable || counted >= settings.retry.attempts || waitMs >= this.#leftMs) throw failure;
    }
    const { name: reason, status } = failure;
    tell(() => settings.hooks.onRetry?.({ ...this.#event(), waitMs, reason, ...(status === undefined ? {} : { status }) }));
    if (waitMs > 0) await this.#wait(waitMs);
  }

  async #wait(ms: number): Promise<void> {
    try {
      await wait(this.#line.platform, ms, this.#caller);
    } catch (cause) {
      throw this.#stopped(cause, '');
    }
  }

  // ---------------------------------------------------------------- an attempt

  async #attempt(token: string): Promise<Created | OrderIntakeError> {
    const { settings, platform } = this.#line;
    const fetch = settings.fetch ?? globalThis.fetch;
    const { body, path } = this.#request;
    const ms = Math.min(settings.timeoutMs, this.#leftMs);
    const startedAt = platform.now();
    let isSent = false;
    let answer: Answer;
    try {
      answer = await within(platform, ms, this.#caller, (stop) => {
        isSent = true;
        this.#attempts++;
        tell(() => settings.hooks.onRequest?.(this.#event()));
        return exchange(fetch, settings.baseUrl + path, { token, body, stop });
      });
    } catch (cause) {
      this.#mayHaveLanded ||= isSent;
      const stopped = this.#stopped(cause, `there was no complete answer within ${seconds(ms)}`);
      if (stopped instanceof AbortedError) throw stopped;
      return stopped ?? this.#error(ConnectionError, 'the connection could not be made, or was lost', { retryable: true, cause });
    }
    const durationMs = platform.now() - startedAt;
    tell(() => settings.hooks.onResponse?.({ ...this.#event(), status: answer.status, durationMs, ...requestIdOf(answer) }));
    return this.#resultOf(answer);
  }

  /** A refusal proves that this attempt created nothing; any other answer that isn't a success proves nothing (D31). */
  #resultOf(answer: Answer): Created | OrderIntakeError {
    const { status } = answer;
    const isRefusal = status >= 400 && status < 500 && status !== 408;
    this.#mayHaveLanded ||= !isRefusal;
    try {
      return status >= 200 && status < 300 ? this.#created(answer) : this.#refused(answer);
    } catch (cause) {
      // The core failed, not the order.
      return this.#error(ProtocolError, 'the answer could not be read', { retryable: false, status, cause });
    }
  }

  #created({ status, body, response }: Answer): Created | OrderIntakeError {
    const { orderId } = this.#request;
    const { order, issues } = readOrder(body);
    if (order?.Id && order.Id !== orderId) {
      const why = `the service answered ${status} with the order of another id`;
      return this.#error(ProtocolError, why, { retryable: false, status, body: body.slice(0, LONGEST_SHOWN_BODY) });
    }
    return { order, orderId, status, attempts: this.#attempts, issues: [...this.#request.issues, ...issues], response };
  }

  #refused({ status, body, response }: Answer): OrderIntakeError {
    const asksToWait = retryAfterMs(response.headers, this.#line.platform);
    const { Type, why, retryable } = refusalOf(status, this.#mayHaveLanded);
    const pause = asksToWait === undefined ? '' : ` and asks to wait ${seconds(asksToWait)}`;
    return this.#error(Type, why + pause, {
      retryable,
      // 0 is none: a redirect, as a browser shows it.
      status: status || undefined,
      retryAfterMs: asksToWait,
      issues: readError(body).issues,
      body: body.slice(0, LONGEST_SHOWN_BODY),
    });
  }

  // ---------------------------------------------------------------- errors

  /** The error for an interruption; undefined for any other cause. */
  #stopped(cause: unknown, late: string): OrderIntakeError | undefined {
    if (!(cause instanceof Interruption)) return undefined;
    if (cause.by === 'time') return this.#error(TimeoutError, late, { retryable: true });
    return this.#error(AbortedError, 'aborted by the caller', { retryable: true, cause: this.#caller?.reason });
  }

  /** Nothing of the order in the message but its id: it may be logged (D45). */
  #error(Type: ErrorClass, why: string, details: Pick<ErrorDetails, 'retryable'> & Partial<ErrorDetails>): OrderIntakeError {
    const { version, orderId, path } = this.#request;
    const attempts = this.#attempts;
    const outcome = this.#mayHaveLanded ? 'unknown' : 'not-created';
    const fate = this.#mayHaveLanded ? 'it is not known whether the order was created' : 'the order was not created';
    const message = `${why}; PUT ${path}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${fate}`;
    return new Type(message, { orderId, version, attempts, outcome, ...details });
  }

  #event() {
    const { method, path, orderId, version } = this.#request;
    return { method, path, orderId, version, attempt: this.#attempts };
  }
}

/** For messages. */
function seconds(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms / 100) / 10} s`;
}
