//! The sales order and its records (§2): one table of their members.
//!
//! The crate defines every name, type, limit and flag of a member here and nowhere else. [`crate::Verdict`] and
//! [`crate::OrderRead`] return these structs, and a program fills them in to make an order.

mod typed;

use rust_decimal::Decimal;

use crate::guid::Guid;
use crate::json::Writer;
use crate::record::{Record, RecordSet};
use crate::schema::{Schema, records};
use typed::{FromMember, FromRecord, WriteMember, WriteValue, other_members, serialize_record};

pub use typed::{OtherMembers, ValueType};

records! {
    /// A sales order, priced tax-exclusive: the body of request and response of both operations (§2.1).
    ///
    /// ```
    /// use sales_order_intake::{RuleOptions, SalesOrderItem, SalesOrderV2V3Put, prepare_request};
    ///
    /// let order = SalesOrderV2V3Put {
    ///     id: "2a8f5d33-eec9-4864-8b49-5636577b40d5".parse().ok(),
    ///     company_id: Some(293_892),
    ///     entity_id: Some(293_894),
    ///     integrator_id: "f4b5a1c2-0d6e-4f7a-8b9c-1d2e3f4a5b6c".parse().ok(),
    ///     items: vec![SalesOrderItem {
    ///         name: Some("House blend, gram".into()),
    ///         catalog_item_id: "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b".parse().ok(),
    ///         quantity: "3.5".parse().ok(),
    ///         sell_at_price_per_unit: "12.50".parse().ok(),
    ///         ..SalesOrderItem::default()
    ///     }],
    ///     ..SalesOrderV2V3Put::default()
    /// };
    /// let request = prepare_request(&order, &RuleOptions::default())?;
    /// assert!(request.body.contains(r#""Quantity":3.5,"SellAtPricePerUnit":12.50"#));
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    published SalesOrderV2V3Put = ORDER in order {
        /// The identifier that the caller generates; equal to the orderId of the path (D3).
        id: ID "Id" Guid;
        /// The identifier of the company (D4).
        company_id: COMPANY_ID "CompanyId" Integer(1 to 0x7FFF_FFFF);
        /// The identifier of the location (D4).
        entity_id: ENTITY_ID "EntityId" Integer(1 to 0x7FFF_FFFF);
        /// Whether the order was created with inventory hold. Read-only.
        was_created_with_inventory_hold: WAS_CREATED_WITH_INVENTORY_HOLD "WasCreatedWithInventoryHold" Boolean, read_only;
        /// The customer's first name.
        first_name: FIRST_NAME "FirstName" String, nullable, max_chars(100);
        /// The customer's last name.
        last_name: LAST_NAME "LastName" String, nullable, max_chars(100);
        /// The identifier of the customer.
        customer_id: CUSTOMER_ID "CustomerId" Guid, nullable;
        /// The UTC time of creation, ISO 8601 with an offset (D41). Read-only.
        date_created_utc: DATE_CREATED_UTC "DateCreatedUtc" Date, read_only;
        /// The integrator that created the order. Read-only.
        order_source: ORDER_SOURCE "OrderSource" Record(SOURCE SalesOrderSource), read_only;
        /// Unused by the service (D23).
        order_number: ORDER_NUMBER "OrderNumber" String;
        /// The integrator that creates the order.
        integrator_id: INTEGRATOR_ID "IntegratorId" Guid;
        /// The line items, at least one.
        items: ITEMS "Items" List(ITEM SalesOrderItem);
        /// The invoice-level discounts.
        discount: DISCOUNT "Discount" Record(DISCOUNT SalesOrderDiscount), nullable;
        /// Whether the order is a delivery order.
        is_delivery: IS_DELIVERY "IsDelivery" Boolean;
        /// The receipt number that the point of sale generated. Read-only.
        receipt_number: RECEIPT_NUMBER "ReceiptNumber" String, read_only;
        /// Unused by the service (D23).
        external_order_id: EXTERNAL_ORDER_ID "ExternalOrderId" String;
        /// Taxes that replace all taxes the point of sale would calculate (§2.1). If `None`, it calculates them.
        taxes: TAXES "Taxes" OptionalList(TAX SalesOrderTax), nullable;
        /// Generic notes, displayed at the point of sale.
        notes: NOTES "Notes" String, max_chars(250);
        /// Delivery information, displayed at the point of sale.
        time_slot_display_string: TIME_SLOT_DISPLAY_STRING "TimeSlotDisplayString" String, max_chars(50);
    }

    /// The integrator that created an order (§2.2).
    published SalesOrderSource = SOURCE in source {
        /// The identifier of the integrator.
        id: ID "Id" Guid;
        /// The name of the integrator.
        name: NAME "Name" String;
    }

    /// A line item (§2.3).
    published SalesOrderItem = ITEM in item {
        /// The name that the point of sale displays.
        name: NAME "Name" String, max_chars(100);
        /// The catalog item.
        catalog_item_id: CATALOG_ITEM_ID "CatalogItemId" Guid;
        /// A count or grams, depending on the product; greater than 0 (D6).
        quantity: QUANTITY "Quantity" Decimal;
        /// The price of one unit without tax, in the currency (D7).
        sell_at_price_per_unit: SELL_AT_PRICE_PER_UNIT "SellAtPricePerUnit" Decimal;
        /// A regulator's tag; if absent, the order system picks a package.
        package_id: PACKAGE_ID "PackageId" String;
        /// The batch.
        batch: BATCH "Batch" String;
    }

    /// The discount record, as sibling operations have it (§2.4, D13).
    assumed SalesOrderDiscount = DISCOUNT in discount {
        /// Discounts on the whole invoice, applied in this order (D15).
        invoice_level: INVOICE_LEVEL "InvoiceLevel" List(DISCOUNT_ENTRY InvoiceDiscount), nullable;
    }

    /// One discount on the whole invoice (D13, D14).
    assumed InvoiceDiscount = DISCOUNT_ENTRY in discount_entry {
        /// The name to display.
        name: NAME "Name" String;
        /// An amount in the currency, or a percentage from 0 to 100.
        value: VALUE "Value" Decimal;
        /// Whether Value is an amount or a percentage; the specification does not define its values (D14).
        value_type: VALUE_TYPE "ValueType" ValueType;
    }

    /// A supplied tax, as sibling operations have it (§2.5, D10).
    assumed SalesOrderTax = TAX in tax {
        /// The tax.
        tax_id: TAX_ID "TaxId" Guid;
        /// Its amount in the currency.
        tax_amount: TAX_AMOUNT "TaxAmount" Decimal;
    }
}

/// All records whose members a caller can send.
pub(crate) static SENT: [&Schema; 5] = [&ORDER, &ITEM, &TAX, &DISCOUNT, &DISCOUNT_ENTRY];

impl SalesOrderV2V3Put {
    /// Returns the order as JSON: members that are `None` are absent, decimals keep their digits.
    ///
    /// ```
    /// use sales_order_intake::SalesOrderV2V3Put;
    ///
    /// let order = SalesOrderV2V3Put { company_id: Some(1501), ..SalesOrderV2V3Put::default() };
    /// assert_eq!(order.to_json(), r#"{"CompanyId":1501,"Items":[]}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        self.write(&mut out);
        out.into_string()
    }
}

impl From<&RecordSet<'_>> for SalesOrderV2V3Put {
    fn from(records: &RecordSet<'_>) -> Self {
        Self::from_record(records.root())
    }
}
