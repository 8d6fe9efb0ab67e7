//! The program of the reference service; `sales-order-intake-server --help` lists its commands.

use std::process::ExitCode;

fn main() -> ExitCode {
    sales_order_intake_service::cli::run()
}
