// A user's program with the handlers for Mock Service Worker, compiled by tests/testing/types.test.mjs. It is never run.
import { http, type HttpHandler } from 'msw';
import { setupServer } from 'msw/node';
import { createTestService } from 'sales-order-intake/testing';

const { handlers } = createTestService();
const server = setupServer(...handlers(http));
server.use(
  ...handlers(http),
  http.get('https://elsewhere.test/', () => new Response('elsewhere')),
);
const all: HttpHandler[] = handlers(http);
// @ts-expect-error takes http, not the server
handlers(server);
void all;
