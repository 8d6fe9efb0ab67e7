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
