/**
 * The order as it is being edited: every value is the text that stands in its field, so that nothing typed is lost or
 * rounded. Members of the order have the names and places of the specification (§2), so a JSON Pointer of an issue
 * names a field here too; what is the page's own is in lower case.
 */
import type { PreviewOptions, RuleOptions, SalesOrderItemInput, Version } from 'sales-order-intake/slim';

/** `key` tells rows apart while they move. */
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
  type: string;
  layer: string;
  /** Separated by blanks. */
  catalogItemIds: string;
}

export interface Draft {
  version: Version;
  idFrom: 'new' | 'key';
  namespace: string;
  cartKey: string;
  Id: string;
  CompanyId: string;
  EntityId: string;
  IntegratorId: string;
  locationTaxPricing: '' | 'Exclusive' | 'Inclusive';
  FirstName: string;
  LastName: string;
  CustomerId: string;
  IsDelivery: boolean;
  TimeSlotDisplayString: string;
  Notes: string;
  Items: ItemRow[];
  Discount: { InvoiceLevel: DiscountRow[] };
  taxesFrom: 'point-of-sale' | 'order';
  Taxes: TaxRow[];
  allowEmptyTaxes: boolean;
  estimate: boolean;
  rates: RateRow[];
  scale: string;
  rounding: string;
  roundTaxPer: string;
}

/** ValueType as this page reads it: published nowhere, an assumption (D14). */
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

// ---------------------------------------------------------------- from an order

interface Given {
  version?: string;
  order: Record<string, unknown>;
  preview?: Record<string, unknown>;
}

/** The draft of an order as JSON has it, such as an example, with the options of its preview. */
export function draftOf({ version, order, preview = {} }: Given): Draft {
  const draft = emptyDraft();
  const { Items, Discount, Taxes, ...rest } = order;
  fill(draft, { ...rest, ...preview, ...(version && { version }) });
  draft.Items = rows(Items, newItem);
  draft.Discount.InvoiceLevel = rows(
    (Discount as { InvoiceLevel?: unknown } | null | undefined)?.InvoiceLevel,
    newDiscount,
  );
  if (Array.isArray(Taxes)) draft.taxesFrom = 'order';
  draft.Taxes = rows(Taxes, newTax);
  draft.estimate = Array.isArray(preview.taxRates);
  draft.rates = ratesOf(preview.taxRates);
  return draft;
}

export const ratesOf = (rates: unknown): RateRow[] => rows(rates, newRate);

function rows<R extends Row>(values: unknown, blank: () => R): R[] {
  return Array.isArray(values) ? values.map((value) => fill(blank(), value as object)) : [];
}

/** Takes over the members that there is a field for, as text. */
function fill<T extends object>(blank: T, values: object): T {
  for (const [name, value] of Object.entries(values)) {
    const had: unknown = Reflect.get(blank, name);
    if (typeof had === 'boolean') Reflect.set(blank, name, value === true);
    else if (typeof had === 'string')
      Reflect.set(blank, name, Array.isArray(value) ? value.join(' ') : String(value ?? ''));
  }
  return blank;
}

// ---------------------------------------------------------------- to an order

/** The order as the package takes it. An empty field is an absent member; what is no number goes as the text it is. */
export function orderOf(draft: Draft): Record<string, unknown> {
  const { InvoiceLevel } = draft.Discount;
  return {
    // Never absent: the package would make one, and the page shows the one that is sent.
    Id: draft.Id,
    CompanyId: whole(draft.CompanyId),
    EntityId: whole(draft.EntityId),
    ...texts(draft, ['FirstName', 'LastName', 'CustomerId', 'IntegratorId']),
    Items: draft.Items.map(itemOf),
    Discount:
      InvoiceLevel.length > 0
        ? {
            InvoiceLevel: InvoiceLevel.map((row) => ({
              ...texts(row, ['Name', 'Value']),
              ValueType: whole(row.ValueType),
            })),
          }
        : undefined,
    IsDelivery: draft.IsDelivery,
    Taxes: draft.taxesFrom === 'order' ? draft.Taxes.map((row) => texts(row, ['TaxId', 'TaxAmount'])) : undefined,
    ...texts(draft, ['Notes', 'TimeSlotDisplayString']),
  };
}

export const itemOf = (row: ItemRow): SalesOrderItemInput =>
  texts(row, ['Name', 'CatalogItemId', 'Quantity', 'SellAtPricePerUnit', 'PackageId', 'Batch']) as SalesOrderItemInput;

/** What is absent has its place: issues come in the order of the members, also where one is filled in later. */
function texts<T>(from: T, names: (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, from[name] || undefined]));
}

function whole(text: string): bigint | string | undefined {
  return /^\d+$/.test(text) ? BigInt(text) : text || undefined;
}

export function rulesOf({ version, locationTaxPricing, allowEmptyTaxes }: Draft): RuleOptions {
  return { version, locationTaxPricing: locationTaxPricing || null, allowEmptyTaxes };
}

export function previewOptionsOf(draft: Draft): PreviewOptions {
  const { scale, rounding, roundTaxPer, estimate, rates } = draft;
  const options = {
    ...rulesOf(draft),
    scale: Number(scale),
    rounding,
    roundTaxPer,
    discountValueTypes: ASSUMED_VALUE_TYPES,
    ...(estimate && {
      taxRates: rates.map(({ id, name, rate, type, layer, catalogItemIds }) => ({
        id,
        name,
        rate,
        type,
        layer: Number(layer),
        ...(catalogItemIds.trim() && { catalogItemIds: catalogItemIds.trim().split(/\s+/) }),
      })),
    }),
  };
  return options as PreviewOptions;
}
