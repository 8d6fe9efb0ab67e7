import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { secondsOf } from './message.js';
import { isToken, TOKEN_FORM } from '../../pkg-template/src/options/check.js';
import type { TokenContext, TokenProvider } from './options.js';
import type { ClientSettings } from './settings.js';
import { Interruption, withTimeout } from '../../pkg-template/src/platform/timeout.js';

/** A token, shared by all orders that are sent with it. */
export interface Token {
  readonly value: string;
  /**
   * The service has responded to an order with this token with another status than 401: if it refuses the token later, the
   * token has expired (D35).
   */
  isAccepted: boolean;
  /** The orders that were sent with it and have no response yet, in the order in which they were sent. */
  readonly pending: Set<object>;
}

/** The token function did not return in time, or returned no token. The message has nothing that the function threw. */
export class TokenProblem extends Error {
  /** Works for any value that the token function may throw. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return #brand in Object(value);
  }

  readonly #brand = true;
}

/** A call of the token function, shared by all orders that wait for it. */
interface Asking {
  token: Promise<Token>;
  controller: AbortController;
  waiting: number;
}

/**
 * The token of a client. Getting a new token may revoke the one in use, so the function is called as rarely as possible:
 * once at the beginning, and once for each refused token, however many orders were sent with it (D35).
 */
export class TokenSource {
  readonly #platform: Platform;
  readonly #provider: TokenProvider | undefined;
  readonly #timeoutMs: number;
  #current: Token | undefined;
  #asking: Asking | undefined;

  constructor(platform: Platform, { token, tokenTimeoutMs }: Pick<ClientSettings, 'token' | 'tokenTimeoutMs'>) {
    this.#platform = platform;
    this.#timeoutMs = tokenTimeoutMs;
    if (typeof token === 'string') this.#current = tokenOf(token);
    else this.#provider = token;
  }

  /** Returns true if a rejected token can be replaced. */
  get canRefresh(): boolean {
    return this.#provider !== undefined;
  }

  /** Returns the token in use, or undefined if there is none or it is the rejected one. */
  known(rejected: Token | undefined): Token | undefined {
    return this.#current?.value === rejected?.value ? undefined : this.#current;
  }

  /**
   * Calls the function, or waits for the call that is running.
   *
   * @throws the error of the function; an error if it does not return in time; an Interruption.
   */
  async ask(rejected: Token | undefined, ms: number, caller: AbortSignal | undefined): Promise<Token> {
    this.#current = undefined;
    const asking = (this.#asking ??= this.#call(rejected));
    asking.waiting++;
    try {
      return await withTimeout(this.#platform, ms, caller, () => asking.token);
    } finally {
      // Nobody waits any more. A call that never returns must not hold up later orders.
      if (--asking.waiting === 0 && this.#asking === asking) {
        this.#asking = undefined;
        asking.controller.abort();
      }
    }
  }

  #call(rejected: Token | undefined): Asking {
    const controller = new AbortController();
    const { signal } = controller;
    const ms = this.#timeoutMs;
    // The orders that wait share the time of the call: it ends for all of them, and the next one calls again.
    const token = withTimeout(this.#platform, ms, signal, () =>
      this.#provide(rejected ? { rejected: rejected.value, signal } : { signal }),
    ).catch((error: unknown) => {
      if (!(error instanceof Interruption)) throw error;
      controller.abort();
      throw new TokenProblem(`The token function did not return within ${secondsOf(ms)}`);
    });
    const asking: Asking = { token, controller, waiting: 0 };
    const end = (received?: Token) => {
      if (this.#asking !== asking) return;
      this.#asking = undefined;
      this.#current = received;
    };
    asking.token.then(end, () => end());
    return asking;
  }

  async #provide(context: TokenContext): Promise<Token> {
    const value: unknown = await this.#provider?.(context);
    if (!isToken(value)) throw new TokenProblem(`The token function must return ${TOKEN_FORM}`);
    return tokenOf(value);
  }
}

/** The tokens that one order is sent with (D35). */
export class OrderToken {
  readonly #source: TokenSource;
  /** The token of the last attempt; undefined if that was not sent. */
  #last: Token | undefined;
  /** The last token that was rejected and replaced. */
  #rejected: Token | undefined;
  /** An order that was sent before with the same token has no response yet. */
  #isUndecided = false;
  /** The last attempt ended with 401. */
  #wasRejected = false;
  #replacements = 0;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** The number of tokens that were replaced. */
  get replacements(): number {
    return this.#replacements;
  }

  /** Begins an attempt. Returns the token in use; undefined if there is none, or it was rejected. */
  begin(): Token | undefined {
    this.#last = undefined;
    return this.#source.known(this.#rejected);
  }

  /**
   * Gets a token from the function; undefined if that returns the rejected one again.
   *
   * @throws like {@link TokenSource.ask}.
   */
  async ask(ms: number, signal: AbortSignal | undefined): Promise<Token | undefined> {
    const token = await this.#source.ask(this.#rejected, ms, signal);
    return token.value === this.#rejected?.value ? undefined : token;
  }

  /** Sends the order with a token, and records what the response says about it. */
  async use<Result extends { status?: number | undefined }>(
    token: Token,
    send: () => Promise<Result>,
  ): Promise<Result> {
    this.#last = token;
    token.pending.add(this);
    try {
      const result = await send();
      const { status } = result;
      if (status !== undefined && status !== 401) token.isAccepted = true;
      return result;
    } finally {
      const [earliest] = token.pending;
      this.#isUndecided = earliest !== this;
      token.pending.delete(this);
    }
  }

  /**
   * Returns true if the last attempt ended with 401 and its token is replaced; the attempt is not counted. If two tokens
   * are refused in a row, the second one is replaced only if it was accepted, or may yet be, for an order that
   * was sent before.
   */
  replace(status: number | undefined): boolean {
    const token = this.#last;
    if (!token) return false;
    const wasRejected = this.#wasRejected;
    this.#wasRejected = status === 401;
    if (status !== 401 || !this.#source.canRefresh) return false;
    if (wasRejected && !token.isAccepted && !this.#isUndecided) return false;
    this.#rejected = token;
    this.#replacements++;
    return true;
  }
}

function tokenOf(value: string): Token {
  return { value, isAccepted: false, pending: new Set() };
}
