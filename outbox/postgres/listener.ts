import { every, type Platform } from '../../www/platform/platform.js';
import { type PgClient, type PgPool, TimeLimit } from './database.js';

/** How often the connection is asked for a sign of life: one that has fallen silent would never report anything. */
const CHECK_MS = 30_000;
const RETRY_MS = 2000;

export interface ListenerOptions {
  platform: Platform;
  pool: PgPool;
  channel: string;
  timeoutMs: number;
  /** Called when another process may have added something. */
  wake(): void;
}

/** Listens on a connection of its own. Whatever fails only lengthens the wait: entries are found without it, too. */
export class Listener {
  readonly #options: ListenerOptions;
  #isEnded = false;
  /** Ends the wait that goes on now. */
  #wait: () => void = () => {};

  constructor(options: ListenerOptions) {
    this.#options = options;
    void this.#run();
  }

  end(): void {
    this.#isEnded = true;
    this.#wait();
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      await this.#listen().catch(() => {});
      await this.#until((ended) => this.#options.platform.after(RETRY_MS, ended));
    }
  }

  /** Waits for the end, or for what comes before; `begin` returns what cancels it. */
  async #until(begin: (ended: () => void) => () => void): Promise<void> {
    if (this.#isEnded) return;
    let cancel = () => {};
    await new Promise<void>((ended) => {
      this.#wait = ended;
      cancel = begin(ended);
    });
    cancel();
  }

  /** Listens until the connection is lost. */
  async #listen(): Promise<void> {
    const { platform, pool, channel, wake } = this.#options;
    const connecting = pool.connect();
    const client = await this.#inTime(connecting).catch((error: unknown) => {
      // One that comes too late goes back.
      connecting.then((late) => late.release()).catch(() => {});
      throw error;
    });
    try {
      await this.#until((lost) => {
        for (const event of ['error', 'end'] as const) client.on(event, lost);
        client.on('notification', wake);
        // What was added before it listened was not announced to it.
        this.#query(client, `LISTEN ${channel}`).then(wake).catch(lost);
        return every(platform, CHECK_MS, () => void this.#query(client, 'SELECT 1').catch(lost));
      });
    } finally {
      client.release(true);
    }
  }

  async #query(client: PgClient, sql: string): Promise<void> {
    await this.#inTime(client.query(sql));
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const limit = new TimeLimit(this.#options.platform, this.#options.timeoutMs);
    return limit.wait('a connection that listens', answer).finally(limit.end);
  }
}
