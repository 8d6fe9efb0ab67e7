/** The globals that distinguish platforms. */
interface Scope {
  document?: unknown;
  WorkerGlobalScope?: unknown;
  process?: { versions?: { node?: unknown } };
  Deno?: unknown;
  Bun?: unknown;
  EdgeRuntime?: unknown;
  navigator?: { userAgent?: unknown };
}

/**
 * Returns true in a page and its workers, where everybody can read what the program has (D44). Returns false on servers,
 * even if they have the globals of a worker, or a document for tests.
 */
export function isBrowser(scope: Scope = globalThis as Scope): boolean {
  const isServer =
    scope.process?.versions?.node !== undefined ||
    scope.Deno !== undefined ||
    scope.Bun !== undefined ||
    scope.EdgeRuntime !== undefined ||
    scope.navigator?.userAgent === 'Cloudflare-Workers';
  return !isServer && (scope.document !== undefined || scope.WorkerGlobalScope !== undefined);
}

/**
 * Returns true on Node, Deno and Bun, whose responses show the headers Content-Length and Transfer-Encoding if they were
 * sent. Returns false where they may be hidden: in browsers, in workerd, and in a page with the globals of Node.
 */
export function showsTransferHeaders(): boolean {
  const { process, document, EdgeRuntime, navigator } = globalThis as Scope;
  const isNode = process?.versions?.node !== undefined && document === undefined;
  return isNode && EdgeRuntime === undefined && navigator?.userAgent !== 'Cloudflare-Workers';
}

/** Returns true if a status text proves HTTP/1: responses of HTTP/2 have none, but Deno adds one. */
export function showsStatusTextOfHttp1(): boolean {
  return (globalThis as Scope).Deno === undefined;
}
