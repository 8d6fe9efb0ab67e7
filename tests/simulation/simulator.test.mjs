/** A seed decides everything: a history that is wrong can be repeated. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { root } from '../../scripts/places.mjs';
import { system } from './sources.mjs';
import { WORLDS } from './worlds/index.mjs';

const loaded = await system();

for (const [name, { plan, simulate }] of Object.entries(/** @type {Record<string, any>} */ (WORLDS))) {
  describe(`the world ${name}`, () => {
    test('has the same history again for the same plan, and another for another seed', async () => {
      const [first] = fc.sample(plan, { numRuns: 1, seed: 1 });
      const once = await simulate(first, loaded);
      const again = await simulate(structuredClone(first), loaded);
      const other = await simulate({ ...first, seed: first.seed + 1 }, loaded);
      assert.deepEqual(again.history, once.history);
      assert.notDeepEqual(other.history, once.history);
    });
  });
}

describe('the sources of client and outbox', () => {
  /** The platform itself; the engine's clock is an object with functions of these names; what tests a store runs with any clock. */
  const LEFT_OUT = /platform\/platform\.ts$|engine-clock\.ts$|\/conformance\//;
  const DIRECT =
    /\b(Date\.now|new Date\(\)|performance\.|setTimeout|setInterval|setImmediate|Math\.random|randomUUID|getRandomValues|AbortSignal\.timeout)/;

  test('take time and chance from the platform', () => {
    const files = ['platform', 'sending', 'client', 'outbox'].flatMap((folder) =>
      readdirSync(join(root, 'www', folder), { recursive: true })
        .map((path) => `www/${folder}/${path}`)
        .filter((path) => path.endsWith('.ts') && !LEFT_OUT.test(path)),
    );
    assert.ok(files.length > 50);
    const direct = files.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\*|\/\/)/.test(line) && DIRECT.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(direct, []);
  });
});
