/** Tests that the evaluation of an edited draft equals a fresh evaluation of its order. */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { evaluateOrder, OptionError, type Evaluation, type PreviewOptions } from 'sales-order-intake/slim';
import {
  draftOf,
  emptyDraft,
  newDiscount,
  newItem,
  newRate,
  newTax,
  orderOf,
  optionsOf,
  type Draft,
} from '../../www/demo/src/draft';
import { edited, type Edit } from '../../www/demo/src/edit';
import { createDraftEvaluator, type DraftEvaluator } from '../../www/demo/src/evaluation';
import { generator } from '../oracle/random-orders.mjs';
import { expect, test } from './page';

type Random = ReturnType<typeof generator>;

const SEED = Number(process.env.SEED ?? 20_261_121);
const EDITS = 4000;

const DRAFTS = [
  '../../examples/grams-v2',
  '../../examples/member-v3',
  '../../www/demo/src/examples/supplied-taxes',
  '../../www/demo/src/examples/wrong',
]
  .map((name) => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')))
  .map((example) => draftOf(example).draft);

test(`${EDITS} random edits, each evaluated like the whole order (SEED=${SEED})`, () => {
  const random = generator(SEED);
  let draft = DRAFTS[0] as Draft;
  let explain = false;
  let known = '';
  let evaluator: DraftEvaluator | undefined;
  const seen = { valid: 0, invalidRates: 0, estimates: 0, empty: 0 };
  for (let i = 0; i < EDITS; i++) {
    // The page skips drafts during fast typing.
    for (let edits = random.chance(0.2) ? 3 : 1; edits > 0; edits--) draft = edited(draft, anEdit(random, draft));
    if (random.chance(0.03)) explain = !explain;
    const options = optionsOf(draft, explain);
    if (!evaluator || known !== JSON.stringify(options)) evaluator = createDraftEvaluator(options);
    known = JSON.stringify(options);
    const evaluation = evaluator.evaluate(draft);
    const actual = { ...contentOf(evaluation), rate: evaluator.optionIssues.map(({ path }) => path[1]) };
    const expected = evaluatedAsAWhole(draft, explain);
    if (!isDeepStrictEqual(actual, expected))
      expect(actual, `edit ${i}, explain ${explain}, draft ${JSON.stringify(draft)}`).toEqual(expected);
    if (expected.ok) seen.valid++;
    if (expected.rate.length > 0) seen.invalidRates++;
    if (expected.totals.tax.source === 'estimated') seen.estimates++;
    if (draft.Items.length === 0) seen.empty++;
  }
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(EDITS / 200);
});

function contentOf(evaluation: Evaluation) {
  const { ok, issues, totals } = evaluation;
  return {
    ok,
    issues,
    totals,
    order: evaluation.order(),
    preview: evaluation.preview(),
    request: ok && evaluation.request(),
  };
}

/** Evaluates the whole order. If the core rejects a rate, omits all rates and reports the issue at that rate. */
function evaluatedAsAWhole(draft: Draft, explain: boolean) {
  const { taxRates, ...rest } = optionsOf(draft, explain);
  const evaluated = (options: PreviewOptions) => contentOf(evaluateOrder(orderOf(draft), options));
  try {
    return { ...evaluated(taxRates ? { ...rest, taxRates } : rest), rate: [] };
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return { ...evaluated(rest), rate: [error.option.split('/')[2]] };
  }
}

const DECIMALS = ['0', '1', '2.345', '12.50', '0.005', '1,5', '-3', '', '4.99', '9999999999999999999999999999', '7'];
const TEXTS = [
  '',
  'Tea',
  'x'.repeat(300),
  '5',
  '0b9c8d7e-6f5a-4b3c-92d1-e0f1a2b3c4d5',
  'c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e',
  '2301',
];
/** The values to try for each member, by the list that contains it. */
const FIELDS = {
  Items: { Quantity: DECIMALS, SellAtPricePerUnit: DECIMALS, Name: TEXTS, CatalogItemId: TEXTS, Batch: TEXTS },
  'Discount/InvoiceLevel': { Name: TEXTS, Value: DECIMALS, ValueType: ['1', '2', '3', ''] },
  Taxes: { TaxId: TEXTS, TaxAmount: DECIMALS },
  rates: {
    id: ['gst', 'pst', ''],
    rate: ['0.05', '.', 'seven', '0.07', '0.1'],
    layer: ['0', '1'],
    catalogItemIds: TEXTS,
  },
} as const;
const MEMBERS: Record<string, readonly unknown[]> = {
  ...Object.fromEntries(
    ['Id', 'CompanyId', 'EntityId', 'IntegratorId', 'FirstName', 'CustomerId', 'Notes', 'TimeSlotDisplayString'].map(
      (name) => [name, TEXTS],
    ),
  ),
  version: ['v2', 'v3'],
  locationTaxPricing: ['', 'Exclusive', 'Inclusive'],
  taxesFrom: ['point-of-sale', 'order'],
  scale: ['0', '2', '4'],
  rounding: ['half-up', 'half-even'],
  roundTaxPer: ['line', 'tax'],
  IsDelivery: [true, false],
  allowEmptyTaxes: [true, false],
  estimate: [true, false, false],
};

function anEdit(random: Random, draft: Draft): Edit {
  if (random.chance(0.08)) return { kind: 'load', draft: random.pick([...DRAFTS, emptyDraft()]) };
  if (random.chance(0.02)) return { kind: 'set', at: '/Items', to: [] };
  if (random.chance(0.15)) {
    const name = random.pick(Object.keys(MEMBERS));
    return { kind: 'set', at: `/${name}`, to: random.pick([...(MEMBERS[name] ?? [])]) };
  }
  const list: keyof typeof FIELDS = random.chance(0.7)
    ? 'Items'
    : random.pick(['Discount/InvoiceLevel', 'Taxes', 'rates']);
  const rows = {
    Items: draft.Items,
    'Discount/InvoiceLevel': draft.Discount.InvoiceLevel,
    Taxes: draft.Taxes,
    rates: draft.rates,
  }[list];
  const blank = { Items: newItem, 'Discount/InvoiceLevel': newDiscount, Taxes: newTax, rates: newRate }[list];
  const at = `/${list}/${random.below(rows.length)}`;
  if (rows.length === 0 || random.chance(0.12)) return { kind: 'add', at: `/${list}`, row: blank() };
  if (random.chance(0.12)) return { kind: 'remove', at };
  if (random.chance(0.12)) return { kind: 'move', at, by: random.pick([1, -1] as const) };
  const fields: Record<string, readonly string[]> = FIELDS[list];
  const name = random.pick(Object.keys(fields));
  return { kind: 'set', at: `${at}/${name}`, to: random.pick([...(fields[name] ?? [])]) };
}
