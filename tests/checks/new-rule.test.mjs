/** Tests what `make new-rule` writes, on the files of the repository. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withRule } from '../../scripts/new-rule.mjs';
import { root } from '../../scripts/places.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const rule = { name: 'delivery_without_time', severity: 'warning', member: '/TimeSlotDisplayString' };

test('a new rule has a code, a decision with the next number, a vector and an entry in the changelog', () => {
  const files = withRule(rule, read);
  const added = Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      const before = new Set(read(path).split('\n'));
      return [path, text.split('\n').filter((line) => line !== '' && !before.has(line))];
    }),
  );
  const numbers = [...read('docs/reference/decisions.md').matchAll(/<a id="d(\d+)">/g)].map(([, digits]) =>
    Number(digits),
  );
  const next = `D${Math.max(...numbers) + 1}`;
  assert.deepEqual(
    Object.entries(added).map(([path, lines]) => [path, lines.length]),
    [
      ['src/code.rs', 2],
      ['docs/reference/decisions.md', 2],
      ['tests/vectors/members.json', 1],
      ['CHANGELOG.md', 1],
    ],
  );
  assert.match(
    added['src/code.rs'].join('\n'),
    new RegExp(`\\(${next}\\)\\.\\n    DeliveryWithoutTime "delivery_without_time" Warning "`),
  );
  assert.ok(added['docs/reference/decisions.md'][0].startsWith(`### <a id="${next.toLowerCase()}"></a>${next} `));
  // The last of the codes: what is added before them would change their order.
  assert.match(files['src/code.rs'], /DeliveryWithoutTime .*;\n\}$/m);
  const { vectors } = JSON.parse(files['tests/vectors/members.json']);
  assert.deepEqual(vectors[0].expect.issues, ['warning delivery_without_time /TimeSlotDisplayString']);
});

test('a name that is no code, or one that exists, is an error that says so', () => {
  assert.throws(() => withRule({ name: 'Late' }, read), /NAME must be the code/);
  assert.throws(() => withRule({ name: 'too_large' }, read), /The code too_large exists/);
  assert.throws(() => withRule({ ...rule, severity: 'fatal' }, read), /SEVERITY must be/);
  assert.throws(() => withRule({ ...rule, member: 'Notes' }, read), /MEMBER must be/);
});
