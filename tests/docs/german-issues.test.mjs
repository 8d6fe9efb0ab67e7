/**
 * The German messages of examples/recipes/german-issues.ts, which the guide quotes: for the issues of all examples, and
 * as the compiler sees them.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { issuesOf, rowsOf } from '../../docs/generate/issue-codes.mjs';
import { pkg, program, root, target } from '../../scripts/places.mjs';
import { installed } from '../node/installed.mjs';
import { item, minimalOrder } from '../node/orders.mjs';
import { recipe } from '../recipes/recipe.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const RECIPE = 'examples/recipes/german-issues.ts';
const { inGerman, typedNumber } = await recipe('german-issues');
/** The issues of all examples, with the code that each example is about. */
const found = [];
for (const { code, trigger = 'order', order, options, version, fixed } of JSON.parse(
  read('examples/issue-examples.json'),
)) {
  const issues = await issuesOf(trigger, order, { ...(version && { version: `v${version}` }), ...options }, fixed);
  found.push(...issues.map((issue) => ({ of: code, issue, message: inGerman(issue) })));
}

test('a number that a German customer types is in the order as it was meant, or has a German message', async () => {
  const { validateOrder } = (await installed()).esm;
  const typed = (text) => validateOrder(minimalOrder({ Items: [item({ Quantity: typedNumber(text) })] }));
  assert.equal(typed('1,5').order.Items[0].Quantity, '1.5');
  assert.equal(typed('1.299,50').order.Items[0].Quantity, '1299.50');
  for (const text of ['1.5', '12.50', 'zwei']) {
    assert.deepEqual(typed(text).issues.map(inGerman), [
      'Position 1, Menge: Bitte geben Sie eine Zahl an, zum Beispiel 12,50.',
    ]);
  }
});

describe('the issues of all examples', () => {
  test('are of every code', () => {
    const codes = rowsOf(read('src/issue-codes.md')).map(({ code }) => code);
    assert.ok(codes.length > 50);
    assert.deepEqual(new Set(found.map(({ issue }) => issue.code)), new Set(codes));
  });

  test('have German messages: a place, and sentences whose values are all filled in', () => {
    for (const { issue, message } of found) {
      assert.match(message, /^\S.*: \p{Lu}.*[.?]$/u, `${issue.code}: ${message}`);
      assert.doesNotMatch(message, /undefined|NaN|[{}]/, issue.code);
      if (issue.code !== 'rejected_by_service') assert.notEqual(message, issue.message);
    }
  });

  for (const [code, expected] of Object.entries({
    not_json: 'Bestellung: Der Text ist kein gültiges JSON (Zeile 13, Spalte 3).',
    too_large: 'Bestellung: Mehr als 33.554.432 Byte sind nicht möglich. Bitte teilen Sie die Bestellung auf.',
    integer_out_of_range: 'Standort: Die Zahl muss zwischen 1 und 2.147.483.647 liegen.',
    discount_clamped:
      'Rabatt, Abzug 1, Wert: Der Rabatt übersteigt die verbleibende Zwischensumme. Er wird auf sie begrenzt.',
    text_long:
      'Zeitfenster: Der Text hat 66 Zeichen. Bitte kürzen Sie ihn auf 50, damit ihn die Kasse gut anzeigen kann.',
    unknown_member: 'notes: Diese Angabe ist unbekannt. Meinten Sie „Notes“?',
    rejected_by_service:
      'Position 1, Artikel: Der Dienst hat die Bestellung abgelehnt: The product is not sold at this location.',
  }))
    test(`the message of ${code} is in good German`, () => {
      const messages = found.filter(({ of, issue }) => of === code && issue.code === code);
      assert.equal(messages[0]?.message, expected);
    });
});

test('a member that is missing because its name is misspelt is named', () => {
  const issue = { code: 'missing', path: ['Id'], params: { suggestion: 'Id', found: 'id' } };
  assert.equal(inGerman(issue), 'ID: Diese Angabe fehlt. Angegeben ist stattdessen „id“.');
});

test('a text that a service cannot read may have no position', () => {
  const issue = { code: 'not_json', path: [], params: {} };
  assert.equal(inGerman(issue), 'Bestellung: Der Text ist kein gültiges JSON.');
});

test('the guide shows what the recipe returns', async () => {
  const { esm } = await installed();
  const order = minimalOrder({ Notes: 'n'.repeat(312), Items: [item(), item(), item({ Quantity: undefined })] });
  const [, shown] = /```text\n([\s\S]*?)```/.exec(read('docs/guides/translate.md')) ?? [];
  assert.equal(
    shown,
    esm
      .evaluateOrder(order)
      .issues.map((issue) => `${inGerman(issue)}\n`)
      .join(''),
  );
});

describe('the compiler', () => {
  const source = read(RECIPE);
  const changes = [
    { what: 'a code without a sentence', from: /^ {2}price_zero: .*\n/m, to: '', error: /'price_zero' is missing/ },
    { what: 'a misspelt value', from: /, length }/, to: ', lenght }', error: /'lenght' does not exist/ },
    {
      what: 'a value of another code',
      from: /finite: \(\)/,
      to: 'finite: ({ limit })',
      error: /'limit' does not exist/,
    },
  ];
  const versions = changes.map(({ from, to }) => source.replace(from, to));
  const errors = errorsOf([source, ...versions]);

  test('accepts the recipe', () => assert.equal(errors[0], ''));

  for (const [index, { what, error }] of changes.entries())
    test(`finds ${what}`, () => {
      assert.notEqual(versions[index], source);
      assert.match(errors[index + 1] ?? '', error);
    });
});

/** Compiles versions of the recipe, and returns what the compiler reports about each. */
function errorsOf(texts) {
  const folder = join(target, 'german-issues');
  mkdirSync(folder, { recursive: true });
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, `version-${index}.ts`), text);
  const config = {
    extends: join(root, 'examples/recipes/tsconfig.json'),
    compilerOptions: { paths: { 'sales-order-intake': [join(pkg, 'dist/esm/index.d.ts')] } },
    include: ['*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = [program('typescript/bin/tsc'), '-p', folder, '--pretty', 'false'];
  const lines = spawnSync(process.execPath, tsc, { encoding: 'utf8' }).stdout.split('\n');
  return texts.map((_, index) => lines.filter((line) => line.includes(`version-${index}.ts`)).join('\n'));
}
