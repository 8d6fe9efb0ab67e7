/** The page about the command line shows what the commands print now, and the files that they were run on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PAGE, recordedPage } from './recordings.mjs';
import { root } from '../../../scripts/places.mjs';

const page = readFileSync(PAGE, 'utf8');

test('the recorded output is what the commands print', async () => {
  assert.equal(page, await recordedPage());
});

test('the page quotes the files of examples/cli', () => {
  for (const file of ['mapping.json', 'november.csv']) {
    assert.ok(page.includes(readFileSync(join(root, 'examples/cli', file), 'utf8')), file);
  }
});
