/** A seed decides everything on PostgreSQL, too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pglite } from '../postgres-disk.mjs';
import { repeats } from '../repeats.mjs';
import { system } from '../sources.mjs';
import { WORLDS } from '../worlds/index.mjs';

const WORLD = 'outbox on PostgreSQL';

repeats(WORLD);

test('a machine that stands still for longer than a transaction may be idle changes no history', async () => {
  const database = await pglite();
  let pauses = 0;
  const slow = {
    async exec(sql) {
      const results = await database.exec(sql);
      if (sql.startsWith('BEGIN') && ++pauses === 5) standStill(3500);
      return results;
    },
    query: (sql, values) => database.query(sql, values),
  };
  const { plan, simulate } = WORLDS[WORLD];
  const [first] = fc.sample(plan, { numRuns: 1, seed: 2 });
  const { history: expected } = await simulate(structuredClone(first), await system());
  const { history } = await simulate(first, await system([], Promise.resolve(slow)));
  assert.ok(pauses >= 5);
  assert.deepEqual(history, expected);
});

function standStill(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
