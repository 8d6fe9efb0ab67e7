import { wrongOption } from './check.js';

/**
 * Returns the base URL with a slash at its end; its path segments are preserved (D37).
 *
 * @param option The option that it comes from.
 * @throws OptionError if it can't be used. The message doesn't show the URL, which may contain a password.
 */
export function parseBaseUrl(baseUrl: unknown, option = '/baseUrl'): string {
  const wrong = (problem: string) => wrongOption(option, problem);
  const { protocol, hostname, username, password, search, hash, origin, pathname } = parsed(baseUrl, wrong);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    throw wrong('must be https, or http on a loopback address: others could read the token');
  }
  if (username || password) throw wrong('must have no user name and no password; use options.token');
  if (search || hash) throw wrong('must have no query and no fragment');
  return `${origin}${pathname.replace(/\/+$/, '')}/`;
}

function parsed(baseUrl: unknown, wrong: (problem: string) => Error): URL {
  try {
    if (typeof baseUrl === 'string' || baseUrl instanceof URL) return new URL(baseUrl);
  } catch {
    // Reported below.
  }
  throw wrong('must be an absolute URL such as https://host/path');
}

/** Returns true if a host, as `URL.hostname` has it, is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
