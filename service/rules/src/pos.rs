//! Shows the orders of a location as a cashier would see them. **Not one of the specified operations.**
//!
//! Totals come from the core's preview. If an order has no taxes, they are estimated with the rates of the
//! location; supplied taxes are all on the first line (§2.1).

mod page;
mod path;
mod shown_order;

pub use page::{MAX_ORDERS, Page};
pub use path::PosPath;
pub use shown_order::{MAX_BODY_BYTES, MAX_SHOWN_BYTES, PosLocation, StoredHead, View};
