import type { IssueCode, IssueParams } from './issue-codes.js';
import type { SalesOrder, SalesOrderInput } from './order-types.js';
import type { DecimalInput, DecimalString, Guid } from './values.js';

export type { IssueCode, IssueParams } from './issue-codes.js';
export type * from './order-types.js';
export type * from './values.js';

// ---------------------------------------------------------------- values

/** The version of the operation: v2 has no customer pricing, v3 has (§9). */
export type Version = 'v2' | 'v3';

/** An order that is ready to be sent: the caller has made its Id, once ({@link newOrderId}, {@link deriveOrderId}). */
export interface IdentifiedOrder extends SalesOrderInput {
  /** The Id that the caller has made and stored, a GUID in any .NET form (D1, D3). */
  Id: string;
}

// ---------------------------------------------------------------- issues and verdicts

/** How serious an issue is: an error blocks the request, a warning is probably a mistake, a notice informs the user. */
export type Severity = 'error' | 'warning' | 'notice';

/**
 * One finding about one location of an order. ISSUE-CODES.md lists all codes.
 *
 * A union of all codes: comparing `code` narrows `params`, so that `issue.code === 'too_large'` makes `issue.params.limit` a
 * number.
 */
export type Issue = { [Code in IssueCode]: IssueOf<Code> }[IssueCode];

/** An {@link Issue} with this code. */
export interface IssueOf<Code extends IssueCode> {
  /** What was found. A code is never renamed: compare codes, not messages. */
  code: Code;
  /** How serious it is: the severity of its code, except for `more_issues`, for issues of a service, and if the option `strict` is true. */
  severity: Severity;
  /** For a person: the member and what is wrong with it. Never contains a value of the order (D45). May change. */
  message: string;
  /** The location as a JSON Pointer (RFC 6901), for example `/Items/3/Quantity`; `""` is the whole order. */
  pointer: string;
  /** The same location for Standard Schema and form libraries: `["Items", 3, "Quantity"]`. */
  path: (string | number)[];
  /** What to do about it, if that is known. */
  hint?: string;
  /** The values in the message, for messages in other languages; `{}` if there are none. */
  params: IssueParams[Code];
}

/**
 * The order if it is valid, and all issues, in the order of the specification's members, then by code (D56). `ok` is true if
 * and only if no issue is an error.
 */
export type Verdict =
  | {
      /** No issue is an error. */
      ok: true;
      /**
       * The valid order: GUIDs normalised, decimals as strings. A number of an unknown member that JavaScript can't represent is
       * rounded here. To send it with all its digits, pass the JSON to the functions, not this object (D25).
       */
      order: SalesOrder;
      /** Warnings and notices. */
      issues: Issue[];
    }
  | {
      /** An issue is an error. */
      ok: false;
      /** There is no valid order. */
      order: null;
      /** Errors, warnings and notices. */
      issues: Issue[];
    };

/** What the caller knows about an order. Every function takes all options, and uses those that concern it (D48). */
export interface RuleOptions {
  /**
   * The operation that the order is for (§9).
   * @default 'v3'
   */
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
   * The meanings of the ValueType of a discount; without them the amount of a discount is unknown (D14). With them, a percentage
   * outside 0 to 100 is an error in every function (D15).
   */
  discountValueTypes?:
    | {
        /** The ValueType of an amount in the currency. */
        readonly amount: number | string;
        /** The ValueType of a percentage from 0 to 100. */
        readonly percent: number | string;
      }
    | undefined;
  /** The Id in the path, if known: another Id in the order is an error (D3). {@link buildOrder} fills a missing Id with it. */
  orderId?: string | undefined;
  /**
   * If true, warnings count as errors: their severity is `error`, and an order that has one is not valid.
   * @default false
   */
  strict?: boolean | undefined;
  /**
   * For {@link evaluateOrder} and {@link createEvaluator}: with `optional`, a missing Id is not an issue, because a cart has none
   * yet. While the Id is missing, `order()` of the evaluation returns null, and `request()` throws (D3). The other functions ignore
   * the option: a preview never needs an Id, and an order that is validated or sent always does.
   * @default 'required'
   */
  id?: 'required' | 'optional' | undefined;
}

/** The PUT as a value: all that a request needs except the base URL and the token (§4). */
export interface PreparedRequest {
  /** The method: it creates the order at the Id that the caller generated (§1). */
  method: 'PUT';
  /** The operation (§9). */
  version: Version;
  /** The Id in path and body (D3). */
  orderId: Guid;
  /** Relative to the base URL, without a leading slash: `v3/ServiceOrder(…)` (D38). */
  path: string;
  /** The caller adds Authorization (§5). */
  headers: {
    /** The media type that the service is to respond with (D39). */
    Accept: 'application/json';
    /** The media type of the body (D39). */
    'Content-Type': 'application/json';
  };
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
  /** Becomes the `name` of the estimate. */
  name?: string | undefined;
  /** Percentage: a fraction, 0.05 is five percent (above 1 warns). FlatRate: an amount in the currency per unit sold. */
  rate: DecimalInput;
  /**
   * How `rate` is meant.
   * @default 'Percentage'
   */
  type?: 'Percentage' | 'FlatRate' | undefined;
  /**
   * What the rate applies to: 0 to the price after the discount, 1 to that plus the taxes of layer 0 (D12, D16).
   * @default 0
   */
  layer?: 0 | 1 | undefined;
  /** The catalog items that it applies to; all if absent. */
  catalogItemIds?: readonly string[] | undefined;
}

/** How totals are calculated. */
export interface PreviewOptions extends RuleOptions {
  /**
   * Fraction digits of the currency, 0 to 4. Every function warns of a price with more (D7).
   * @default 2
   */
  scale?: number | undefined;
  /**
   * How half a unit is rounded (D18).
   * @default 'half-up'
   */
  rounding?: Rounding | undefined;
  /**
   * Where tax is rounded: each tax on each line, or once per tax (D18).
   * @default 'line'
   */
  roundTaxPer?: 'line' | 'tax' | undefined;
  /**
   * The rates, if the caller knows them: if Taxes is absent, tax and total are then an estimate instead of null (D12). What no rate
   * applies to has no tax, so an empty list means that nothing has.
   */
  taxRates?: readonly TaxRate[] | undefined;
  /**
   * Also returns `steps`: how every number was calculated.
   * @default false
   */
  explain?: boolean | undefined;
}

/** The totals of an order before it is sent. Amounts are in the currency, with `scale` fraction digits; null is unknown. */
export interface Totals {
  /** The operation that the order is for, as in the options. */
  version: Version;
  /** Fraction digits of the currency, as in the options. */
  scale: number;
  /** How half a unit was rounded, as in the options. */
  rounding: Rounding;
  /** The sum of the rounded extended prices. */
  subtotal: DecimalString | null;
  /** The discount on the whole invoice (D13 to D15). */
  discount: {
    /** The sum of the entries; null if one is unknown. */
    total: DecimalString | null;
    /** One per entry of InvoiceLevel, in the same order. */
    entries: {
      /** Its Name; null if it has none. */
      name: string | null;
      /** The amount it takes off; null if `discountValueTypes` does not define its ValueType (D14). */
      amount: DecimalString | null;
    }[];
  };
  /** The tax (D11, D12). */
  tax: {
    /**
     * `supplied` replaces everything the point of sale would calculate (D11); `estimated` comes from `taxRates`;
     * `point-of-sale` means that the tax is unknown here: its total is null (D12).
     */
    source: 'supplied' | 'estimated' | 'point-of-sale';
    /** The sum of the entries; null if it is unknown. */
    total: DecimalString | null;
    /**
     * Every supplied tax with a `TaxId` and a valid amount, even if `total` is null; every estimated tax, and none of them
     * while `total` is null.
     */
    entries: {
      /** The TaxId, or the `id` of the rate. */
      taxId: string;
      /** The name of the rate; null for a supplied tax. */
      name: string | null;
      /** The tax on all lines, in the currency. */
      amount: DecimalString;
    }[];
  };
  /** subtotal − discount + tax; null if one of them is unknown. */
  total: DecimalString | null;
}

/** Totals and lines of an order before it is sent. */
export interface Preview extends Totals {
  /** The lowest and highest total over all rounding modes and levels; null if `total` is null (D19). */
  roundingRange: {
    /** The lowest total. */
    min: DecimalString;
    /** The highest total. */
    max: DecimalString;
  } | null;
  /** One per item, in the same order. */
  lines: PreviewLine[];
  /** With `explain`: one step per number, in the order of the calculation. */
  steps?: Step[];
  /** The issues of the order, except a missing Id, and the reasons why amounts are unknown. */
  issues: Issue[];
}

/** One line of a preview, for the item at `index`. */
export interface PreviewLine {
  /** The index of the item in `Items`, from 0. */
  index: number;
  /** The Name of the item; null if it has none. */
  name: string | null;
  /** The Quantity as given, a count or grams; null if it can't be read. */
  quantity: DecimalString | null;
  /** The SellAtPricePerUnit as given; null if it can't be read. */
  unitPrice: DecimalString | null;
  /** quantity × unit price, rounded once (D18). */
  extended: DecimalString | null;
  /** This line's share of the invoice-level discount; the shares sum to it exactly (D17). */
  discount: DecimalString | null;
  /** Supplied taxes are all on line 0; the other lines have zero (§2.1). */
  tax: DecimalString | null;
  /** Every tax on this line. */
  taxes: {
    /** The TaxId, or the `id` of the rate. */
    taxId: string;
    /** The tax on this line, in the currency. */
    amount: DecimalString;
  }[];
  /** extended − discount + tax. */
  total: DecimalString | null;
}

/**
 * Verdict, totals and request of one order. `ok` narrows it: `if (evaluation.ok) evaluation.order().Id` compiles. `ok`,
 * `issues` and `totals` are plain data; the rest is computed on the first call.
 */
export type Evaluation = {
  /** The issues of the order, and the reasons why amounts are unknown. */
  issues: Issue[];
  /** The totals without the lines. */
  totals: Totals;
  /** Returns what {@link previewOrder} returns: with every line. */
  preview(): Preview;
} & (
  | {
      /** No issue is an error. */
      ok: true;
      /** Returns the valid order. */
      order(): SalesOrder;
      /** Returns what {@link prepareRequest} returns. */
      request(): PreparedRequest;
    }
  | {
      /** An issue is an error. */
      ok: false;
      /** Returns null. */
      order(): null;
      /** Throws {@link OrderValidationError} with the issues. */
      request(): never;
    }
);

/**
 * An {@link Evaluation} with the option `id: 'optional'`: the cart may have no Id yet, so `order()` can return null although `ok` is
 * true.
 */
export type CartEvaluation = Omit<Evaluation, 'ok' | 'order' | 'request'> & {
  /** No issue is an error; a missing Id is not an issue. */
  ok: boolean;
  /** Returns the valid order; null if an issue is an error, or while the cart has no Id (D3). */
  order(): SalesOrder | null;
  /**
   * Returns what {@link prepareRequest} returns. Throws {@link OrderValidationError} with the issues if one is an error, and with the
   * issue `missing` at `/Id` while the cart has no Id (D3).
   */
  request(): PreparedRequest;
};

/**
 * How one number was calculated:
 * `{ of: "/lines/0/extended", expression: "2.345 × 12.50", exact: "29.3125", result: "29.31", rule: "D18" }`.
 */
export interface Step {
  /** The number, as a JSON Pointer into the preview. */
  of: string;
  /** The calculation, with the values in it. */
  expression: string;
  /** Before rounding. */
  exact: string;
  /** After rounding. */
  result: DecimalString;
  /** The decision it follows. */
  rule: string;
}

// ---------------------------------------------------------------- start

/**
 * The compiled core for {@link init}: its address (relative to the page, as `fetch` takes it, or a URL), a response with it, its
 * bytes, the compiled core itself, or a promise of one of these.
 */
export type CoreSource = ReadyCoreSource | PromiseLike<ReadyCoreSource>;

type ReadyCoreSource =
  | string
  | PlatformType<'URL'>
  | PlatformType<'Response'>
  | ArrayBuffer
  | ArrayBufferView
  | CompiledModule;

/** The type of a global if the program's type libraries have it: programs for Node have no DOM types. */
type PlatformType<Name extends string> = typeof globalThis extends { [K in Name]: { prototype: infer Type } }
  ? Type
  : never;

/**
 * WebAssembly.Module. If its declaration has no members, any value would be assignable to it, such as 42. A type whose only
 * member is optional accepts no value that has other members.
 */
type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } }
  ? Record<never, never> extends Type
    ? { readonly then?: never }
    : Type
  : never;
