import type { Version } from 'sales-order-intake';
import { parseBaseUrl } from '../options/base-url.js';
import { isBrowser } from './browser.js';
import {
  check,
  checkFunction,
  checkHooks,
  checkNames,
  checkObject,
  readOption,
  wrongOption,
} from '../options/check.js';
import type { ClientOptions } from './options.js';
import { checkDuration, requestSettings, type RequestSettings } from './request-settings.js';
import { isToken, TOKEN_FORM } from '../options/token-form.js';

/** The options of a client, checked and with their defaults. */
export interface ClientSettings {
  baseUrl: string;
  token: ClientOptions['token'];
  version: Version;
  fetch: typeof globalThis.fetch | undefined;
  acceptEmptyBody: boolean;
  retry: { baseMs: number; capMs: number };
  hooks: NonNullable<ClientOptions['hooks']>;
  /** The request options of calls that set none. */
  request: RequestSettings;
}

const HOOKS = ['onRequest', 'onResponse', 'onError', 'onRetry'] as const;
const OPTIONS = [
  ...['baseUrl', 'token', 'version', 'fetch', 'timeoutMs', 'totalTimeoutMs', 'maxRetries', 'headers', 'retry'],
  ...['acceptEmptyBody', 'allowBrowserToken', 'hooks'],
];

/** @throws OptionError if an option is wrong. */
export function clientSettings(options: ClientOptions): ClientSettings {
  checkObject('', options);
  return readOption('', () => checked(options));
}

function checked(options: ClientOptions): ClientSettings {
  checkNames('', Object.keys(options), OPTIONS);
  const { token, version = 'v3', fetch, retry = {}, hooks = {}, allowBrowserToken, acceptEmptyBody = false } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  checkToken(token, allowBrowserToken === true);
  check('/version', version === 'v2' || version === 'v3', "'v2' or 'v3'");
  checkFunction('/fetch', fetch);
  check('/acceptEmptyBody', typeof acceptEmptyBody === 'boolean', 'a boolean');
  check('/allowBrowserToken', ['undefined', 'boolean'].includes(typeof allowBrowserToken), 'a boolean');

  checkObject('/retry', retry);
  checkNames('/retry', Object.keys(retry), ['baseMs', 'capMs']);
  const { baseMs = 1000, capMs = 20_000 } = retry;
  checkDuration('/retry/baseMs', baseMs, 0);
  checkDuration('/retry/capMs', capMs, 0);

  checkHooks(hooks, HOOKS);

  const request = requestSettings(options);
  return { baseUrl, token, version, fetch, acceptEmptyBody, retry: { baseMs, capMs }, hooks, request };
}

function checkToken(token: unknown, isAllowedInBrowser: boolean): void {
  if (typeof token === 'function') return;
  check('/token', isToken(token), `${TOKEN_FORM}, or a function that returns one`);
  if (isAllowedInBrowser || !isBrowser()) return;
  throw wrongOption(
    '/token',
    'can be read by everybody in a browser. Send orders through a server of your own, or give a function that gets a ' +
      'short-lived token from it. Set allowBrowserToken: true to accept the risk',
  );
}
