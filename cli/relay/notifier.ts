/** Tells the shop what became of its orders, as Standard Webhooks says: https://www.standardwebhooks.com */
import { createHmac } from 'node:crypto';
import type { SettledEntry } from 'sales-order-intake/outbox';
import { isLoopback } from '../../pkg-template/src/options/base-url.js';
import { readConnectionError, watchConnections } from '../../pkg-template/src/sending/connection.js';
import { LONGEST_PAUSE_MS } from '../../pkg-template/src/sending/waits.js';
import { fileText } from '../arguments/base-url-and-token.js';
import type { Invocation } from '../arguments/invocation.js';
import { usageProblem } from '../problem.js';
import { stateOf } from './responses.js';

/** What the specification recommends. */
const TIMEOUT_MS = 15_000;
/** Requests at a time. The requests of one order have the same lane, so they are in order. */
const LANES = 8;
/** How long a call waits for its turn. */
const PATIENCE_MS = 4000;
/** What the outbox gives its handler, and after what it calls it again. */
export const HANDLER_MS = 20_000;
/** After as many failures in a row it is the receiver that fails, not an order. */
const MOST_FAILURES = 3;
const FIRST_PAUSE_MS = 5000;
const LONGEST_BACKOFF_MS = 300_000;

/** The result of a request, for the log and the metrics. */
interface Notification {
  orderId: string;
  reference: string | null;
  /** Null if there was no response. */
  status: number | null;
  /** Null if the receiver took it. */
  failure: string | null;
  /** How long no other request is made. */
  pauseMs: number;
}

/** The receiver of `--notify`. */
interface Receiver {
  url: string;
  /** Each signs every request. */
  keys: readonly Buffer[];
}

/** Posts settled orders to one receiver. Whatever it refuses is called again by the outbox. */
export class Notifier {
  readonly #receiver: Receiver;
  readonly #report: (notification: Notification) => void;
  readonly #mostCalls: number;
  /** The last call of each lane. */
  readonly #lanes = new Map<number, Promise<void>>();
  #calls = 0;
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #running = 0;
  #againAt = 0;

  /** @param concurrency That of the outbox, which sends no orders while 8 times as many calls have not returned. */
  constructor(receiver: Receiver, concurrency: number, report: (notification: Notification) => void) {
    watchConnections();
    this.#receiver = receiver;
    this.#mostCalls = 6 * concurrency;
    this.#report = report;
  }

  /** Why no requests are made now, or null. After 410 none are made until the next start. */
  get pause(): 'gone' | 'failing' | null {
    if (this.#againAt === Number.POSITIVE_INFINITY) return 'gone';
    // After failures, one request finds out whether the receiver is back.
    const isBusy = this.#failures >= MOST_FAILURES && this.#running > 0;
    return isBusy || this.#againAt > performance.now() ? 'failing' : null;
  }

  /** Resolves when the receiver has taken it. Rejects otherwise; at once if the receiver is in trouble or has too much to do. */
  async notify(entry: SettledEntry): Promise<void> {
    if (this.#calls >= this.#mostCalls) throw new Error('busy');
    const lane = Number.parseInt(entry.orderId.slice(-1), 16) % LANES;
    const endsAt = performance.now() + PATIENCE_MS;
    const call = (this.#lanes.get(lane) ?? Promise.resolve()).then(() => this.#post(entry, endsAt));
    this.#calls++;
    this.#lanes.set(
      lane,
      call.catch(() => {}),
    );
    return call.finally(() => this.#calls--);
  }

  async #post(entry: SettledEntry, endsAt: number): Promise<void> {
    if (this.pause || performance.now() > endsAt) throw new Error(this.pause ?? 'busy');
    this.#running++;
    const startedAt = performance.now();
    const { status, failure, askedMs } = await this.#request(entry);
    this.#running--;
    if (failure === null) this.#failures = 0;
    else {
      // Requests that ran while one failed make no pause longer.
      if (this.#failures < MOST_FAILURES || startedAt > this.#failedAt) this.#failures++;
      this.#failedAt = performance.now();
    }
    const pauseMs = status === 410 ? Number.POSITIVE_INFINITY : Math.max(askedMs, this.#backoffMs);
    this.#againAt = Math.max(this.#againAt, performance.now() + pauseMs);
    const { orderId, reference } = entry;
    this.#report({ orderId, reference, status, failure, pauseMs });
    if (failure !== null) throw new Error(failure);
  }

  get #backoffMs(): number {
    if (this.#failures < MOST_FAILURES) return 0;
    const backoffMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - MOST_FAILURES), LONGEST_BACKOFF_MS);
    return Math.round(backoffMs * (0.5 + Math.random() / 2));
  }

  async #request(entry: SettledEntry): Promise<{ status: number | null; failure: string | null; askedMs: number }> {
    const { orderId, state, settledAt } = entry;
    const { url, keys } = this.#receiver;
    const body = JSON.stringify({ type: `order.${state}`, timestamp: settledAt, data: stateOf(entry) });
    // The same for each repetition, another one if the order is settled again.
    const id = `msg_${orderId}_${settledAt?.getTime()}`;
    const timestamp = `${Math.floor(Date.now() / 1000)}`;
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': keys.map((key) => signatureOf(key, `${id}.${timestamp}.${body}`)).join(' '),
    };
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      void response.body?.cancel().catch(() => {});
      const { status, ok } = response;
      if (ok) return { status, failure: null, askedMs: 0 };
      const failure = status === 410 ? 'gone: nothing is posted until the next start' : 'not 2xx';
      return { status, failure, askedMs: pauseAskedBy(response) };
    } catch (error) {
      const isLate = (error as Error).name === 'TimeoutError';
      const failure = isLate ? `no response within ${TIMEOUT_MS / 1000} s` : readConnectionError(error, url).failure;
      return { status: null, failure, askedMs: 0 };
    }
  }
}

function signatureOf(key: Buffer, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

function pauseAskedBy({ headers }: Response): number {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Math.min(Math.max(ms || 0, 0), LONGEST_PAUSE_MS);
}

/** Returns the receiver, or undefined without the flags. @throws Problem if a flag is wrong. */
export async function receiverOf(invocation: Invocation): Promise<Receiver | undefined> {
  const [url, file] = [invocation.text('notify'), invocation.text('notify-secret-file')];
  if (url === undefined && file === undefined) return undefined;
  if (url === undefined || file === undefined)
    throw usageProblem('--notify URL and --notify-secret-file FILE need each other');
  const { protocol, hostname, username, password, hash } = URL.canParse(url) ? new URL(url) : ({} as Partial<URL>);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname ?? ''));
  if (!isSafe || username || password || hash)
    throw usageProblem('--notify must be https, or http on a loopback address, without a password and a fragment');
  const keys = (await fileText(file)).split(/\s+/).map((secret) => keyOf(secret, file));
  return { url, keys };
}

function keyOf(secret: string, file: string): Buffer {
  const [, text = ''] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(text, 'base64');
  if (key.length >= 24 && key.length <= 64 && key.toString('base64') === text) return key;
  const problem = `${file} has no secret of Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes`;
  throw usageProblem(problem, 'Make one with: echo "whsec_$(openssl rand -base64 32)"');
}
