/** What a page ships may not grow unnoticed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { defaultEntry } from '../../benches/sizes.mjs';

const { limits } = JSON.parse(readFileSync(new URL('../../benches/limits.json', import.meta.url), 'utf8'));

test('the default entry with all functions, bundled and compressed, is within its limit', async () => {
  const limit = limits['Node: P3 shipped, KB brotli, default entry'];
  const kilobytes = await defaultEntry();
  assert.ok(kilobytes <= limit + 0.05, `${kilobytes} KB, and the limit is ${limit}`);
});
