// Generated from the tables of the Rust core by `make generate`.
import type { DecimalInput, DecimalString, Guid } from './values.js';

/** What a caller writes as a sales order (§2.1). Read-only members of an earlier response may be present; they are never sent (D22). */
export interface SalesOrderInput {
  /** The identifier that the caller generates; equal to the orderId of the path (D3). */
  Id?: string | undefined;
  /** The identifier of the company (D4). */
  CompanyId: number;
  /** The identifier of the location (D4). */
  EntityId: number;
  /** The customer's first name. */
  FirstName?: string | null | undefined;
  /** The customer's last name. */
  LastName?: string | null | undefined;
  /** The identifier of the customer. */
  CustomerId?: string | null | undefined;
  /** Unused by the service (D23). */
  OrderNumber?: string | undefined;
  /** The integrator that creates the order. */
  IntegratorId: string;
  /** The line items, at least one. */
  Items: readonly SalesOrderItemInput[];
  /** The invoice-level discounts. */
  Discount?: SalesOrderDiscountInput | null | undefined;
  /** Whether the order is a delivery order. */
  IsDelivery?: boolean | undefined;
  /** Unused by the service (D23). */
  ExternalOrderId?: string | undefined;
  /** Taxes that replace all taxes the point of sale would calculate (§2.1). If absent or null, it calculates them. An empty list is an error unless the options allow it. */
  Taxes?: readonly SalesOrderTaxInput[] | null | undefined;
  /** Generic notes, displayed at the point of sale. */
  Notes?: string | undefined;
  /** Delivery information, displayed at the point of sale. */
  TimeSlotDisplayString?: string | undefined;
}

/** What a caller writes as a line item (§2.3). */
export interface SalesOrderItemInput {
  /** The name that the point of sale displays. */
  Name?: string | undefined;
  /** The identifier of the catalog item. */
  CatalogItemId: string;
  /** A count or grams, depending on the product; greater than 0 (D6). */
  Quantity: DecimalInput;
  /** The price of one unit without tax, in the currency (D7). */
  SellAtPricePerUnit: DecimalInput;
  /** A regulator's tag; if absent, the order system picks a package. */
  PackageId?: string | undefined;
  /** The batch of the item. */
  Batch?: string | undefined;
}

/** What a caller writes as the discount record, as sibling operations have it (§2.4, D13). */
export interface SalesOrderDiscountInput {
  /** Discounts on the whole invoice, applied in this order (D15). */
  InvoiceLevel?: readonly InvoiceDiscountInput[] | null | undefined;
  /** Members that the specification does not have are preserved. A member that is there in two cases is an error (D63). */
  readonly [member: string]: unknown;
}

/** What a caller writes as one discount on the whole invoice (D13, D14). */
export interface InvoiceDiscountInput {
  /** The name to display. */
  Name?: string | undefined;
  /** An amount in the currency, or a percentage from 0 to 100. */
  Value: DecimalInput;
  /** Whether Value is an amount or a percentage; the specification does not define its values (D14). */
  ValueType: number | string;
}

/** What a caller writes as a supplied tax, as sibling operations have it (§2.5, D10). */
export interface SalesOrderTaxInput {
  /** The identifier of the tax. */
  TaxId: string;
  /** The amount of the tax, in the currency. */
  TaxAmount: DecimalInput;
  /** Members that the specification does not have are preserved. A member that is there in two cases is an error (D63). */
  readonly [member: string]: unknown;
}

/** A valid order (type SalesOrderV2V3Put): required members are present, GUIDs are normalised, decimals are strings. */
export interface SalesOrder {
  /** The identifier that the caller generates; equal to the orderId of the path (D3). */
  Id: Guid;
  /** The identifier of the company (D4). */
  CompanyId: number;
  /** The identifier of the location (D4). */
  EntityId: number;
  /** The customer's first name. */
  FirstName?: string | null;
  /** The customer's last name. */
  LastName?: string | null;
  /** The identifier of the customer. */
  CustomerId?: Guid | null;
  /** Unused by the service (D23). */
  OrderNumber?: string;
  /** The integrator that creates the order. */
  IntegratorId: Guid;
  /** The line items, at least one. */
  Items: [SalesOrderItem, ...SalesOrderItem[]];
  /** The invoice-level discounts. */
  Discount?: SalesOrderDiscount | null;
  /** Whether the order is a delivery order. */
  IsDelivery?: boolean;
  /** Unused by the service (D23). */
  ExternalOrderId?: string;
  /** Taxes that replace all taxes the point of sale would calculate (§2.1). If absent or null, it calculates them. An empty list is an error unless the options allow it. */
  Taxes?: SalesOrderTax[] | null;
  /** Generic notes, displayed at the point of sale. */
  Notes?: string;
  /** Delivery information, displayed at the point of sale. */
  TimeSlotDisplayString?: string;
}

/** In a valid order: a line item (§2.3). */
export interface SalesOrderItem {
  /** The name that the point of sale displays. */
  Name?: string;
  /** The identifier of the catalog item. */
  CatalogItemId: Guid;
  /** A count or grams, depending on the product; greater than 0 (D6). */
  Quantity: DecimalString;
  /** The price of one unit without tax, in the currency (D7). */
  SellAtPricePerUnit: DecimalString;
  /** A regulator's tag; if absent, the order system picks a package. */
  PackageId?: string;
  /** The batch of the item. */
  Batch?: string;
}

/** In a valid order: the discount record, as sibling operations have it (§2.4, D13). */
export interface SalesOrderDiscount {
  /** Discounts on the whole invoice, applied in this order (D15). */
  InvoiceLevel?: InvoiceDiscount[] | null;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}

/** In a valid order: one discount on the whole invoice (D13, D14). */
export interface InvoiceDiscount {
  /** The name to display. */
  Name?: string;
  /** An amount in the currency, or a percentage from 0 to 100. */
  Value: DecimalString;
  /** Whether Value is an amount or a percentage; the specification does not define its values (D14). */
  ValueType: number | string;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}

/** In a valid order: a supplied tax, as sibling operations have it (§2.5, D10). */
export interface SalesOrderTax {
  /** The identifier of the tax. */
  TaxId: Guid;
  /** The amount of the tax, in the currency. */
  TaxAmount: DecimalString;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}

/** What a service returned as a sales order, read tolerantly: any member may be absent, and a member that can't be read is null. Other members are preserved (D26). */
export interface ReceivedOrder {
  /** The identifier that the caller generates; equal to the orderId of the path (D3). */
  Id?: Guid | null;
  /** The identifier of the company (D4). */
  CompanyId?: number | null;
  /** The identifier of the location (D4). */
  EntityId?: number | null;
  /** Whether the order was created with inventory hold. Read-only. */
  WasCreatedWithInventoryHold?: boolean | null;
  /** The customer's first name. */
  FirstName?: string | null;
  /** The customer's last name. */
  LastName?: string | null;
  /** The identifier of the customer. */
  CustomerId?: Guid | null;
  /** The UTC time of creation, ISO 8601 with an offset (D41). Read-only. */
  DateCreatedUtc?: string | null;
  /** The integrator that created the order. Read-only. */
  OrderSource?: ReceivedOrderSource | null;
  /** Unused by the service (D23). */
  OrderNumber?: string | null;
  /** The integrator that creates the order. */
  IntegratorId?: Guid | null;
  /** The line items, at least one. */
  Items?: (ReceivedItem | null)[] | null;
  /** The invoice-level discounts. */
  Discount?: ReceivedDiscount | null;
  /** Whether the order is a delivery order. */
  IsDelivery?: boolean | null;
  /** The receipt number that the point of sale generated. Read-only. */
  ReceiptNumber?: string | null;
  /** Unused by the service (D23). */
  ExternalOrderId?: string | null;
  /** Taxes that replace all taxes the point of sale would calculate (§2.1). If absent or null, it calculates them. An empty list is an error unless the options allow it. */
  Taxes?: (ReceivedTax | null)[] | null;
  /** Generic notes, displayed at the point of sale. */
  Notes?: string | null;
  /** Delivery information, displayed at the point of sale. */
  TimeSlotDisplayString?: string | null;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}

/** In a response: a line item (§2.3). */
export interface ReceivedItem {
  /** The name that the point of sale displays. */
  Name?: string | null;
  /** The identifier of the catalog item. */
  CatalogItemId?: Guid | null;
  /** A count or grams, depending on the product; greater than 0 (D6). */
  Quantity?: DecimalString | null;
  /** The price of one unit without tax, in the currency (D7). */
  SellAtPricePerUnit?: DecimalString | null;
  /** A regulator's tag; if absent, the order system picks a package. */
  PackageId?: string | null;
  /** The batch of the item. */
  Batch?: string | null;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}

/** In a response: the discount record, as sibling operations have it (§2.4, D13). */
export interface ReceivedDiscount {
  /** Discounts on the whole invoice, applied in this order (D15). */
  InvoiceLevel?: (ReceivedInvoiceDiscount | null)[] | null;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}

/** In a response: one discount on the whole invoice (D13, D14). */
export interface ReceivedInvoiceDiscount {
  /** The name to display. */
  Name?: string | null;
  /** An amount in the currency, or a percentage from 0 to 100. */
  Value?: DecimalString | null;
  /** Whether Value is an amount or a percentage; the specification does not define its values (D14). */
  ValueType?: number | string | null;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}

/** In a response: a supplied tax, as sibling operations have it (§2.5, D10). */
export interface ReceivedTax {
  /** The identifier of the tax. */
  TaxId?: Guid | null;
  /** The amount of the tax, in the currency. */
  TaxAmount?: DecimalString | null;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}

/** In a response: the integrator that created an order (§2.2). */
export interface ReceivedOrderSource {
  /** The identifier of the integrator. */
  Id?: Guid | null;
  /** The name of the integrator. */
  Name?: string | null;
  /** Members that the specification does not have are preserved. */
  [member: string]: unknown;
}
