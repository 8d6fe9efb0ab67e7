// The handlers in a program of a user of Mock Service Worker (tests/testing/types.test.mjs). It is never run.
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
// @ts-expect-error http, not the whole of it
handlers(server);
void all;
