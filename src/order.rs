//! The records of a sales order (§2): `members` is the table of their members, from which everything else comes: the
//! fields (`field`), the Rust structs (`structs`), and their conversions (`typed`).

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

impl From<Vec<InvoiceDiscount>> for SalesOrderDiscount {
    /// Returns the record with these discounts on the whole invoice, applied in this order (D15).
    fn from(invoice_level: Vec<InvoiceDiscount>) -> Self {
        let mut discount = Self::new();
        discount.invoice_level = Some(invoice_level);
        discount
    }
}
