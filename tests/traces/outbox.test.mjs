/** Tests the spans of the outbox in memory and on SQLite, in simulated time. */
import { join } from 'node:path';
import { folderOf, sqliteStore } from '../outbox/harness.mjs';
import { memoryStore } from '../outbox/memory-store.mjs';
import { setUp } from '../outbox/set-up.mjs';
import { testTraces } from './outbox.mjs';

testTraces('a store in memory', setUp, () => {
  const store = memoryStore();
  return () => store;
});

testTraces('SQLite', setUp, (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  return () => sqliteStore(file);
});
