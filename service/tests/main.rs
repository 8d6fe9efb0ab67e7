//! Tests of the reference service over HTTP, on SQLite, or on PostgreSQL if TEST_DATABASE_URL names a server
//! to create databases in.
//!
//! Only the tests in `stores` depend on the database. Those in `alone` run one at a time, while no others
//! run.
#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod alone;
mod client;
mod command_line;
mod database;
mod database_proxy;
mod demo_page;
mod demo_service;
mod endpoints;
mod hostile_input;
mod http2;
mod injected_faults;
mod pos_hosts;
mod privacy;
mod readiness_of_files;
mod server_process;
mod stores;
mod test_server;
mod tokens;
mod upload;
mod waiting;
