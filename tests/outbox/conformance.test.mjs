/** Tests that the stores in memory and on SQLite pass the checks of a store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { target } from '../../scripts/places.mjs';
import { storeChecks } from './conformance/index.mjs';
import { sqliteStore } from './harness.mjs';
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
