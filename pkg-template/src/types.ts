import type { IssueCode } from './issue-codes.js';
import type { SalesOrder, SalesOrderInput } from './order-types.js';
import type { DecimalInput, DecimalString, Guid } from './values.js';

export type { IssueCode } from './issue-codes.js';
export type * from './order-types.js';
export type * from './values.js';

// ---------------------------------------------------------------- values

/** The version of the operation: v2 has no customer pricing, v3 has (§9). */
export type Version = 'v2' | 'v3';

/** An order that is ready to be sent: the caller has made its Id, once ({@link newOrderId}, {@link deriveOrderId}). */
export type IdentifiedOrder = SalesOrderInput & { Id: string };

// ---------------------------------------------------------------- issues and verdicts

/** How serious an issue is: an error blocks the request, a warning is probably a mistake, a notice informs the user. */
export type Severity = 'error' | 'warning' | 'notice';

/** One finding about one location of an order. ISSUE-CODES.md lists all codes. */
export interface Issue {
  code: IssueCode;
  severity: Severity;
  /** For a person: the member and what is wrong with it. Never contains a value of the order (D45). */
  message: string;
  /** The location as a JSON Pointer (RFC 6901), for example `/Items/3/Quantity`; `""` is the whole order. */
  pointer: string;
  /** The same location for Standard Schema and form libraries: `["Items", 3, "Quantity"]`. */
  path: (string | number)[];
  /** What to do about it, if that is known. */
  hint?: string;
  /** The values in the message (limit, length, suggestion …), for messages in other languages. */
  params?: Record<string, string | number>;
}

/** All issues, in the order of the specification's members, then by code (D56). `ok` is true if and only if no issue is an error. */
export type Verdict = { ok: true; order: SalesOrder; issues: Issue[] } | { ok: false; order: null; issues: Issue[] };

/** What the caller knows about an order. Every function takes all options and uses those that concern it (D48). */
export interface RuleOptions {
  /** @default 'v3' */
  version?: Version | undefined;
  /** The tax pricing configuration of the location, if known. Inclusive is an error (§1, D21). */
  locationTaxPricing?: 'Exclusive' | 'Inclusive' | null | undefined;
  /**
   * `Taxes: []` replaces the taxes of the point of sale with none: an error unless this is true (D9).
   * @default false
   */
  allowEmptyTaxes?: boolean | undefined;
  /**
   * `strict` checks Discount and Taxes records as D10 and D13 describe them, `passthrough` sends them unread.
   * @default 'strict'
   */
  records?: 'strict' | 'passthrough' | undefined;
  /**
   * What the ValueType of a discount means; without it the amount of a discount is unknown (D14). With it, a percentage
   * outside 0 to 100 is an error in every function (D15).
   */
  discountValueTypes?: { readonly amount: number | string; readonly percent: number | string } | undefined;
  /** The Id in the path, if known: another Id in the order is an error (D3). {@link buildOrder} fills a missing Id with it. */
  orderId?: string | undefined;
}

/** The PUT as a value: all that a request needs except the base URL and the token (§4). */
export interface PreparedRequest {
  method: 'PUT';
  version: Version;
  orderId: Guid;
  /** Relative to the base URL, without a leading slash: `v3/ServiceOrder(…)` (D38). */
  path: string;
  /** The caller adds Authorization (§5). */
  headers: { Accept: 'application/json'; 'Content-Type': 'application/json' };
  /** JSON with the exact digits of every decimal. Send it as it is: parsing and printing it may lose digits. */
  body: string;
  /** Warnings and notices. */
  issues: Issue[];
}

// ---------------------------------------------------------------- preview (§2.1)

/** How half a unit is rounded: away from zero, to the even digit, or towards zero (D18). */
export type Rounding = 'half-up' | 'half-even' | 'half-down';

/** A tax rate that the caller knows, for an estimate (D12). */
export interface TaxRate {
  /** Becomes the `taxId` of the estimate. */
  id: string;
  name?: string | undefined;
  /** Percentage: a fraction, 0.05 is five percent (above 1 warns). FlatRate: an amount in the currency per unit sold. */
  rate: DecimalInput;
  /** @default 'Percentage' */
  type?: 'Percentage' | 'FlatRate' | undefined;
  /**
   * 1 is calculated on price plus layer 0.
   * @default 0
   */
  layer?: 0 | 1 | undefined;
  /** The catalog items that it applies to; all if absent. */
  catalogItemIds?: readonly string[] | undefined;
}

/** How totals are calculated. */
export interface PreviewOptions extends RuleOptions {
  /**
   * Fraction digits of the currency, 0 to 4.
   * @default 2
   */
  scale?: number | undefined;
  /** @default 'half-up' */
  rounding?: Rounding | undefined;
  /**
   * Where tax is rounded: each tax on each line, or once per tax (D18).
   * @default 'line'
   */
  roundTaxPer?: 'line' | 'tax' | undefined;
  /** The rates, if the caller knows them: if Taxes is absent, tax and total are then an estimate instead of null (D12). */
  taxRates?: readonly TaxRate[] | undefined;
  /**
   * Also returns `steps`: how every number was calculated.
   * @default false
   */
  explain?: boolean | undefined;
}

/** The totals of an order before it is sent. Amounts are in the currency, with `scale` fraction digits; null is unknown. */
export interface Totals {
  version: Version;
  scale: number;
  rounding: Rounding;
  /** The sum of the rounded extended prices. */
  subtotal: DecimalString | null;
  discount: {
    total: DecimalString | null;
    /** One per entry of InvoiceLevel, in the same order. */
    entries: { name: string | null; amount: DecimalString | null }[];
  };
  tax: {
    /**
     * `supplied` replaces everything the point of sale would calculate (D11); `estimated` comes from `taxRates`;
     * `point-of-sale` means that the tax is unknown here: its total is null (D12).
     */
    source: 'supplied' | 'estimated' | 'point-of-sale';
    total: DecimalString | null;
    /**
     * Every supplied tax with a `TaxId` and a valid amount, even if `total` is null; every estimated tax, and none of them
     * while `total` is null.
     */
    entries: { taxId: string; name: string | null; amount: DecimalString }[];
  };
  /** subtotal − discount + tax; null if one of them is unknown. */
  total: DecimalString | null;
  /** The lowest and highest total over all rounding modes and levels; null if `total` is null (D19). */
  roundingRange: { min: DecimalString; max: DecimalString } | null;
}

/** Totals and lines of an order before it is sent. */
export interface Preview extends Totals {
  lines: PreviewLine[];
  /** With `explain`: one step per number, in the order of the calculation. */
  steps?: Step[];
  /** Those of the order, except a missing Id, and why an amount is unknown. */
  issues: Issue[];
}

/** One line of a preview, for the item at `index`. */
export interface PreviewLine {
  index: number;
  name: string | null;
  /** As given. */
  quantity: DecimalString | null;
  /** As given. */
  unitPrice: DecimalString | null;
  /** quantity × unit price, rounded once (D18). */
  extended: DecimalString | null;
  /** This line's share of the invoice-level discount; the shares sum to it exactly (D17). */
  discount: DecimalString | null;
  /** Supplied taxes are all on line 0; the other lines have zero (§2.1). */
  tax: DecimalString | null;
  taxes: { taxId: string; amount: DecimalString }[];
  /** extended − discount + tax. */
  total: DecimalString | null;
}

/** Verdict, totals and request of one order. `ok`, `issues` and `totals` are plain data; the rest is computed on demand. */
export interface Evaluation {
  /** True if no issue is an error: then there is a request. */
  readonly ok: boolean;
  /** Those of the order, and why an amount is unknown. */
  readonly issues: Issue[];
  /** The totals without the lines. */
  readonly totals: Totals;
  /** Returns the valid order, null if `ok` is false. Computed on the first call. */
  order(): SalesOrder | null;
  /** Returns what {@link previewOrder} returns: with every line. Computed on the first call. */
  preview(): Preview;
  /** Returns what {@link prepareRequest} returns. Throws OrderValidationError if `ok` is false. */
  request(): PreparedRequest;
}

/**
 * How one number was calculated:
 * `{ of: "/lines/0/extended", expression: "2.345 × 12.50", exact: "29.3125", result: "29.31", rule: "D18" }`.
 */
export interface Step {
  /** The number, as a JSON Pointer into the preview. */
  of: string;
  expression: string;
  /** Before rounding. */
  exact: string;
  /** After rounding. */
  result: DecimalString;
  /** The decision it follows. */
  rule: string;
}

// ---------------------------------------------------------------- start

/** What {@link init} takes: the compiled core, its bytes, a URL or response to fetch them from, or a promise of one of these. */
export type CoreSource =
  | PlatformType<'URL'>
  | PlatformType<'Response'>
  | CompiledModule
  | ArrayBuffer
  | ArrayBufferView
  | Promise<unknown>;

/** The type of a global if the program's type libraries have it: programs for Node have no DOM types. */
type PlatformType<Name extends string> = typeof globalThis extends { [K in Name]: { prototype: infer Type } }
  ? Type
  : never;
type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } } ? Type : never;
