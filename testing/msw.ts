import type { PlatformType } from '../pkg-template/src/platform/platform.js';

/** The part of Mock Service Worker's `http` that is used. The caller passes it, so that the package has no dependency. */
export interface MswHttp<Handler> {
  /** `http.all` of Mock Service Worker: creates a handler for every method. */
  all(
    path: RegExp,
    resolver: (info: { request: PlatformType<'Request'> }) => Promise<PlatformType<'Response'>>,
  ): Handler;
}

/** Creates a handler for all requests below an address. If `respond` returns undefined, the connection is lost. */
export function handler<Handler>(
  http: MswHttp<Handler>,
  address: string,
  respond: (request: Request) => Promise<Response | undefined>,
): Handler {
  // Not a string with a wildcard: MSW unescapes what a wildcard matches, which fails for a path with invalid escapes.
  const below = new RegExp(`^${address.replaceAll(/[^\w:/]/g, '\\$&')}`);
  return http.all(below, async ({ request }) => {
    try {
      return (await respond(request)) ?? Response.error();
    } catch (error) {
      // Nobody waits for the response any more; fetch rejects with the caller's own reason.
      if (request.signal.aborted) return Response.error();
      throw error;
    }
  });
}
