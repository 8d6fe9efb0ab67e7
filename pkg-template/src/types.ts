// ---------------------------------------------------------------- values

/** GUID text in the .NET "D" form: lower case, hyphens, never all zero (D1). */
export type Guid = string;

/** Version of the operation. v2 has no customer pricing, v3 has (§9). */
export type Version = 'v2' | 'v3';

/**
 * A decimal as the caller has it: JSON number text, an integer, a number or an object that prints itself as one
 * (decimal.js, big.js, an own class). A number is taken by its shortest text, never by its bits: `19.99` is exactly
 * 19.99. NaN, infinities and what does not fit a 96-bit decimal with 0 to 28 fraction digits are errors (D8).
 */
export type DecimalInput = number | string | bigint | { toString(): string };

/** A decimal as the package gives it: plain notation, exact digits (D8). */
export type DecimalText = string;

// ---------------------------------------------------------------- the order, as sent (§2)

/**
 * Sales order in its request form (§2.1). Read-only members may be present, for instance where an earlier response is
 * sent again; they never reach the wire (D22).
 */
export interface SalesOrderInput {
  /** Order id, any .NET form of GUID. {@link buildOrder} and {@link prepareRequest} fill it where missing (D2, D3). */
  Id?: string;
  /** Company of the order, 1 to 2,147,483,647 (D4). */
  CompanyId: number;
  /** Location of the order, 1 to 2,147,483,647 (D4). */
  EntityId: number;
  /** GUID of the integrator that creates the order (§1). */
  IntegratorId: string;
  /** Line items, at least one (§2.1 rule 1). */
  Items: SalesOrderItemInput[];
  /** Customer's first name. */
  FirstName?: string | null;
  /** Customer's last name. */
  LastName?: string | null;
  /** GUID of the customer. v2 ignores customer pricing (D20). */
  CustomerId?: string | null;
  /** Invoice-level discounts; null or absent: none (D13). */
  Discount?: SalesOrderDiscount | null;
  /** Supplied taxes replace *all* taxes of the point of sale; null or absent: it calculates (§2.1 rules 2 and 3, D9). */
  Taxes?: SalesOrderTaxInput[] | null;
  /** True for a delivery order. */
  IsDelivery?: boolean;
  /** Shown at the point of sale: keep it brief. */
  Notes?: string;
  /** Delivery information, shown at the point of sale: keep it brief. */
  TimeSlotDisplayString?: string;
  /** Unused by the service (D23). */
  OrderNumber?: string;
  /** Unused by the service (D23). */
  ExternalOrderId?: string;
}

/** Line item (§2.3). */
export interface SalesOrderItemInput {
  /** GUID of the product (D5). */
  CatalogItemId: string;
  /** Count or grams, by product; greater than zero (D6). */
  Quantity: DecimalInput;
  /** Price of one unit before tax, not negative (D7). */
  SellAtPricePerUnit: DecimalInput;
  /** Shown at the point of sale; a warning where missing (D5). */
  Name?: string;
  /** Regulator's tag of the package sold from. */
  PackageId?: string;
  /** Batch sold from. */
  Batch?: string;
}

/** Supplied tax (§2.5). Its members are those of sibling operations; others are kept (D10). */
export interface SalesOrderTaxInput {
  /** GUID of the tax. */
  TaxId: string;
  /** Amount in currency, not negative. Never recalculated (D11). */
  TaxAmount: DecimalInput;
  [member: string]: unknown;
}

/** Invoice-level discounts (§2.4). Its members are those of sibling operations; others are kept (D13). */
export interface SalesOrderDiscount {
  /** Applied in the order given, each to what the one before left (D15). */
  InvoiceLevel?: {
    Name?: string;
    /** Amount or percentage (0 to 100), as ValueType says. */
    Value: DecimalInput;
    /** Passed through untouched; which value means what is published nowhere (D14). */
    ValueType: number | string;
  }[];
  [member: string]: unknown;
}

// ---------------------------------------------------------------- the order, as given back (§2)

/**
 * Sales order as the package gives it: GUIDs in D form, decimals as text. In the order of a {@link Verdict} the
 * required members are there and the read-only ones are not; in one read by {@link readOrder} any may be missing, and
 * null stands where a member could not be read (D26).
 */
export interface SalesOrderV2V3Put {
  /** Order id. */
  Id?: Guid | null;
  /** Company of the order. */
  CompanyId?: number | null;
  /** Location of the order. */
  EntityId?: number | null;
  /** Read-only: whether the order was created with inventory hold enabled. */
  WasCreatedWithInventoryHold?: boolean | null;
  /** Customer's first name. */
  FirstName?: string | null;
  /** Customer's last name. */
  LastName?: string | null;
  /** Customer of the order. */
  CustomerId?: Guid | null;
  /** Read-only: time of creation, ISO 8601 with UTC offset (D41). */
  DateCreatedUtc?: string | null;
  /** Read-only: the integrator that created the order. */
  OrderSource?: SalesOrderV2V3PutOrderSource | null;
  /** Unused by the service (D23). */
  OrderNumber?: string | null;
  /** Integrator that creates the order. */
  IntegratorId?: Guid | null;
  /** Line items. */
  Items?: (SalesOrderV2V3PutOrderItem | null)[] | null;
  /** Invoice-level discounts (D13). */
  Discount?: SalesOrderV2V3PutOrderDiscount | null;
  /** True for a delivery order. */
  IsDelivery?: boolean | null;
  /** Read-only: receipt number made by the point of sale. */
  ReceiptNumber?: string | null;
  /** Unused by the service (D23). */
  ExternalOrderId?: string | null;
  /** Supplied taxes, or those of the point of sale in a response. */
  Taxes?: (SalesOrderV2V3PutOrderTax | null)[] | null;
  /** Notes shown at the point of sale. */
  Notes?: string | null;
  /** Delivery information shown at the point of sale. */
  TimeSlotDisplayString?: string | null;
  /** Members that are not part of the specification are kept (D25, D26). */
  [member: string]: unknown;
}

/** The integrator that created an order (§2.2). */
export interface SalesOrderV2V3PutOrderSource {
  Id?: Guid | null;
  Name?: string | null;
  [member: string]: unknown;
}

/** Line item as given back (§2.3). */
export interface SalesOrderV2V3PutOrderItem {
  Name?: string | null;
  CatalogItemId?: Guid | null;
  Quantity?: DecimalText | null;
  SellAtPricePerUnit?: DecimalText | null;
  PackageId?: string | null;
  Batch?: string | null;
  [member: string]: unknown;
}

/** Invoice-level discounts as given back (§2.4, D13). */
export interface SalesOrderV2V3PutOrderDiscount {
  InvoiceLevel?:
    | ({
        Name?: string | null;
        Value?: DecimalText | null;
        ValueType?: number | string | null;
        [member: string]: unknown;
      } | null)[]
    | null;
  [member: string]: unknown;
}

/** Tax as given back (§2.5, D10). */
export interface SalesOrderV2V3PutOrderTax {
  TaxId?: Guid | null;
  TaxAmount?: DecimalText | null;
  [member: string]: unknown;
}

// ---------------------------------------------------------------- verdicts

/** `error` blocks the request · `warning` is sent but probably not meant · `notice` is worth telling the user. */
export type Severity = 'error' | 'warning' | 'notice';

/** One thing to say about one place of an order. ISSUE-CODES.md lists all codes. */
export interface Issue {
  /** From a closed, documented set, snake_case, never renamed. Messages may change; codes may not. */
  code: string;
  severity: Severity;
  message: string;
  /** The place, as JSON Pointer (RFC 6901): `/Items/3/Quantity`. `""` is the whole order. */
  pointer: string;
  /** The same place for Standard Schema and form libraries: `["Items", 3, "Quantity"]`. */
  path: (string | number)[];
  /** What to do about it, where that can be said. */
  hint?: string;
}

/**
 * Every issue of an order, not the first one, in document order. `ok` means that none is an error; warnings and notices
 * may be there all the same. `order` is made when it is first read.
 */
export type Verdict = { ok: true; order: SalesOrderV2V3Put; issues: Issue[] } | { ok: false; issues: Issue[] };

/** What the rules depend on. */
export interface RuleOptions {
  /** @default 'v3' */
  version?: Version;
  /** The order id of the path, where the caller has it: fills a missing Id, and another Id is an error (D3). */
  orderId?: string;
  /** Tax pricing configuration of the location, where the caller knows it. Inclusive is an error (§1, D21). */
  locationTaxPricing?: 'Exclusive' | 'Inclusive' | null;
  /** `Taxes: []` replaces the taxes of the point of sale by none: an error unless this says it is meant (D9). */
  allowEmptyTaxes?: boolean;
  /**
   * `strict` checks Discount and Taxes records as D10 and D13 describe them, `passthrough` sends them unread.
   * @default 'strict'
   */
  records?: 'strict' | 'passthrough';
  /**
   * What the ValueType of a discount means; without it the amount of a discount is unknown (D14). With it, a percentage above 100
   * is an error of the order in every function (D15).
   */
  discountValueTypes?: { amount: number | string; percent: number | string };
}

/** The PUT as a value: all that a request needs but the base URL and the token (§4). */
export interface PreparedRequest {
  method: 'PUT';
  version: Version;
  orderId: Guid;
  /** Relative to the base URL, without a leading slash: `v3/ServiceOrder(…)` (D38). */
  path: string;
  /** Authorization is the caller's to add (§5). */
  headers: { Accept: 'application/json'; 'Content-Type': 'application/json' };
  /** JSON text with the exact digits of every decimal. Send it as it is: parsing and printing it again may lose them. */
  body: string;
  /** Warnings and notices; errors throw. */
  issues: Issue[];
}

// ---------------------------------------------------------------- preview (§2.1 rules 2 and 3)

/** What happens to a half at the last digit: away from zero, to the even digit, or towards zero (D18). */
export type Rounding = 'half-up' | 'half-even' | 'half-down';

/** A tax rate the caller knows, for an estimate (D12). */
export interface TaxRate {
  /** Taken over into the estimate as `taxId`. */
  id: string;
  name?: string;
  /** Percentage: a fraction, 0.05 is five percent. FlatRate: an amount of currency per unit sold. */
  rate: DecimalInput;
  /** @default 'Percentage' */
  type?: 'Percentage' | 'FlatRate';
  /**
   * 1 is calculated on price plus layer 0.
   * @default 0
   */
  layer?: 0 | 1;
  /** Catalog items it applies to; all where absent. */
  catalogItemIds?: string[];
}

/** How a preview computes. */
export interface PreviewOptions extends RuleOptions {
  /**
   * Fraction digits of the currency, 0 to 4.
   * @default 2
   */
  scale?: number;
  /** @default 'half-up' */
  rounding?: Rounding;
  /**
   * Where tax is rounded: each tax on each line, or once per tax (D18).
   * @default 'line'
   */
  roundTaxPer?: 'line' | 'tax';
  /** Where the caller knows the rates: an estimate instead of "unknown" where Taxes is absent (D12). */
  taxRates?: TaxRate[];
  /** Also give `steps`: how every number came about. */
  explain?: boolean;
}

/** Totals of an order before it is sent. Amounts are in currency with `scale` fraction digits; null means unknown. */
export interface Preview {
  version: Version;
  scale: number;
  rounding: Rounding;
  /** Made when they are first read: until then the core computes the totals only. */
  lines: PreviewLine[];
  /** Sum of the rounded extended prices. */
  subtotal: DecimalText | null;
  discount: {
    total: DecimalText | null;
    /** One per entry of InvoiceLevel, in its order. */
    entries: { name: string | null; amount: DecimalText | null }[];
  };
  tax: {
    /**
     * `supplied` replaces everything the point of sale would calculate (D11); `estimated` comes from `taxRates`;
     * `point-of-sale` means that it is unknown here, and `total` is null (D12).
     */
    source: 'supplied' | 'estimated' | 'point-of-sale';
    total: DecimalText | null;
    entries: { taxId: string; name: string | null; amount: DecimalText }[];
  };
  /** subtotal − discount + tax; null while one of them is unknown. */
  total: DecimalText | null;
  /** Lowest and highest total over the other rounding modes and levels; null where `total` is null (D19). */
  roundingRange: { min: DecimalText; max: DecimalText } | null;
  /** With `explain`: one step a number, in the order they were computed. */
  steps?: Step[];
  /** Those of {@link buildOrder}, and why an amount is unknown. */
  issues: Issue[];
}

/** One line of a preview, for the item at `index`. */
export interface PreviewLine {
  index: number;
  name: string | null;
  /** As given. */
  quantity: DecimalText | null;
  /** As given. */
  unitPrice: DecimalText | null;
  /** quantity × unit price, rounded once (D18). */
  extended: DecimalText | null;
  /** This line's share of the invoice-level discount; the shares sum to it exactly (D17). */
  discount: DecimalText | null;
  /** Supplied taxes are all shown on line 0; other lines show zero (§2.1 rule 2). */
  tax: DecimalText | null;
  taxes: { taxId: string; amount: DecimalText }[];
  /** extended − discount + tax. */
  total: DecimalText | null;
}

/** An order to send and its totals, judged once. `ok` means: no error. */
export type PreparedOrder =
  | { ok: true; request: PreparedRequest; preview: Preview; issues: Issue[] }
  | { ok: false; request: null; preview: Preview; issues: Issue[] };

/**
 * How one number came about:
 * `{ of: "/lines/0/extended", expression: "2.345 × 12.50", exact: "29.3125", result: "29.31", rule: "D18" }`.
 */
export interface Step {
  /** The number, as JSON Pointer into the preview. */
  of: string;
  expression: string;
  /** Before rounding. */
  exact: DecimalText;
  /** After rounding. */
  result: DecimalText;
  /** The decision it follows. */
  rule: string;
}

// ---------------------------------------------------------------- drafts

/**
 * An order that is edited. Its answers are those of the functions for the order as it stands, and after a change to one
 * line they come in the same time for ten thousand lines as for ten. What needs every line is made when it is first read:
 * `lines` of a preview, `order` of a verdict; and an estimate (`taxRates`), `steps` and `prepare` take as long as the
 * functions do.
 *
 * Objects that were given are never changed; who changes one afterwards changes no answer.
 */
export interface OrderDraft {
  /** The order as it stands, with its Id. */
  readonly order: SalesOrderInput;
  /**
   * Sets one value: `set('/Items/3/Quantity', 2)`, `set('/Notes', undefined)` to take it out, `set('/Items', items)`.
   *
   * @param pointer JSON Pointer (RFC 6901), as in {@link Issue}.
   * @throws TypeError where nothing is there to hold the value, RangeError for an item that is not there.
   */
  set(pointer: string, value: unknown): void;
  /**
   * @param index Where it is to stand; at the end where left out.
   * @throws RangeError for another place.
   */
  addItem(item: SalesOrderItemInput, index?: number): void;
  /** @throws RangeError where there is none. */
  removeItem(index: number): void;
  /** Takes an item out and puts it in at `to`. @throws RangeError where there is none. */
  moveItem(from: number, to: number): void;
  /** As {@link buildOrder}. */
  verdict(): Verdict;
  /** As {@link previewOrder}. */
  preview(): Preview;
  /** As {@link prepareRequest}. @throws OrderValidationError with all issues where the order has errors. */
  prepare(): PreparedRequest;
}

// ---------------------------------------------------------------- start

/** What {@link init} takes: the compiled core, its bytes, a URL or response to fetch them from, or a promise of one. */
export type CoreSource =
  | PlatformType<'URL'>
  | PlatformType<'Response'>
  | CompiledModule
  | ArrayBuffer
  | ArrayBufferView
  | Promise<unknown>;

/** The type of a global where the program's type libraries know it: programs for Node have no DOM types. */
type PlatformType<Name extends string> = typeof globalThis extends { [K in Name]: { prototype: infer Type } }
  ? Type
  : never;
type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } } ? Type : never;
