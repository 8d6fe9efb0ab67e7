/** Tests that the check of words finds bad lines and accepts good ones. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { documentedFunctions, findDocs, findWords, rules, withoutAllowed } from '../../scripts/check/words.mjs';

const script = fileURLToPath(new URL('../../scripts/check/words.mjs', import.meta.url));

/** A line for every rule. */
const bad = {
  told: '// Read-only members are told of.',
  said: 'let said = issue.says();',
  'a word': '// The same order, without a word.',
  'known of': '// What is known of it.',
  stands: '// An issue stands after its parent.',
  place: 'fn tax_place(&self) {}',
  mend: '// That is what to mend.',
  landed: '// The earlier attempt may have landed.',
  bulk: 'struct BulkOrders;',
  kept: '// Unknown members are kept.',
  there: '// What came first is there already.',
  gone: '// The connection is gone.',
  answer: 'struct OrderAnswer {',
  wide: 'fn sum(value: Wide) {}',
  'sibling, opaque': '"records": "opaque",',
  penny: 'penny_risk: None,',
  Fault: 'fn inspect() -> Option<Fault> {',
  written: 'order: WrittenOrder,',
  shape: 'record: &Shape,',
  kind: 'fn of(kind: Kind) {}',
  'JSON text': '/// Reads JSON text.',
  text: 'let checked = parse(text, mode).check(&options.rules);',
  'where there': '// The first, where there are several.',
  'where (as a condition)': '// Dropped, where it is null.',
  'what came of': '// What came of it.',
  'so many': '// No more than so many.',
  'of which': '// Orders, of which some fail.',
  nothing: '/// Returns the id, or nothing where the order has none.',
  'is no': '// A list is no order.',
  whom: '// Whom the message is about.',
};

test('every rule has a bad line', () => {
  assert.deepEqual(Object.keys(bad).sort(), rules.map(({ name }) => name).sort());
});

for (const [name, line] of Object.entries(bad)) {
  test(`finds: ${name}`, () => {
    const [finding, ...others] = findWords('src/a.rs', `// Fine.\n${line}`).filter(({ word }) => word === name);
    assert.equal(finding?.line, 2);
    assert.deepEqual(others, []);
  });
}

test('rules for names of the crate are not for TypeScript, the others are', () => {
  const lines = 'type Kind = Fault; // Written at once.\n// What became of it.';
  assert.deepEqual(
    findWords('www/a.ts', lines).map(({ line }) => line),
    [2],
  );
});

test('accepts plain words', () => {
  const good = [
    '/// Returns `None` if the order has no Id.',
    '// There is no total, and there are no lines.',
    '// The standard library replaces it in place; two decimal places.',
    'use std::io::ErrorKind; // InjectedFault, the header X-Fault',
    'match error.kind() {',
    'let json = toml::from_str(text)?; // A file that is being written, in plain text.',
    'std::fs::write(folder.join(file), text).expect("written");',
    'SELECT id FROM orders WHERE id = ?',
    '// The line is no longer valid. The connection is kept alive.',
    '// Island, understand, essay.',
  ];
  assert.deepEqual(findWords('src/a.rs', good.join('\n')), []);
});

const rust = `
/// Whether it is valid.
#[must_use]
pub fn is_valid() {}

/// Returns the id.
///
/// Never fails.
#[expect(
    clippy::indexing_slicing,
    reason = "checked"
)]
pub(crate) const fn id() {}

    /// Positions of the members.
    async fn positions() {}

/// This is the total.
fn total() {}

/// A line of an order.
struct Line;

// Not documentation.
fn undocumented() {}
`;

test('finds functions whose documentation does not begin with a verb', () => {
  assert.deepEqual(
    documentedFunctions(rust).map(({ name }) => name),
    ['is_valid', 'id', 'positions', 'total'],
  );
  assert.deepEqual(
    findDocs('src/a.rs', rust).map(({ line, word }) => [line, word]),
    [
      [2, 'docs of fn is_valid'],
      [15, 'docs of fn positions'],
      [18, 'docs of fn total'],
    ],
  );
});

test('an exception hides only its line, and an unused exception is reported', () => {
  const all = findWords('src/a.rs', '// is gone\n// was gone');
  const used = { file: 'src/a.rs', line: 'is gone', reason: 'a test' };
  const unused = { file: 'src/b.rs', line: 'is gone', reason: 'a test' };
  const result = withoutAllowed(all, [used, unused]);
  assert.deepEqual(
    result.findings.map(({ line }) => line),
    [2],
  );
  assert.deepEqual(result.unused, [unused]);
});

test('the program fails if there are findings, and only then', () => {
  const folder = mkdtempSync(join(tmpdir(), 'check-words-'));
  try {
    const file = join(folder, 'a.rs');
    const run = (text) => {
      writeFileSync(file, text);
      return spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    };
    const passed = run('/// Returns the id.\nfn id() {}\n');
    assert.equal(passed.status, 0, passed.stdout + passed.stderr);
    assert.match(passed.stdout, /1 files, 1 documented functions, 0 findings, 0 exceptions/);
    const failed = run('// It is gone.\n');
    assert.equal(failed.status, 1);
    assert.match(failed.stdout, /a\.rs:1: gone → removed, closed/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
