//! The reference service and what belongs to it; `sales-order-intake-server --help` says more.

use std::process::ExitCode;

fn main() -> ExitCode {
    sales_order_intake::service::cli::run()
}
