import { every, type Platform } from '../../pkg-template/src/platform/platform.js';
import { connectionOf, type PgPool, TimeLimit } from './database.js';

/** How often the connection is asked for a sign of life: one that has fallen silent would never report anything. */
const CHECK_MS = 30_000;
const RETRY_MS = 2000;

interface ListenerOptions {
  platform: Platform;
  pool: PgPool;
  channel: string;
  timeoutMs: number;
  /** Called when another process may have added something. */
  wake(): void;
}

/**
 * Listens on a connection of its own. A failure only lengthens the wait: entries are found without it, too.
 *
 * @returns a function that ends it.
 */
export function listen({ platform, pool, channel, timeoutMs, wake }: ListenerOptions): () => void {
  let isEnded = false;
  /** Ends the current wait. */
  let endWait = () => {};
  void run();
  return () => {
    isEnded = true;
    endWait();
  };

  async function run(): Promise<void> {
    while (!isEnded) {
      await connected().catch(() => {});
      await until((ended) => platform.after(RETRY_MS, ended));
    }
  }

  /** Waits until `ended` is called or the listener ends; `begin` returns a function that cancels the wait. */
  async function until(begin: (ended: () => void) => () => void): Promise<void> {
    if (isEnded) return;
    let cancel = () => {};
    await new Promise<void>((ended) => {
      endWait = ended;
      cancel = begin(ended);
    });
    cancel();
  }

  /** Listens until the connection is lost. */
  async function connected(): Promise<void> {
    const client = await inTime((limit) => limit.connection(connectionOf(pool)));
    const query = (sql: string) => inTime((limit) => limit.wait('a statement', client.query(sql)));
    try {
      await until((lost) => {
        for (const event of ['error', 'end'] as const) client.on(event, lost);
        client.on('notification', wake);
        // Entries that were added before it listened were not announced to it.
        query(`LISTEN ${channel}`).then(wake).catch(lost);
        return every(platform, CHECK_MS, () => void query('SELECT 1').catch(lost));
      });
    } finally {
      client.release(true);
    }
  }

  function inTime<T>(work: (limit: TimeLimit) => Promise<T>): Promise<T> {
    const limit = new TimeLimit(platform, timeoutMs);
    return work(limit).finally(limit.end);
  }
}
