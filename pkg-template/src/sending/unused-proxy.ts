/** Finds out whether a proxy should have been used for a connection that failed: Node ignores the usual variables by default. */

import { isLoopback } from '../options/base-url.js';

/** The variables for https, in lower or upper case. With only the one for http, Node uses that. */
const PROXIES = ['https_proxy', 'http_proxy', 'all_proxy'];

interface NodeProcess {
  env?: Record<string, string | undefined>;
  versions?: { node?: string };
}

/**
 * Returns what to do if the environment names a proxy for this URL that Node's fetch does not use; empty otherwise. Never
 * contains the value of a variable, which may have a password. Bun and Deno use these variables by themselves.
 */
export function unusedProxy(url: string): string {
  const { process, Deno, Bun } = globalThis as { process?: NodeProcess; Deno?: unknown; Bun?: unknown };
  const { env, versions } = process ?? {};
  if (!env || !versions?.node || Deno || Bun || usesDispatcher()) return '';
  // Without TLS, the service is on this machine.
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:' || isExcepted(hostname, port || '443', env)) return '';
  const name = PROXIES.flatMap((name) => [name, name.toUpperCase()]).find((name) => env[name]);
  if (name === undefined) return '';
  // Node never reads ALL_PROXY.
  const other = name.toLowerCase() === 'all_proxy' ? 'HTTPS_PROXY and ' : '';
  return `${name} is set, but Node does not use it: set ${other}NODE_USE_ENV_PROXY=1 (Node 22.21, 24.5 or later)`;
}

/** Returns true if Node or the program has given its fetch something other than direct connections. */
function usesDispatcher(): boolean {
  const dispatchers = globalThis as { [name: symbol]: object | undefined };
  const named = (version: number) => dispatchers[Symbol.for(`undici.globalDispatcher.${version}`)]?.constructor.name;
  return (named(2) ?? named(1) ?? 'Agent') !== 'Agent';
}

/** Returns true for this machine, and for a host of NO_PROXY: `example.com` and `.example.com` include its subdomains. */
function isExcepted(host: string, port: string, { no_proxy, NO_PROXY }: NonNullable<NodeProcess['env']>): boolean {
  if (isLoopback(host)) return true;
  return (no_proxy || NO_PROXY || '').split(/[\s,]+/).some((entry) => {
    const [, excepted = '', itsPort = port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    return (
      entry === '*' || (excepted !== '' && itsPort === port && (host === excepted || host.endsWith(`.${excepted}`)))
    );
  });
}
