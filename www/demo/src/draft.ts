/**
 * The order while it is edited. Each value is the text in its field, so that nothing typed is lost or rounded. Members of
 * the order have the names and positions of the specification (§2), so the JSON Pointer of an issue is the pointer of its
 * field too; the page's own members are in lower case. A draft is immutable: edit.ts makes changed copies.
 */
import type { IdentifiedOrder, PreviewOptions } from 'sales-order-intake/slim';

/** The members that have a closed list of values, each with its label. */
const CHOICES = {
  version: { v2: 'v2', v3: 'v3' },
  idFrom: { new: 'New', key: 'From a cart key' },
  locationTaxPricing: { '': 'Unknown', Exclusive: 'Exclusive', Inclusive: 'Inclusive' },
  taxesFrom: { 'point-of-sale': 'The point of sale calculates taxes', order: 'I supply the taxes' },
  scale: { 0: '0', 1: '1', 2: '2', 3: '3', 4: '4' },
  rounding: { 'half-up': 'Up', 'half-even': 'To even', 'half-down': 'Down' },
  roundTaxPer: { line: 'On each line', tax: 'Once per tax' },
  type: { Percentage: 'Fraction', FlatRate: 'Per unit' },
  layer: { 0: 'Price', 1: 'Price + tax' },
};
type Choices = { [Name in keyof typeof CHOICES]: `${keyof (typeof CHOICES)[Name] & (string | number)}` };

/** Returns the choices of a member; undefined if it can have any value. */
export const choicesOf = (member: string) => (CHOICES as Partial<Record<string, Record<string, string>>>)[member];

/** The meaning of a ValueType on this page: an assumption, because it is not published (D14). */
export const ASSUMED_VALUE_TYPES = { amount: 1, percent: 2 };

/** `key` identifies a row while rows move. */
export interface Row {
  key: number;
}
let lastKey = 0;
const newRow = (): Row => ({ key: ++lastKey });

export const newItem = () => ({
  ...newRow(),
  Name: '',
  CatalogItemId: '',
  Quantity: '1',
  SellAtPricePerUnit: '',
  PackageId: '',
  Batch: '',
});
export const newDiscount = () => ({ ...newRow(), Name: '', Value: '', ValueType: '1' });
export const newTax = () => ({ ...newRow(), TaxId: '', TaxAmount: '' });
export const newRate = () => ({
  ...newRow(),
  id: `rate-${lastKey}`,
  name: '',
  rate: '',
  type: 'Percentage' as Choices['type'],
  layer: '0' as Choices['layer'],
  /** Separated by spaces. */
  catalogItemIds: '',
});
export type ItemRow = ReturnType<typeof newItem>;
export type DiscountRow = ReturnType<typeof newDiscount>;
export type TaxRow = ReturnType<typeof newTax>;
export type RateRow = ReturnType<typeof newRate>;

export const emptyDraft = () => ({
  version: 'v3' as Choices['version'],
  idFrom: 'new' as Choices['idFrom'],
  namespace: '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b',
  cartKey: '',
  Id: '',
  CompanyId: '',
  EntityId: '',
  IntegratorId: '',
  locationTaxPricing: '' as Choices['locationTaxPricing'],
  FirstName: '',
  LastName: '',
  CustomerId: '',
  IsDelivery: false,
  TimeSlotDisplayString: '',
  Notes: '',
  Items: [] as ItemRow[],
  Discount: { InvoiceLevel: [] as DiscountRow[] },
  taxesFrom: 'point-of-sale' as Choices['taxesFrom'],
  Taxes: [] as TaxRow[],
  allowEmptyTaxes: false,
  estimate: false,
  rates: [] as RateRow[],
  scale: '2' as Choices['scale'],
  rounding: 'half-up' as Choices['rounding'],
  roundTaxPer: 'line' as Choices['roundTaxPer'],
});
export type Draft = ReturnType<typeof emptyDraft>;

/** Returns the members that are not of the order: another order has the same ones. */
export function optionMembersOf(draft: Draft) {
  const { version, namespace, locationTaxPricing, allowEmptyTaxes, estimate, rates, scale, rounding, roundTaxPer } =
    draft;
  return { version, namespace, locationTaxPricing, allowEmptyTaxes, estimate, rates, scale, rounding, roundTaxPer };
}

/** Returns a new order for the same location. */
export function nextDraft(draft: Draft, Id: string): Draft {
  const { CompanyId, EntityId, IntegratorId } = draft;
  return { ...emptyDraft(), ...optionMembersOf(draft), CompanyId, EntityId, IntegratorId, Id, Items: [newItem()] };
}

// ---------------------------------------------------------------- from an order, or from storage

/** A draft, and the members that were reset because their value is not one of the choices. */
export interface RestoredDraft {
  draft: Draft;
  reset: string[];
}

/**
 * Returns the draft that an earlier visit has stored, perhaps with another version of this page; null if it is not a draft.
 */
export function draftFromStored(stored: unknown): RestoredDraft | null {
  return isRecord(stored) && Array.isArray(stored.Items) ? draftFrom(stored) : null;
}

interface Example {
  version?: string;
  order: Record<string, unknown>;
  preview?: Record<string, unknown>;
}

/** Returns the draft of an order and the options of its preview, for example of a file in examples/. */
export function draftOf({ version, order, preview = {} }: Example): RestoredDraft {
  const { taxRates } = preview;
  const { draft, reset } = draftFrom({ ...order, ...preview, ...(version && { version }), rates: taxRates });
  const taxesFrom = Array.isArray(order.Taxes) ? 'order' : 'point-of-sale';
  return { draft: { ...draft, taxesFrom, estimate: Array.isArray(taxRates) }, reset };
}

export const ratesOf = (rates: unknown): RateRow[] => rowsOf(rates, newRate, []);

function draftFrom(values: Record<string, unknown>): RestoredDraft {
  const { Items, Discount, Taxes, rates } = values;
  const reset: string[] = [];
  const draft = {
    ...filled(emptyDraft(), values, reset),
    Items: rowsOf(Items, newItem, reset),
    Discount: { InvoiceLevel: rowsOf(isRecord(Discount) && Discount.InvoiceLevel, newDiscount, reset) },
    Taxes: rowsOf(Taxes, newTax, reset),
    rates: rowsOf(rates, newRate, reset),
  };
  return { draft, reset };
}

function rowsOf<R extends Row>(values: unknown, blank: () => R, reset: string[]): R[] {
  return Array.isArray(values) ? values.filter(isRecord).map((value) => filled(blank(), value, reset)) : [];
}

/** Copies the members that have a field, as strings. */
function filled<T extends object>(blank: T, values: Record<string, unknown>, reset: string[]): T {
  const members = Object.entries(blank).map(([name, initial]) => {
    const value = Object.hasOwn(values, name) ? values[name] : initial;
    if (typeof initial === 'boolean') return [name, value === true];
    if (typeof initial !== 'string') return [name, initial];
    const text = textOf(value);
    if (Object.hasOwn(choicesOf(name) ?? { [text]: '' }, text)) return [name, text];
    reset.push(name);
    return [name, initial];
  });
  return Object.fromEntries(members) as T;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// ---------------------------------------------------------------- to an order

/**
 * Returns the order of the form. An empty field is an absent member. A typed value may not have the type of its member: the
 * core reports that.
 */
export function orderOf(draft: Draft): IdentifiedOrder {
  const { InvoiceLevel } = draft.Discount;
  const order = {
    Id: draft.Id || undefined,
    CompanyId: integerOf(draft.CompanyId),
    EntityId: integerOf(draft.EntityId),
    FirstName: draft.FirstName || undefined,
    LastName: draft.LastName || undefined,
    CustomerId: draft.CustomerId || undefined,
    IntegratorId: draft.IntegratorId || undefined,
    Items: draft.Items.map(recordOf),
    Discount: InvoiceLevel.length > 0 ? { InvoiceLevel: InvoiceLevel.map(discountOf) } : undefined,
    IsDelivery: draft.IsDelivery,
    Taxes: draft.taxesFrom === 'order' ? draft.Taxes.map(recordOf) : undefined,
    Notes: draft.Notes || undefined,
    TimeSlotDisplayString: draft.TimeSlotDisplayString || undefined,
  };
  return order as unknown as IdentifiedOrder;
}

const discountOf = (row: DiscountRow) => ({ ...recordOf(row), ValueType: integerOf(row.ValueType) });

/** Absent members keep their position, because issues are in the order of the members. */
function recordOf({ key: _, ...members }: Row): object {
  return Object.fromEntries(Object.entries(members).map(([name, text]) => [name, text || undefined]));
}

function integerOf(text: string): bigint | string | undefined {
  return /^\d+$/.test(text) ? BigInt(text) : text || undefined;
}

/** Returns the options for every function of the package: each uses those that concern it (D48). */
export function optionsOf(draft: Draft, explain = false): PreviewOptions {
  const { version, locationTaxPricing, allowEmptyTaxes, scale, rounding, roundTaxPer, estimate, rates } = draft;
  return {
    version,
    locationTaxPricing: locationTaxPricing || null,
    allowEmptyTaxes,
    discountValueTypes: ASSUMED_VALUE_TYPES,
    scale: Number(scale),
    rounding,
    roundTaxPer,
    explain,
    ...(estimate && { taxRates: rates.map(rateOf) }),
  };
}

function rateOf({ id, name, rate, type, layer, catalogItemIds }: RateRow) {
  const ids = catalogItemIds.trim();
  return {
    id,
    name,
    rate,
    type,
    layer: Number(layer) as 0 | 1,
    ...(ids && { catalogItemIds: ids.split(/\s+/) }),
  };
}
