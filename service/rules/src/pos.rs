//! Shows the orders of a location as a cashier would see them. **Not one of the specified operations.**
//!
//! Totals come from the core's preview. If an order has no taxes, they are estimated with the rates of the
//! location; supplied taxes are all on the first line (§2.1).

mod orders;
mod path;

pub use orders::{ListedOrder, MAX_BODY_BYTES, MAX_ORDERS, orders};
pub use path::PosPath;

use crate::registry::Location;

/// The location whose orders are shown.
pub struct PosLocation<'l> {
    /// Its entry in the registry.
    pub location: &'l Location,
    /// The id of its company.
    pub company: u32,
    /// Its own id.
    pub entity: u32,
}
