import type { Platform } from './platform.js';
import type { ClientOptions, TokenProvider } from './types.js';
import { within } from './within.js';

/** What a token is. Tokens themselves are never in a message (D45). */
export const TOKEN_FORM = "the bearer token alone, as text without blanks, line breaks and 'Bearer'";

/** Visible ASCII: all that a token may be made of, and nothing that a header can't hold. */
export function isTokenText(token: unknown): token is string {
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token);
}

/** One call of the provider, for all who wait for it. */
interface Asking {
  token: Promise<string>;
  controller: AbortController;
  waiting: number;
}

/**
 * The token of a client. Exchanging a token may revoke the one in use, so the provider is called as rarely as can be:
 * once at first, and once for each refused token, however many orders it was refused to (D35).
 */
export class TokenSource {
  readonly #provider: TokenProvider | undefined;
  #current: string | undefined;
  #asking: Asking | undefined;

  constructor(token: ClientOptions['token']) {
    if (typeof token === 'string') this.#current = token;
    else this.#provider = token;
  }

  /** Whether a refused token can be replaced. */
  get canRefresh(): boolean {
    return this.#provider !== undefined;
  }

  /** The token in use, unless it is the one that was refused. */
  known(rejected: string | undefined): string | undefined {
    return this.#current === rejected ? undefined : this.#current;
  }

  /**
   * Asks the provider, or waits with those who have asked.
   *
   * @throws what the provider throws; an Interruption.
   */
  async ask(rejected: string | undefined, platform: Platform, ms: number, caller: AbortSignal | undefined): Promise<string> {
    this.#current = undefined;
    const asking = (this.#asking ??= this.#call(rejected));
    asking.waiting++;
    try {
      return await within(platform, ms, caller, () => asking.token);
    } finally {
      // Nobody is left: a provider that hangs must not hold up those who come later.
      if (--asking.waiting === 0 && this.#asking === asking) {
        this.#asking = undefined;
        asking.controller.abort();
      }
    }
  }

  #call(rejected: string | undefined): Asking {
    const controller = new AbortController();
    const context = { ...(rejected === undefined ? {} : { rejected }), signal: controller.signal };
    const asking: Asking = { token: this.#provide(context), controller, waiting: 0 };
    const settled = (token?: string) => {
      if (this.#asking !== asking) return;
      this.#asking = undefined;
      this.#current = token;
    };
    asking.token.then(settled, () => settled());
    return asking;
  }

  async #provide(context: Parameters<TokenProvider>[0]): Promise<string> {
    const token: unknown = await this.#provider?.(context);
    if (!isTokenText(token)) throw new TypeError(`the token provider is to give ${TOKEN_FORM}`);
    return token;
  }
}
