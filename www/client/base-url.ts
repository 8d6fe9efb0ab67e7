/**
 * The address that all paths are relative to, ending in a slash (D37). Its own path segments are kept.
 *
 * @throws TypeError that says what is wrong without showing the address: it may hold a password.
 */
export function parseBaseUrl(baseUrl: unknown): string {
  if (typeof baseUrl !== 'string' || baseUrl === '') {
    throw new TypeError('options.baseUrl: required, the address of the service as text, https://host/path');
  }
  const url = parsed(baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new TypeError('options.baseUrl: https is required, or http on a loopback address: the token would be readable on its way');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('options.baseUrl: no user name and no password here; give the bearer token as options.token');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new TypeError('options.baseUrl: no query and no fragment here; the path of each order is added at the end');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/`;
}

function parsed(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new TypeError('options.baseUrl: no absolute address; it is to be like https://host/path');
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
