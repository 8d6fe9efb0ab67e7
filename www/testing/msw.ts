import type { PlatformType } from '../client/platform.js';

/** What is used of the `http` of Mock Service Worker, which is given and never imported: the package depends on nothing. */
export interface MswHttp<Handler> {
  all(
    path: RegExp,
    resolver: (info: { request: PlatformType<'Request'> }) => Promise<PlatformType<'Response'>>,
  ): Handler;
}

/** A handler for all below an address; where nothing is answered, the connection is lost. */
export function handler<Handler>(
  http: MswHttp<Handler>,
  address: string,
  respond: (request: Request) => Promise<Response | undefined>,
): Handler {
  // Not text with a wildcard: what that stands for is unescaped, and fails for a path that is no escaped text.
  const below = new RegExp(`^${address.replaceAll(/[^\w:/]/g, '\\$&')}`);
  return http.all(below, async ({ request }) => {
    try {
      return (await respond(request)) ?? Response.error();
    } catch (error) {
      // Nobody waits for the answer any more; the reason is the caller's own.
      if (request.signal.aborted) return Response.error();
      throw error;
    }
  });
}
