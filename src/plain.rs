//! The fast lane for plain orders: one pass over the bytes of a request body that decides whether the order needs the
//! general path at all, and computes its totals.
//!
//! Most orders have only common members and canonical values. The host writes such an order as its request body at once,
//! with strings unescaped, and [`Judge`] reads that body eight bytes at a time. If the judge accepts it, the body is sent as
//! it is and the totals are whole numbers of the smallest currency unit; nothing is allocated, parsed into records or
//! printed. Mistakes that are easy to see, such as a negative quantity, become remarks (`remarks`), from which the host makes
//! the issues. If the judge refuses the body, [`crate::parse`] and everything after it run as for any other order; so a
//! refusal only costs time. A response that has the same form and read-only members is read in the same pass.
//!
//! Strings are not escaped and not searched by the writer, so a value could contain text that looks like members. The
//! writer therefore passes the number of pairs of quotes it wrote; the judge refuses backslashes, and another number of
//! pairs.
//!
//! **Invariant:** the judge may refuse anything; it never accepts an order for which [`crate::CheckedOrder`] has other
//! issues than the judge's remarks and the constant ones (missing Id, unknown tax, customer pricing), or whose request
//! body or totals differ.

mod amounts;
mod body;
mod item;
mod judge;
mod remarks;
mod terms;
mod totals;
mod words;

#[cfg(test)]
mod tests;

pub use judge::{Judge, MAX_LINES, Progress};
pub use remarks::MAX_RECORDS;
pub use totals::{MAX_TAXES, PlainTotals};
