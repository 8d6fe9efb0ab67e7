/** Starts the backend. Its settings are in the environment; the token never leaves it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { serve } from '@hono/node-server';
import { createClient } from 'sales-order-intake/client';
import { createOutbox } from 'sales-order-intake/outbox';
import { outboxPage } from 'sales-order-intake/outbox/page';
import { createApp } from './app.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { settleSale } from './sales.ts';
import { openSqlite } from './sqlite.ts';

const { INTAKE_URL = 'http://127.0.0.1:8080', INTAKE_TOKEN = '', PORT = '3000' } = process.env;
const { DATABASE_URL, DATABASE_FILE = 'shop.sqlite', CATALOGUE = 'catalogue.json' } = process.env;
const { COMPANY_ID = '1501', ENTITY_ID = '2302', OFFICE_PASSWORD } = process.env;
const { INTEGRATOR_ID: IntegratorId = '7c9e6679-7425-40de-944b-e07fc1f90ae7' } = process.env;
const location = { CompanyId: Number(COMPANY_ID), EntityId: Number(ENTITY_ID), IntegratorId };

if (DATABASE_URL) start(await openPostgres(DATABASE_URL));
else start(openSqlite(DATABASE_FILE));

/** Starts the outbox and the server, on either database. */
function start<Transaction>(database: Database<Transaction>): void {
  const outbox = createOutbox({
    client: createClient({ baseUrl: INTAKE_URL, token: () => INTAKE_TOKEN }),
    store: database.store,
    // Your shop sends its e-mail here too, or calls a person if the state is `stalled`.
    onSettled: (entry) => settleSale(entry, database),
    hooks: { onResult: ({ orderId, state, reason }) => console.log(orderId, state, reason ?? '') },
  }).start();

  // Reads the catalogue each time, so that a price you change holds from the next request on.
  const readShop = async () => ({ ...JSON.parse(await readFile(CATALOGUE, 'utf8')), location });
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(`Basic ${btoa(`operator:${OFFICE_PASSWORD}`)}`);
  // Takes the same time for every password, so that nobody can find it letter by letter.
  const authorize = ({ headers }: Request) => timingSafeEqual(digest(headers.get('authorization') ?? ''), expected);
  const office = OFFICE_PASSWORD ? outboxPage({ outbox, authorize, title: 'Orders of Old Mill Tea' }) : undefined;
  const { fetch } = createApp({ readShop, database, outbox }, office);
  serve({ fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
    console.log(`shop http://127.0.0.1:${port}/`);
  });

  // Orders still in flight after that are sent again, with the same Id, at the next start.
  const stop = () => outbox.stop({ timeoutMs: 5000 }).then(() => process.exit());
  process.once('SIGINT', stop).once('SIGTERM', stop);
}
