/** The installed package's outbox, stores, a client on loopback, and a clock that the test controls. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { target } from '../../scripts/places.mjs';
import { installedFile, projects } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';

export { handClock } from '../hand-clock.mjs';
export { rejection } from '../thrown.mjs';
export { until } from './until.mjs';

const load = (path) => import(pathToFileURL(installedFile(path)).href);
export const { createOutbox, OutboxError } = await load('dist/esm/outbox/index.js');
export const { restoreFile, sqliteStore } = await load('dist/esm/outbox/sqlite/index.js');
export const { createClient } = await load('dist/esm/client/index.js');
export const { Batches, createClientOn, createOutboxOn, platform, Suspects } = await load('dist/esm/internals.js');
export const core = await load('dist/esm/index.js');
export const requireInstalled = createRequire(join(projects().cjsProject, 'index.js'));

export const TOKEN = 'token-of-the-tests';
/** Short enough for tests, long enough to observe a wait. */
export const RETRY = { baseMs: 20, capMs: 200 };

/** Returns order number `n`, with its own Id and with personal data that a test can search for. */
export function numbered(n, changes = {}) {
  return minimalOrder({
    Id: `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`,
    FirstName: 'Xaviera',
    LastName: 'Quonset',
    Notes: 'ring twice at the violet door',
    ...changes,
  });
}

export const PERSONAL = /Xaviera|Quonset|violet door|token-of-the-tests/;

export function clientOf(baseUrl, options = {}) {
  return createClient({ baseUrl, token: TOKEN, ...options });
}

/** Creates a folder that is removed after the test. */
export function folderOf(t) {
  mkdirSync(join(target, 'outbox'), { recursive: true });
  const folder = mkdtempSync(join(target, 'outbox', 'test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function collected(entries) {
  const all = [];
  for await (const entry of entries) all.push(entry);
  return all;
}
