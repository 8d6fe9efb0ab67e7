/** The amounts on the page equal those of the package in Node, for the shared vectors. */
import { previewOrder, type Preview, type PreviewOptions, type SalesOrderInput } from '../../pkg/dist/esm/index.js';
import { draftOf, orderOf } from '../../www/demo/src/draft';
import { input, subjects } from '../vectors/vectors.mjs';
import { expect, test } from './page';

interface Vector {
  title: string;
  call: string;
  base?: string;
  set?: Record<string, unknown>;
  remove?: string[];
  text?: unknown;
  options?: Record<string, unknown>;
}

const SUBJECTS = ['preview-lines', 'preview-discount', 'preview-tax', 'rounding-range', 'steps'];
const OPTIONS = [
  'version',
  'scale',
  'rounding',
  'roundTaxPer',
  'taxRates',
  'discountValueTypes',
  'locationTaxPricing',
  'allowEmptyTaxes',
  'explain',
];
const ASSUMED = { amount: 1, percent: 2 };

for (const subject of SUBJECTS) {
  test(`the amounts of ${subject}`, async ({ intake, page }) => {
    const { vectors } = subjects.find(({ name }) => name === `${subject}.json`) as { vectors: Vector[] };
    const shown = vectors.filter(isForThePage);
    for (const [index, vector] of shown.entries()) {
      // The name of a line says which order the receipt shows.
      const name = `${subject} ${index}`;
      const order = named(input(vector), name);
      const options = { discountValueTypes: ASSUMED, ...vector.options } as PreviewOptions;
      const preview = previewOrder(order as unknown as SalesOrderInput, options);
      const lines = intake.receipt.locator('[data-of$="/extended"]');
      if (preview.lines.length === 0) {
        // An order without lines shows by the disappearance of those of another order.
        await intake.load('Grams and half cents');
        await expect(lines).not.toHaveCount(0);
      }
      await page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        `order=${encoded(order)}&options=${encoded(vector.options ?? {})}`,
      );
      if (preview.lines.length > 0) await expect(intake.receipt).toContainText(name);
      await expect(lines).toHaveCount(preview.lines.length);
      const figures = await page
        .locator('[data-of]')
        .evaluateAll((all) => all.map((each) => [(each as HTMLElement).dataset.of, each.textContent]));
      for (const [of = '', text] of figures)
        expect(text?.replace('−', ''), `${vector.title}: ${of}`).toBe(valueAt(preview, of) ?? 'unknown');
      const shownAmounts = figures.map(([of]) => of);
      expect(shownAmounts, vector.title).toEqual(
        expect.arrayContaining([
          '/subtotal',
          '/tax/total',
          '/total',
          ...preview.lines.map(({ index }) => `/lines/${index}/extended`),
        ]),
      );
    }
    // The others have values without a field on the page.
    expect(shown.length).toBeGreaterThan(vectors.length / 2);
  });
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Gives the first line of an order a name. */
function named(order: Record<string, unknown>, name: string): Record<string, unknown> {
  const [first, ...others] = order.Items as object[];
  return first ? { ...order, Items: [{ ...first, Name: name }, ...others] } : order;
}

/** Returns true if the editor has a field for every value: then its order is the same. */
function isForThePage(vector: Vector): boolean {
  const { call, base, options = {} } = vector;
  if (call !== 'preview' || !base || Object.keys(options).some((name) => !OPTIONS.includes(name))) return false;
  const types = options.discountValueTypes;
  if (types && JSON.stringify(types) !== JSON.stringify(ASSUMED)) return false;
  // An empty field means that a rate is for all items.
  const rates = (options.taxRates ?? []) as { catalogItemIds?: string[] }[];
  if (rates.some(({ catalogItemIds }) => catalogItemIds?.length === 0)) return false;
  try {
    const order = input(vector) as Record<string, unknown>;
    const edited = orderOf(draftOf({ order }).draft);
    return JSON.stringify(plain({ IsDelivery: false, ...order })) === JSON.stringify(plain(edited));
  } catch {
    return false;
  }
}

/**
 * Makes orders comparable: values as strings, members sorted, absent ones omitted. A ValueType "1" is not the number 1
 * (D14).
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, name === 'ValueType' ? `${typeof each === 'string'} ${each}` : plain(each)]);
}

function valueAt(value: object | Preview, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], value);
}
