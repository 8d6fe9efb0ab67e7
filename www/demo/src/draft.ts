/**
 * The order while it is edited. Each value is the text in its field, so that nothing typed is lost or rounded. Members of
 * the order have the names and positions of the specification (§2), so the JSON Pointer of an issue is the pointer of its
 * field too; the page's own members are in lower case. A draft is immutable: edit.ts makes changed copies.
 */
import type { IdentifiedOrder, PreviewOptions, SalesOrderItemInput } from 'sales-order-intake/slim';

/** The members that have a closed list of values. */
export const CHOICES = {
  version: ['v2', 'v3'],
  idFrom: ['new', 'key'],
  locationTaxPricing: ['', 'Exclusive', 'Inclusive'],
  taxesFrom: ['point-of-sale', 'order'],
  scale: ['0', '1', '2', '3', '4'],
  rounding: ['half-up', 'half-even', 'half-down'],
  roundTaxPer: ['line', 'tax'],
  type: ['Percentage', 'FlatRate'],
  layer: ['0', '1'],
} as const;
type Choice<Name extends keyof typeof CHOICES> = (typeof CHOICES)[Name][number];

/** `key` identifies a row while rows move. */
export interface Row {
  key: number;
}
export interface ItemRow extends Row {
  Name: string;
  CatalogItemId: string;
  Quantity: string;
  SellAtPricePerUnit: string;
  PackageId: string;
  Batch: string;
}
export interface DiscountRow extends Row {
  Name: string;
  Value: string;
  ValueType: string;
}
export interface TaxRow extends Row {
  TaxId: string;
  TaxAmount: string;
}
export interface RateRow extends Row {
  id: string;
  name: string;
  rate: string;
  type: Choice<'type'>;
  layer: Choice<'layer'>;
  /** Separated by spaces. */
  catalogItemIds: string;
}

export interface Draft {
  version: Choice<'version'>;
  idFrom: Choice<'idFrom'>;
  namespace: string;
  cartKey: string;
  Id: string;
  CompanyId: string;
  EntityId: string;
  IntegratorId: string;
  locationTaxPricing: Choice<'locationTaxPricing'>;
  FirstName: string;
  LastName: string;
  CustomerId: string;
  IsDelivery: boolean;
  TimeSlotDisplayString: string;
  Notes: string;
  Items: ItemRow[];
  Discount: { InvoiceLevel: DiscountRow[] };
  taxesFrom: Choice<'taxesFrom'>;
  Taxes: TaxRow[];
  allowEmptyTaxes: boolean;
  estimate: boolean;
  rates: RateRow[];
  scale: Choice<'scale'>;
  rounding: Choice<'rounding'>;
  roundTaxPer: Choice<'roundTaxPer'>;
}

/** The meaning of a ValueType on this page: an assumption, because it is not published (D14). */
export const ASSUMED_VALUE_TYPES = { amount: 1, percent: 2 };

let lastKey = 0;
const newKey = () => ++lastKey;

export const newItem = (): ItemRow => ({
  key: newKey(),
  Name: '',
  CatalogItemId: '',
  Quantity: '1',
  SellAtPricePerUnit: '',
  PackageId: '',
  Batch: '',
});
export const newDiscount = (): DiscountRow => ({ key: newKey(), Name: '', Value: '', ValueType: '1' });
export const newTax = (): TaxRow => ({ key: newKey(), TaxId: '', TaxAmount: '' });
export const newRate = (): RateRow => ({
  key: newKey(),
  id: `rate-${lastKey}`,
  name: '',
  rate: '',
  type: 'Percentage',
  layer: '0',
  catalogItemIds: '',
});

export const emptyDraft = (): Draft => ({
  version: 'v3',
  idFrom: 'new',
  namespace: '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b',
  cartKey: '',
  Id: '',
  CompanyId: '',
  EntityId: '',
  IntegratorId: '',
  locationTaxPricing: '',
  FirstName: '',
  LastName: '',
  CustomerId: '',
  IsDelivery: false,
  TimeSlotDisplayString: '',
  Notes: '',
  Items: [],
  Discount: { InvoiceLevel: [] },
  taxesFrom: 'point-of-sale',
  Taxes: [],
  allowEmptyTaxes: false,
  estimate: false,
  rates: [],
  scale: '2',
  rounding: 'half-up',
  roundTaxPer: 'line',
});

// ---------------------------------------------------------------- from an order, or from storage

interface Example {
  version?: string;
  order: Record<string, unknown>;
  preview?: Record<string, unknown>;
}

/**
 * Returns the draft of an order and the options of its preview, for example of a file in examples/. A value that is not one
 * of the choices is reset, and its member is added to `reset`.
 */
export function draftOf({ version, order, preview = {} }: Example, reset?: string[]): Draft {
  const { Items, Discount, Taxes, ...rest } = order;
  const draft = fill(emptyDraft(), { ...rest, ...preview, ...(version && { version }) }, reset);
  return {
    ...draft,
    Items: rowsOf(Items, newItem, reset),
    Discount: { InvoiceLevel: rowsOf(isRecord(Discount) ? Discount.InvoiceLevel : undefined, newDiscount, reset) },
    taxesFrom: Array.isArray(Taxes) ? 'order' : 'point-of-sale',
    Taxes: rowsOf(Taxes, newTax, reset),
    estimate: Array.isArray(preview.taxRates),
    rates: ratesOf(preview.taxRates, reset),
  };
}

export const ratesOf = (rates: unknown, reset?: string[]): RateRow[] => rowsOf(rates, newRate, reset);

/**
 * Returns the draft that an earlier visit has stored, perhaps with another version of this page; null if it is not a draft.
 * A value that is not one of the choices is reset, and its member is in `reset`.
 */
export function draftFromStored(stored: unknown): { draft: Draft; reset: string[] } | null {
  if (!isRecord(stored) || !Array.isArray(stored.Items)) return null;
  const reset: string[] = [];
  const draft = fill(emptyDraft(), stored, reset);
  const { Items, Discount, Taxes, rates } = stored;
  return {
    draft: {
      ...draft,
      Items: rowsOf(Items, newItem, reset),
      Discount: { InvoiceLevel: rowsOf(isRecord(Discount) ? Discount.InvoiceLevel : undefined, newDiscount, reset) },
      Taxes: rowsOf(Taxes, newTax, reset),
      rates: rowsOf(rates, newRate, reset),
    },
    reset,
  };
}

function rowsOf<R extends Row>(values: unknown, blank: () => R, reset?: string[]): R[] {
  return Array.isArray(values) ? values.filter(isRecord).map((value) => fill(blank(), value, reset)) : [];
}

/** Copies the members that have a field, as strings. */
function fill<T extends object>(blank: T, values: Record<string, unknown>, reset: string[] = []): T {
  const filled = { ...blank } as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    const initial: unknown = Object.hasOwn(blank, name) ? filled[name] : undefined;
    if (typeof initial === 'boolean') filled[name] = value === true;
    if (typeof initial !== 'string') continue;
    const text = textOf(value);
    if (isChoice(name, text)) filled[name] = text;
    else reset.push(name);
  }
  return filled as T;
}

function isChoice(name: string, text: string): boolean {
  const choices: readonly string[] | undefined = Object.hasOwn(CHOICES, name)
    ? CHOICES[name as keyof typeof CHOICES]
    : undefined;
  return choices === undefined || choices.includes(text);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// ---------------------------------------------------------------- to an order

/**
 * Returns the order of the form. An empty field is an absent member. What is typed may not have the type of its member: the
 * core reports that.
 */
export function orderOf(draft: Draft): IdentifiedOrder {
  const { InvoiceLevel } = draft.Discount;
  const order = {
    Id: draft.Id || undefined,
    CompanyId: integerOf(draft.CompanyId),
    EntityId: integerOf(draft.EntityId),
    ...filledMembers(draft, ['FirstName', 'LastName', 'CustomerId', 'IntegratorId']),
    Items: draft.Items.map(itemOf),
    Discount: InvoiceLevel.length > 0 ? { InvoiceLevel: InvoiceLevel.map(discountOf) } : undefined,
    IsDelivery: draft.IsDelivery,
    Taxes:
      draft.taxesFrom === 'order' ? draft.Taxes.map((row) => filledMembers(row, ['TaxId', 'TaxAmount'])) : undefined,
    ...filledMembers(draft, ['Notes', 'TimeSlotDisplayString']),
  };
  return order as unknown as IdentifiedOrder;
}

const items = new WeakMap<ItemRow, SalesOrderItemInput>();

/** Returns the same object for the same row: an evaluator reads only items that are new objects. */
export function itemOf(row: ItemRow): SalesOrderItemInput {
  const known = items.get(row);
  if (known) return known;
  const names = ['Name', 'CatalogItemId', 'Quantity', 'SellAtPricePerUnit', 'PackageId', 'Batch'] as const;
  const item = filledMembers(row, names) as SalesOrderItemInput;
  items.set(row, item);
  return item;
}

const discountOf = (row: DiscountRow) => ({
  ...filledMembers(row, ['Name', 'Value']),
  ValueType: integerOf(row.ValueType),
});

/** Absent members have their position too: issues come in the order of the members. */
function filledMembers<T>(from: T, names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, from[name] || undefined]));
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
