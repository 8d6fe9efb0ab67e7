/** `make test ONLY=pictures`: takes the two pictures of the page for operators that its guide shows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';
import { startChromium } from '../browser/chromium.mjs';
import { pictureOf } from '../browser/picture.mjs';
import { numbered } from './harness.mjs';
import { openPage, refuses, served } from './operator.mjs';

const folder = join(root, 'docs/guides/pictures');
const IDS = [
  '2a8f5d33-eec9-4864-8b49-5636577b40d5',
  '3b9f6e44-0cd1-4a37-9c5a-6747688c51e6',
  '4caf7f55-1de2-4b48-8d6b-7858799d62f7',
  '5dbf8a66-2ef3-4c59-9e7c-89698aae7308',
];

const ends = [];
const scope = { after: (end) => ends.push(end) };
const office = await openPage(scope, { title: 'Orders of Old Mill Tea', authorize: () => 'Kim Winter' });
const chromium = await startChromium();
scope.after(() => chromium.close());
try {
  const refused = await addOrders();
  mkdirSync(folder, { recursive: true });
  await take('list', '', { viewport: { width: 1280, height: 900 } }, 0.75);
  await take('order', `?order=${refused}`, { viewport: { width: 390, height: 1180 }, colorScheme: 'dark' }, 0.7);
} finally {
  for (const end of ends.reverse()) await end();
}

/**
 * Adds orders of which most are created, one was refused twice, and three wait for a new token: over a day, so that there is
 * a column for several hours. Returns the Id of the refused one.
 */
async function addOrders() {
  const { now } = Date;
  const [refused, ...waiting] = IDS.map((Id) => numbered(0, { Id }));
  for (let n = 0; n < 60; n++) {
    Date.now = () => now() - ((n * 11) % 20) * ((n % 7) / 6) * 3_600_000;
    await office.settled(numbered(n, { EntityId: 2000 + (n % 2) }), `${1000 + n}`);
  }
  Date.now = now;
  office.respond = refuses('The kettle is sold out at this location');
  await office.settled(refused, '1060');
  await office.outbox.retry(refused.Id, { by: 'Robin Frost' });
  await office.outbox.settled(refused.Id);
  office.respond = () => new Response('', { status: 401 });
  for (const [n, order] of waiting.entries())
    await office.outbox.add({ ...order, EntityId: 2001 }, { reference: `${1061 + n}` });
  await office.until(async () => (await office.outbox.counts()).pause, 'the pause');
  return refused.Id;
}

async function take(name, query, look, scale) {
  const origin = await served(scope, office.page);
  const context = await chromium.newContext(look);
  const tab = await context.newPage();
  await tab.goto(`${origin}/office${query}`);
  writeFileSync(join(folder, `operators-${name}.webp`), await pictureOf(tab, scale));
  await context.close();
}
