/** The routes of the backend. */
import { serveStatic } from '@hono/node-server/serve-static';
import { sValidator } from '@hono/standard-validator';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { saleRequest } from './sale-request.ts';
import { checkOut, findSale, type Premises } from './sales.ts';

// #region policy
/** Only the shop's own files. The core needs 'wasm-unsafe-eval', which permits WebAssembly and no eval of JavaScript. */
const [NONE, SELF, CODE] = [["'none'"], ["'self'"], ["'self'", "'wasm-unsafe-eval'"]];
const POLICY = { defaultSrc: SELF, scriptSrc: CODE, baseUri: NONE, formAction: NONE, frameAncestors: NONE };
// #endregion policy

type Handler = (request: Request) => Promise<Response>;

/** `office` is the page for operators; undefined if the shop has none. */
export function createApp<Transaction>(premises: Premises<Transaction>, office?: Handler): Hono {
  const app = new Hono();
  // Before the policy of the shop, because the page has its own.
  if (office) app.all('/office', ({ req }) => office(req.raw));
  app.use(secureHeaders({ contentSecurityPolicy: POLICY }), compress(), bodyLimit({ maxSize: 65_536 }));
  app.get('/api/shop', async (c) => c.json(await premises.readShop()));
  app.post('/api/sales', sValidator('json', saleRequest), async (c) => {
    const result = await checkOut(c.req.valid('json'), premises);
    if (result && 'code' in result) return c.json(result, 409);
    return c.json(result, result?.state === 'accepted' ? 202 : 200);
  });
  // A cart id is a random number that only its shopper has.
  app.get('/api/sales/:cartId', async (c) => c.json(await findSale(c.req.param('cartId'), premises)));
  app.get('*', serveStatic({ root: './dist' }));
  app.onError((error, c) => {
    // What the client has done wrong, such as a body that is no JSON or too large.
    if (error instanceof HTTPException) return error.getResponse();
    // Without the message, which may quote the order.
    console.error(`${c.req.method} failed: ${error.name}`);
    return c.body(null, 503);
  });
  return app;
}
