//! The records of a sales order (§2): `members` is the table of their members, from which everything else comes: the
//! fields (`field`), the Rust structs (`structs`), and their conversions (`typed`).

use crate::check::{Purpose, ValidOrder};
use crate::options::RuleOptions;
use crate::request::InvalidOrder;
use crate::verdict::OrderInput;

pub(crate) mod field;
mod members;
mod structs;
mod typed;

pub use members::{DISCOUNT, DISCOUNT_ENTRY, ITEM, ORDER, SENT, SOURCE, TAX, member_docs};
pub use members::{
    InvoiceDiscount, ReceivedDiscount, ReceivedInvoiceDiscount, ReceivedItem, ReceivedOrder,
    ReceivedOrderSource, ReceivedTax, SalesOrder, SalesOrderDiscount, SalesOrderItem, SalesOrderTax,
};
pub(crate) use members::{discount, discount_entry, item, order, tax};
pub(crate) use typed::FromRecord;
pub use typed::{OtherMembers, ValueType};

impl SalesOrder {
    /// Applies every rule that an order has to obey to be sent.
    ///
    /// ```
    /// use sales_order_intake::{Guid, RuleOptions, SalesOrder, SalesOrderItem, parse_decimal};
    ///
    /// let integrator = "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50".parse()?;
    /// let tea = "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff".parse()?;
    /// let items = vec![SalesOrderItem::new(tea, parse_decimal("2")?, parse_decimal("19.99")?)];
    /// let mut order = SalesOrder::new(Guid::new_random()?, 1000, 2000, integrator, items);
    /// assert!(order.check(&RuleOptions::default())?.request().body.contains(r#""Quantity":2,"#));
    ///
    /// order.items.clear();
    /// assert!(order.check(&RuleOptions::default()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOrder`] with all issues if one is an error.
    pub fn check(&self, rules: &RuleOptions) -> Result<ValidOrder, InvalidOrder> {
        OrderInput::from(self).parse().check(Purpose::Send, rules).into_valid()
    }
}

impl From<Vec<InvoiceDiscount>> for SalesOrderDiscount {
    /// Returns the record with these discounts on the whole invoice, applied in this order (D15).
    fn from(invoice_level: Vec<InvoiceDiscount>) -> Self {
        let mut discount = Self::new();
        discount.invoice_level = Some(invoice_level);
        discount
    }
}
