import type { Version } from 'sales-order-intake';
import { parseBaseUrl } from './base-url.js';
import { isBrowser } from './browser.js';
import { LONGEST_TIMER_MS } from './platform.js';
import type { RetrySettings } from './retry.js';
import { isTokenText, TOKEN_FORM } from './token.js';
import type { ClientOptions } from './types.js';

/** The options of a client, checked, with their defaults (D32, D33). */
export interface Settings {
  baseUrl: string;
  token: ClientOptions['token'];
  version: Version;
  fetch: typeof globalThis.fetch | undefined;
  timeoutMs: number;
  totalTimeoutMs: number;
  retry: RetrySettings;
  hooks: NonNullable<ClientOptions['hooks']>;
}

const OPTIONS = ['baseUrl', 'token', 'version', 'fetch', 'timeoutMs', 'totalTimeoutMs', 'retry', 'allowBrowserToken', 'hooks'];
const RETRY_OPTIONS = ['attempts', 'baseMs', 'capMs'];
const HOOKS = ['onRequest', 'onRetry', 'onResponse'];

/** @throws TypeError that names the option. It never shows the token. */
export function settingsOf(options: ClientOptions): Settings {
  checkNames('options', options, OPTIONS);
  const { version = 'v3', timeoutMs = 60_000, totalTimeoutMs = 180_000, retry = {}, hooks = {} } = options;
  checkNames('options.retry', retry, RETRY_OPTIONS);
  // Hooks may be an object with members of its own.
  checkNames('options.hooks', hooks, HOOKS, (name) => name.startsWith('on'));
  const { attempts = 4, baseMs = 1000, capMs = 20_000 } = retry;

  const baseUrl = parseBaseUrl(options.baseUrl);
  checkToken(options);
  check('version', version === 'v2' || version === 'v3', "'v2' or 'v3'");
  checkFunction('fetch', options.fetch);
  check('timeoutMs', isDuration(timeoutMs) && timeoutMs > 0, 'milliseconds, more than 0');
  check('totalTimeoutMs', isDuration(totalTimeoutMs) && totalTimeoutMs > 0, 'milliseconds, more than 0');
  check('retry.attempts', Number.isSafeInteger(attempts) && attempts > 0, 'a whole number, 1 or more');
  check('retry.baseMs', isDuration(baseMs), 'milliseconds');
  check('retry.capMs', isDuration(capMs), 'milliseconds');
  check('allowBrowserToken', ['undefined', 'boolean'].includes(typeof options.allowBrowserToken), 'true or false');
  for (const name of HOOKS) checkFunction(`hooks.${name}`, hooks[name as keyof typeof hooks]);

  const { token, fetch } = options;
  return { baseUrl, token, version, fetch, timeoutMs, totalTimeoutMs, retry: { attempts, baseMs, capMs }, hooks };
}

function checkToken({ token, allowBrowserToken }: ClientOptions): void {
  if (typeof token === 'function') return;
  if (!isTokenText(token)) throw new TypeError(`options.token: ${TOKEN_FORM}, or a function that gives one`);
  if (allowBrowserToken !== true && isBrowser()) {
    throw new TypeError(
      'options.token: in a browser everybody can read this token. Send orders from a server of your own, which keeps the ' +
        'token, and let the page call that; or give a function that asks your server for a short-lived token. ' +
        'allowBrowserToken: true says that the risk is known',
    );
  }
}

function checkNames(path: string, record: unknown, names: string[], matters = (_name: string) => true): void {
  if (typeof record !== 'object' || record === null) throw new TypeError(`${path}: an object expected`);
  const unknown = Object.keys(record).find((name) => matters(name) && !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`${path}.${unknown}: there is no such option, only ${names.join(', ')}`);
}

function checkFunction(name: string, value: unknown): void {
  check(name, value === undefined || typeof value === 'function', 'a function');
}

function check(name: string, isRight: boolean, form: string): void {
  if (!isRight) throw new TypeError(`options.${name}: ${form} expected`);
}

function isDuration(ms: unknown): boolean {
  return typeof ms === 'number' && ms >= 0 && ms <= LONGEST_TIMER_MS;
}
