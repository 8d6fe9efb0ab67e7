import { builtinModule } from '../platform/builtin-module.js';
import { unusedProxy } from './unused-proxy.js';

/** Why a connection failed, and whether the request can have been sent (D31). */
export interface ConnectionFailure {
  /** False if it is certain that nothing of the request was sent. */
  isSent: boolean;
  /**
   * A few words for people and logs, such as `host not found (ENOTFOUND)`, and what to do if a proxy is not used: nothing of
   * the error's own message, nothing personal.
   */
  failure: string;
}

/** The maximum depth of a chain of causes; a longer one is a cycle. */
const DEEPEST = 8;

/**
 * Codes that prove that nothing was sent. No other code proves anything: a reset, or a TLS alert, has the same code before
 * and after the request.
 */
const NEVER_SENT: readonly RegExp[] = [
  // The name has no address, or none took the connection.
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT)$/,
  // The certificate was refused here: Node and Bun have sent nothing.
  /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_)/,
  /^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/,
];
/** Messages that prove the same. */
const NEVER_SENT_MESSAGES: readonly RegExp[] = [
  // Node: the server closed the connection during the handshake.
  /^Client network socket disconnected before secure TLS connection was established$/,
  // Node, Deno: ports that fetch never connects to.
  /^bad port$|^Fetch failed: Requests to port \d+ are blocked$/,
];
/** Deno: connecting failed, the handshake included. Once connected, the message has `SendRequest`, or no such word. */
const DENO_CONNECT = /^error sending request .*: client error \(Connect\): /;

/** The reasons by code, or by the message of an error without one: Deno's have none. The first that matches counts. */
const MEANINGS: readonly [pattern: RegExp, ifNotSent: string, ifSent?: string][] = [
  [/^ENOTFOUND$|^EAI_AGAIN$|: dns error: /, 'host not found'],
  [/^ECONNREFUSED$|Connection refused/, 'connection refused'],
  [/^UND_ERR_CONNECT_TIMEOUT$|^ETIMEDOUT$|timed out/, 'no connection in time', 'connection lost'],
  [/^EHOSTUNREACH$|No route to host/, 'host not reachable'],
  [/^ENETUNREACH$|Network is unreachable/, 'network not reachable'],
  [/^CERT_HAS_EXPIRED$|certificate expired/, 'certificate expired'],
  [/^CERT_NOT_YET_VALID$|certificate not valid yet/, 'certificate not valid yet'],
  [/^CERT_REVOKED$|: Revoked$/, 'certificate revoked'],
  [/ALTNAME|^HOSTNAME_MISMATCH$|certificate not valid for name/, 'certificate is for another host'],
  [
    /^(CERT|CRL)_|SELF_SIGNED|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH|peer certificate/,
    'certificate not trusted',
  ],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH)|InvalidContentType/, 'the server does not speak TLS', 'TLS failed'],
  [/^ERR_SSL_|^EPROTO$|fatal alert/, 'TLS handshake failed', 'TLS failed'],
  [/bad port|are blocked$/, 'fetch does not connect to this port'],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'no response in time'],
  [/^HPE_|HTTP\/1.1 protocol/, 'the response is not HTTP'],
  [
    /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$|reset by peer|broken pipe|Broken pipe|close_notify|handshake eof|before message completed|^Client network socket/,
    'connection lost before the request was sent',
    'connection lost',
  ],
];

/** The server was reached: no proxy was missing. */
const REACHED = /certificate|TLS|port$/;

/**
 * Reads what fetch threw. Platforms that give no reason, browsers for instance, prove nothing.
 *
 * @param url The address, if the platform's own fetch was called.
 */
export function readConnectionError(error: unknown, url?: string): ConnectionFailure {
  try {
    const isSent = !wasNeverSent(error);
    const { code, message } = sourceOf(error, isSent);
    const [, ifNotSent = 'connection failed', ifSent = ifNotSent] =
      MEANINGS.find(([pattern]) => pattern.test(code ?? message)) ?? [];
    const reason = `${isSent ? ifSent : ifNotSent}${code === undefined ? '' : ` (${code})`}`;
    const advice = url === undefined || isSent || REACHED.test(ifNotSent) ? '' : unusedProxy(url);
    return { isSent, failure: advice === '' ? reason : `${reason}; ${advice}` };
  } catch {
    // A getter of the error throws.
    return { isSent: true, failure: 'connection failed' };
  }
}

function wasNeverSent(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST) return false;
  if (neverConnected.has(error)) return true;
  const { syscall, errors, cause } = error as Record<string, unknown>;
  // Several addresses of one host were tried.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => wasNeverSent(each, depth + 1));
  const { code = '', message } = described(error);
  return (
    syscall === 'connect' ||
    NEVER_SENT.some((pattern) => pattern.test(code)) ||
    NEVER_SENT_MESSAGES.some((pattern) => pattern.test(message)) ||
    (DENO_CONNECT.test(message) && platform().Deno?.createHttpClient !== undefined) ||
    wasNeverSent(cause, depth + 1)
  );
}

/**
 * Returns the first error in a chain of causes that has a code, else the last one. If the chain branches into one error for
 * each address, follows the first one that agrees with `isSent`.
 */
function sourceOf(error: unknown, isSent: boolean, depth = 0): { code: string | undefined; message: string } {
  const own = described(error);
  const { errors, cause } = Object(error) as Record<string, unknown>;
  const ofAddress = Array.isArray(errors) ? errors.find((each) => wasNeverSent(each) !== isSent) : undefined;
  const next = ofAddress ?? cause;
  return own.code !== undefined || typeof next !== 'object' || next === null || depth > DEEPEST
    ? own
    : sourceOf(next, isSent, depth + 1);
}

/** Ignores a `code` that does not look like the platform's. */
function described(error: unknown): { code: string | undefined; message: string } {
  const { code, message } = Object(error) as Record<string, unknown>;
  return {
    code: typeof code === 'string' && /^[A-Z][A-Z\d_/]{1,60}$/.test(code) ? code : undefined,
    message: typeof message === 'string' ? message : '',
  };
}

// ---------------------------------------------------------------- what the platforms need

type DiagnosticsChannel = { subscribe?(channel: string, listen: (event: unknown) => void): void };
interface Platform {
  Deno?: { createHttpClient?(options: object): { close(): void } };
  Bun?: unknown;
}

/** Looked up at each use. */
const platform = () => globalThis as Platform;

/**
 * Errors with which Node's fetch failed to connect. Many of their codes also occur if a connection is lost later.
 */
const neverConnected = new WeakSet<object>();
let isWatching = false;

/**
 * Lets Node's fetch report the errors with which it failed to connect, the TLS handshake included: it is the only proof
 * that a reset or an alert came before the request. Costs nothing until a connection fails. Other platforms have no
 * such channel.
 */
export function watchConnections(): void {
  if (isWatching) return;
  isWatching = true;
  const channels = builtinModule<DiagnosticsChannel>('node:diagnostics_channel');
  channels?.subscribe?.('undici:client:connectError', (event) => {
    const { error } = Object(event) as { error?: unknown };
    if (typeof error === 'object' && error !== null) neverConnected.add(error);
  });
}

/**
 * Returns options that make fetch send the request only once. If a connection that was used before is lost, Bun and
 * Deno send the request again by themselves, on a new one; if the service is down by then, they report a refused
 * connection, although it may have received the request. So each request has a connection of its own there. Call
 * `close` after the response.
 */
export function ownConnection(): { init: object; close(): void } {
  const { Deno, Bun } = platform();
  const client = Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
  return { init: client ? { client } : Bun ? { keepalive: false } : {}, close: () => client?.close() };
}
