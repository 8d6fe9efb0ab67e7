/** Tests that a build finds the core that an earlier build of the same sources has stored. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { FILES, findCore, storeCore } from '../../scripts/build/core.mjs';

/** @returns {import('../../scripts/build/core.mjs').Modules} */
const modulesOf = (hash) =>
  /** @type {any} */ (Object.fromEntries(FILES.map((file) => [file, Buffer.from(`${file} of ${hash}`)])));

test('the five cores that were used last are stored', (t) => {
  const store = mkdtempSync(join(tmpdir(), 'core-'));
  t.after(() => rmSync(store, { recursive: true }));
  for (const [age, hash] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    storeCore(hash, modulesOf(hash), store);
    utimesSync(join(store, hash), new Date(), new Date(Date.now() - 60_000 * (9 - age)));
  }
  assert.deepEqual(findCore('a', store), modulesOf('a'));
  storeCore('f', modulesOf('f'), store);
  assert.deepEqual(readdirSync(store).sort(), ['a', 'c', 'd', 'e', 'f']);
  assert.equal(findCore('b', store), undefined);
  assert.deepEqual(readdirSync(join(store, 'f')).sort(), FILES.toSorted());
});
