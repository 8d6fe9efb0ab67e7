//! Orders before they are sent: builds, evaluates and prepares them.

mod amounts;
mod evaluation;
mod ids;
mod options;
mod order;
mod request;

pub use amounts::{compare_amounts, read_decimal, sum_amounts};
pub use evaluation::{evaluate_order, preview_order};
pub use ids::{derive_order_id, parse_guid};
pub use order::{build_order, validate_order};
pub use request::{prepare_request, request_path};
