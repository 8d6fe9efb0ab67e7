//! The sales order and its records (§2): one table of their members.
//!
//! It has the name and type of each member, whether it is required, optional or read-only, its limits, and the issue that is
//! reported if its value breaks one. Parser, rules and structs take all of this from here. The macro makes two structs of a record
//! that is sent: in one, for orders to send, required members are not optional; in the other, for what a service returned, all
//! members are.

use std::fmt;

use rust_decimal::Decimal;

use super::field::{Schema, records};
use super::structs::{example, member_type, received_record, record_traits, sent_record};
use super::typed::{FromMember, WriteMember, number_json, other_members, personal};
use crate::guid::Guid;
use crate::json::{ToJson, Writer};
use crate::record::Record;

use super::{FromRecord, OtherMembers, ValueType};

records! {
    /// A sales order, priced tax-exclusive: the body of both operations (§2.1), which their specification calls
    /// `SalesOrderV2V3Put`.
    ///
    /// An order that was read with [`Records::Passthrough`](crate::Records::Passthrough) has its Discount and Taxes as JSON in `other`.
    /// The fields `discount` and `taxes` are `None` then, although the order may have both: it is sent with them.
    ///
    /// ```
    /// use sales_order_intake::{Guid, RuleOptions, SalesOrder, SalesOrderItem, parse_decimal};
    ///
    /// let integrator = "f4b5a1c2-0d6e-4f7a-8b9c-1d2e3f4a5b6c".parse()?;
    /// let blend = "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b".parse()?;
    /// let mut item = SalesOrderItem::new(blend, parse_decimal("3.5")?, parse_decimal("12.50")?);
    /// item.name = Some("House blend, gram".into());
    /// let order = SalesOrder::new(Guid::new_random()?, 293_892, 293_894, integrator, vec![item]);
    ///
    /// let valid = order.check(&RuleOptions::default())?;
    /// assert!(valid.request().body.contains(r#""Quantity":3.5,"SellAtPricePerUnit":12.50"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    published SalesOrder, ReceivedOrder = ORDER in order {
        /// The identifier that the caller generates; equal to the orderId of the path (D3).
        id: ID "Id" required Guid;
        /// The identifier of the company (D4).
        company_id: COMPANY_ID "CompanyId" required Integer(1 to 0x7FFF_FFFF);
        /// The identifier of the location (D4).
        entity_id: ENTITY_ID "EntityId" required Integer(1 to 0x7FFF_FFFF);
        /// Whether the order was created with inventory hold. Read-only.
        was_created_with_inventory_hold: WAS_CREATED_WITH_INVENTORY_HOLD "WasCreatedWithInventoryHold" read_only Boolean;
        /// The customer's first name.
        first_name: FIRST_NAME "FirstName" optional String, nullable, personal, max_chars(100);
        /// The customer's last name.
        last_name: LAST_NAME "LastName" optional String, nullable, personal, max_chars(100);
        /// The identifier of the customer.
        customer_id: CUSTOMER_ID "CustomerId" optional Guid, nullable, personal;
        /// The UTC time of creation, ISO 8601 with an offset (D41). Read-only.
        date_created_utc: DATE_CREATED_UTC "DateCreatedUtc" read_only Date;
        /// The integrator that created the order. Read-only.
        order_source: ORDER_SOURCE "OrderSource" read_only Record(SOURCE ReceivedOrderSource ReceivedOrderSource);
        /// Unused by the service (D23).
        order_number: ORDER_NUMBER "OrderNumber" optional String, unused(UnusedMember);
        /// The integrator that creates the order.
        integrator_id: INTEGRATOR_ID "IntegratorId" required Guid;
        /// The line items, at least one.
        items: ITEMS "Items" required List(ITEM SalesOrderItem ReceivedItem), empty(ItemsEmpty);
        /// The invoice-level discounts.
        discount: DISCOUNT "Discount" optional Record(DISCOUNT SalesOrderDiscount ReceivedDiscount), nullable;
        /// Whether the order is a delivery order.
        is_delivery: IS_DELIVERY "IsDelivery" optional Boolean;
        /// The receipt number that the point of sale generated. Read-only.
        receipt_number: RECEIPT_NUMBER "ReceiptNumber" read_only String;
        /// Unused by the service (D23).
        external_order_id: EXTERNAL_ORDER_ID "ExternalOrderId" optional String, unused(UnusedMember);
        /// Taxes that replace all taxes the point of sale would calculate (§2.1). If absent or null, it calculates them. An
        /// empty list is an error unless the options allow it.
        taxes: TAXES "Taxes" optional List(TAX SalesOrderTax ReceivedTax), nullable;
        /// Generic notes, displayed at the point of sale.
        notes: NOTES "Notes" optional String, personal, max_chars(250);
        /// Delivery information, displayed at the point of sale.
        time_slot_display_string: TIME_SLOT_DISPLAY_STRING "TimeSlotDisplayString" optional String, personal, max_chars(50);
    }

    /// A line item (§2.3).
    published SalesOrderItem, ReceivedItem = ITEM in item {
        /// The name that the point of sale displays.
        name: NAME "Name" optional String, max_chars(100), blank(ItemNameMissing);
        /// The identifier of the catalog item.
        catalog_item_id: CATALOG_ITEM_ID "CatalogItemId" required Guid;
        /// A count or grams, depending on the product; greater than 0 (D6).
        quantity: QUANTITY "Quantity" required Decimal, zero(QuantityNotPositive), negative(QuantityNotPositive),
            fraction_digits(Some(3), QuantityFractionDigits);
        /// The price of one unit without tax, in the currency (D7).
        sell_at_price_per_unit: SELL_AT_PRICE_PER_UNIT "SellAtPricePerUnit" required Decimal, zero(PriceZero),
            negative(PriceNegative), fraction_digits(None, PriceFractionDigits);
        /// A regulator's tag; if absent, the order system picks a package.
        package_id: PACKAGE_ID "PackageId" optional String;
        /// The batch of the item.
        batch: BATCH "Batch" optional String;
    }

    /// The discount record, as sibling operations have it (§2.4, D13).
    assumed SalesOrderDiscount, ReceivedDiscount = DISCOUNT in discount {
        /// Discounts on the whole invoice, applied in this order (D15).
        invoice_level: INVOICE_LEVEL "InvoiceLevel" optional List(DISCOUNT_ENTRY InvoiceDiscount ReceivedInvoiceDiscount), nullable;
    }

    /// One discount on the whole invoice (D13, D14).
    ///
    /// ```
    /// use sales_order_intake::{InvoiceDiscount, SalesOrderDiscount, parse_decimal};
    ///
    /// let mut member = InvoiceDiscount::new(parse_decimal("10")?, 2.into()); // 2: what the options say is a percentage
    /// member.name = Some("Member".into());
    /// let discount = SalesOrderDiscount::from(vec![member]); // for SalesOrder::discount
    /// assert_eq!(discount.to_json(), r#"{"InvoiceLevel":[{"Name":"Member","Value":10,"ValueType":2}]}"#);
    /// # Ok::<(), sales_order_intake::ParseDecimalError>(())
    /// ```
    assumed InvoiceDiscount, ReceivedInvoiceDiscount = DISCOUNT_ENTRY in discount_entry {
        /// The name to display.
        name: NAME "Name" optional String;
        /// An amount in the currency, or a percentage from 0 to 100.
        value: VALUE "Value" required Decimal, negative(DiscountValueNegative);
        /// Whether Value is an amount or a percentage; the specification does not define its values (D14).
        value_type: VALUE_TYPE "ValueType" required ValueType;
    }

    /// A supplied tax, as sibling operations have it (§2.5, D10).
    assumed SalesOrderTax, ReceivedTax = TAX in tax {
        /// The identifier of the tax.
        tax_id: TAX_ID "TaxId" required Guid;
        /// The amount of the tax, in the currency.
        tax_amount: TAX_AMOUNT "TaxAmount" required Decimal, negative(TaxAmountNegative);
    }

    /// The integrator that created an order (§2.2); the service adds it.
    received ReceivedOrderSource = SOURCE in source {
        /// The identifier of the integrator.
        id: ID "Id" optional Guid;
        /// The name of the integrator.
        name: NAME "Name" optional String;
    }
}

/// All records whose members a caller can send.
pub static SENT: [&Schema; 5] = [&ORDER, &ITEM, &TAX, &DISCOUNT, &DISCOUNT_ENTRY];
