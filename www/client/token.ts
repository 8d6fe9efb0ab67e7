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

/** The token function did not return in time. */
export class TokenTimeout extends Error {
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
      throw new TokenTimeout(`The token function did not return within ${secondsOf(ms)}`);
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
    if (!isToken(value)) throw new TypeError(`the token function must return ${TOKEN_FORM}`);
    return tokenOf(value);
  }
}

function tokenOf(value: string): Token {
  return { value, isAccepted: false, pending: new Set() };
}
