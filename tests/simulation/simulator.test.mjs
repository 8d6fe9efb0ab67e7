/** A seed decides everything, and nothing else does. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { repeats } from './repeats.mjs';
import { USUAL } from './worlds/index.mjs';

for (const name of USUAL) repeats(name);

describe('the sources of client and outbox', () => {
  /**
   * The platform itself; what tests a store runs with any clock; the page decides nothing about an order, and shows a person the
   * time of day.
   */
  const LEFT_OUT = /platform\/platform\.ts$|outbox\/page\//;
  const DIRECT =
    /\b(Date\.now|new Date\(\)|performance\.|setTimeout|setInterval|setImmediate|Math\.random|randomUUID|getRandomValues|AbortSignal\.timeout)/;

  test('take time and chance from the platform', () => {
    const files = ['pkg-template/src/platform', 'pkg-template/src/sending', 'www/client', 'outbox'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .map((path) => `${folder}/${path}`)
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
