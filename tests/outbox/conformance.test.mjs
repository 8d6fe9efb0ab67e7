/** Tests that the stores on SQLite pass the checks of a store, and that the checks find the flaws of wrong stores. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { target } from '../../scripts/places.mjs';
import { storeChecks } from './conformance/index.mjs';
import { rejection, sqliteStore } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));

function newFolder() {
  const folder = mkdtempSync(join(target, 'outbox-store-'));
  return { file: join(folder, 'orders.sqlite'), dispose: () => rmSync(folder, { recursive: true }) };
}

function ownFile() {
  const { file, dispose } = newFolder();
  return { open: () => sqliteStore(file), dispose };
}

function shopsDatabase() {
  const { file, dispose } = newFolder();
  const database = new DatabaseSync(file);
  return {
    open: () => sqliteStore(database),
    async begin() {
      database.exec('BEGIN');
      return {
        transaction: database,
        commit: async () => database.exec('COMMIT'),
        rollback: async () => database.exec('ROLLBACK'),
      };
    },
    dispose() {
      database.close();
      dispose();
    },
  };
}

for (const [name, createPlace] of Object.entries({
  'an SQLite file': ownFile,
  "the shop's own SQLite": shopsDatabase,
})) {
  describe(name, () => {
    for (const { title, run } of storeChecks(createPlace)) test(title, run);
  });
}

describe('a store in memory', () => {
  const createPlace = () => {
    const store = memoryStore();
    return { open: () => store };
  };
  for (const { title, run } of storeChecks(createPlace)) {
    // It has no process that could end.
    if (!/process ended/.test(title)) test(title, run);
  }
});

describe('the checks', () => {
  const flaws = {
    'add twice': (store) => ({ ...store, add: async (entry) => (await store.add(entry)) && null }),
    'take twice': (store) => {
      const seen = [];
      return {
        ...store,
        async take(options) {
          const { entries, againAt } = await store.take(options);
          seen.push(...entries);
          return { entries: seen.slice(0, options.limit), againAt };
        },
      };
    },
    'settle twice': (store) => ({ ...store, settle: async (...args) => (await store.settle(...args)) || true }),
    'change regardless': (store) => ({ ...store, change: (id, _, change) => store.change(id, {}, change) }),
    'change all of a page': (store) => ({
      ...store,
      changeAll: (page, _, change) => store.changeAll(page, {}, change),
    }),
    'change one page': (store) => ({
      ...store,
      changeAll: async (...args) => ({ ...(await store.changeAll(...args)), last: null }),
    }),
    'list without filters': (store) => ({
      ...store,
      list: ({ reason: _, since: __, ...page }) => store.list(page),
    }),
    'list only in the order of adding': (store) => ({
      ...store,
      list: ({ newestFirst: _, ...page }) => store.list(page),
    }),
    'list entries of any age': (store) => ({ ...store, list: ({ before: _, ...page }) => store.list(page) }),
    'list without hasBody': (store) => ({
      ...store,
      list: async (page) => (await store.list(page)).map(({ hasBody: _, ...entry }) => entry),
    }),
    'forget alreadyThere': (store) => ({
      ...store,
      settle: (entry, settlement) => store.settle(entry, { ...settlement, alreadyThere: false }),
    }),
    'replace without the location': (store) => ({
      ...store,
      change: (id, condition, { location: _, ...change }) => store.change(id, condition, change),
    }),
    'no sweep': (store) => ({ ...store, sweep: async () => 0 }),
  };
  for (const [flaw, spoil] of Object.entries(flaws)) {
    test(`find the flaw: ${flaw}`, async () => {
      const createPlace = () => {
        const store = spoil(memoryStore());
        return { open: () => store };
      };
      for (const { title, run } of storeChecks(createPlace, 100)) {
        if (/process ended/.test(title)) continue;
        if (await rejection(run()).catch(() => null)) return;
      }
      assert.fail('no check has failed');
    });
  }
});
