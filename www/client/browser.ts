/** The globals that tell platforms apart. */
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
 * Whether this is a page, or a worker of one, where anybody can read what the program holds (D44). Servers that know
 * the globals of workers, or that a test gave a document, are none.
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
