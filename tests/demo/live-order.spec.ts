/** The page's live order, edited at random, says of each form what the functions of the package say of all of it. */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { previewOrder, validateOrder, type PreviewOptions } from 'sales-order-intake/slim';
import {
  draftOf,
  emptyDraft,
  newDiscount,
  newItem,
  newRate,
  newTax,
  orderOf,
  previewOptionsOf,
  rulesOf,
  type Draft,
} from '../../www/demo/src/draft';
import { edited, type Edit } from '../../www/demo/src/edit';
import { LiveOrder } from '../../www/demo/src/live-order';
import { generator } from '../oracle/random-orders.mjs';

type Random = ReturnType<typeof generator>;

const SEED = Number(process.env.SEED ?? 20_261_121);
const EDITS = 4000;

const FORMS = [
  '../../examples/grams-v2',
  '../../examples/member-v3',
  '../../www/demo/src/examples/supplied-taxes',
  '../../www/demo/src/examples/wrong',
]
  .map((name) => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')))
  .map((given) => draftOf(given));

test(`${EDITS} random edits, each evaluated as by the functions for the whole order (SEED=${SEED})`, () => {
  const random = generator(SEED);
  const live = new LiveOrder();
  let form = FORMS[0] as Draft;
  let explain = false;
  const seen = { sendable: 0, wrongRates: 0, estimates: 0, emptied: 0 };
  for (let i = 0; i < EDITS; i++) {
    // The page skips forms while somebody types quickly.
    for (let edits = random.chance(0.2) ? 3 : 1; edits > 0; edits--) form = edited(form, anEdit(random, form));
    if (random.chance(0.03)) explain = !explain;
    const { canBeSent, preview, amounts, issues } = live.evaluate(form, explain);
    const said = {
      canBeSent,
      preview: { ...preview },
      amounts,
      issues: issues.slice(0, preview.issues.length),
      rate: issues.slice(preview.issues.length).map(({ pointer }) => /^\/rates\/(\d+)\/\w+$/.exec(pointer)?.[1]),
    };
    const whole = asAWhole(form, explain);
    if (!isDeepStrictEqual(said, whole))
      expect(said, `edit ${i}, explain ${explain}, form ${JSON.stringify(form)}`).toEqual(whole);
    if (whole.canBeSent) seen.sendable++;
    if (whole.rate.length > 0) seen.wrongRates++;
    if (whole.preview.tax.source === 'estimated') seen.estimates++;
    if (form.Items.length === 0) seen.emptied++;
  }
  console.log(`evaluated: ${JSON.stringify(seen)}`);
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(EDITS / 200);
});

test('of 300 lines, the one that changed is looked at', () => {
  const live = new LiveOrder();
  const looked = new Set<number>();
  const { Items, ...rest } = FORMS[1] as Draft;
  const watched = (index: number) =>
    new Proxy({ ...Items[index % Items.length], key: index } as Draft['Items'][number], {
      get(row, name) {
        looked.add(index);
        return Reflect.get(row, name);
      },
    });
  const form = { ...rest, estimate: false, Items: Array.from({ length: 300 }, (_, index) => watched(index)) };
  const before = live.evaluate(form, false);
  expect(looked.size).toBe(300);
  looked.clear();
  const after = live.evaluate({ ...form, Items: form.Items.with(7, watched(300)) }, false);
  expect([...looked]).toEqual([300]);
  expect(after.preview.subtotal).not.toBe(before.preview.subtotal);
});

test('a whole number and the text that looks most like it are told apart', () => {
  const live = new LiveOrder();
  const form = FORMS[1] as Draft;
  for (const CompanyId of ['5', '5n', '5', '["5"]', '5'])
    expect(live.evaluate({ ...form, CompanyId }, false).canBeSent, CompanyId).toBe(CompanyId === '5');
});

/** Where the core refuses a rate, the figures do without all of them, and it is said of that one. */
function asAWhole(form: Draft, explain: boolean) {
  const order = orderOf(form);
  const { taxRates, ...rest } = { ...previewOptionsOf(form), explain };
  const said = (options: PreviewOptions, rate: string[]) => {
    const preview = { ...previewOrder(order, options) };
    const amounts = preview.lines.map(({ extended }) => extended);
    return { canBeSent: validateOrder(order, rulesOf(form)).ok, preview, amounts, issues: preview.issues, rate };
  };
  try {
    return said(taxRates ? { ...rest, taxRates } : rest, []);
  } catch (error) {
    return said(rest, [/^options\.taxRates\[(\d+)\]/.exec((error as Error).message)?.[1] ?? '?']);
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
/** By the list they stand in. */
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

function anEdit(random: Random, form: Draft): Edit {
  if (random.chance(0.08)) return { kind: 'load', draft: random.pick([...FORMS, emptyDraft()]) };
  if (random.chance(0.02)) return { kind: 'set', at: '/Items', to: [] };
  if (random.chance(0.15)) {
    const name = random.pick(Object.keys(MEMBERS));
    return { kind: 'set', at: `/${name}`, to: random.pick([...(MEMBERS[name] ?? [])]) };
  }
  const list: keyof typeof FIELDS = random.chance(0.7)
    ? 'Items'
    : random.pick(['Discount/InvoiceLevel', 'Taxes', 'rates']);
  const rows = {
    Items: form.Items,
    'Discount/InvoiceLevel': form.Discount.InvoiceLevel,
    Taxes: form.Taxes,
    rates: form.rates,
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
