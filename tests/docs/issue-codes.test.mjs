/** The pages of the issue codes, also of codes without an example in examples/issue-examples.json. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { exampleFromVectors, pageOf, rowsOf } from '../../docs/generate/issue-codes.mjs';
import { root } from '../../scripts/places.mjs';

const rows = rowsOf(readFileSync(join(root, 'src/issue-codes.md'), 'utf8'));
/** The vectors of these are long; those of the last two depend on the platform, and on an order that was sent. */
const WITHOUT_SHORT_VECTOR = [
  'too_many_entries',
  'too_many_members',
  'more_issues',
  'no_random_source',
  'differs_from_sent',
];

describe('the page of a code without an example', () => {
  test('shows the first short order or response of the vectors that has the issue', async () => {
    const without = [];
    for (const { code } of rows) if (!(await exampleFromVectors(code))) without.push(code);
    assert.deepEqual(without, WITHOUT_SHORT_VECTOR);
  });

  test('has the meaning, the order and the message with its hint, but no advice and no corrected order', async () => {
    const page = await pageOf(rowOf('taxes_empty'), await exampleFromVectors('taxes_empty'));
    assert.match(page, /^# `taxes_empty`\n\n`Taxes: \[\]` replaces the taxes .*\n\nAn error: .* Source: \[D9\]/);
    assert.match(
      page,
      /\n## An order with this issue\n\n```json playground=optional\n[^`]*"Taxes": \[\]\n\}\n```\n\n> At `\/Taxes`: /,
    );
    assert.match(page, / \(omit Taxes .*\)\n$/);
    assert.doesNotMatch(page, /What to do|Corrected/);
  });

  test('lists the values in the message, if it has any', async () => {
    assert.match(await pageOf(rowOf('integer_out_of_range'), undefined), /\n\n`params` has `min`, `max`\.\n$/);
    assert.doesNotMatch(await pageOf(rowOf('items_empty'), undefined), /params/);
  });

  test('ends after the meaning if no vector fits', async () => {
    const page = await pageOf(rowOf('no_random_source'), undefined);
    assert.match(page, /^# `no_random_source`\n\n.*\n\nAn error: .* Source: .*\.\n$/);
  });
});

function rowOf(code) {
  const row = rows.find((row) => row.code === code);
  assert.ok(row, code);
  return row;
}
