//! Tests of the reference service over HTTP, on SQLite, or on PostgreSQL if TEST_DATABASE_URL names a server to create
//! databases in.
#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

#[path = "service/client.rs"]
mod client;
#[path = "service/command_line.rs"]
mod command_line;
#[path = "service/companies.rs"]
mod companies;
#[path = "service/concurrency.rs"]
mod concurrency;
#[path = "service/crash.rs"]
mod crash;
#[path = "service/database.rs"]
mod database;
#[path = "service/database_proxy.rs"]
mod database_proxy;
#[path = "service/demo_page.rs"]
mod demo_page;
#[path = "service/demo_service.rs"]
mod demo_service;
#[path = "service/held_connections.rs"]
mod held_connections;
#[path = "service/hostile_input.rs"]
mod hostile_input;
#[path = "service/http2.rs"]
mod http2;
#[path = "service/injected_faults.rs"]
mod injected_faults;
#[path = "service/pos.rs"]
mod pos;
#[path = "service/pos_bounds.rs"]
mod pos_bounds;
#[path = "service/privacy.rs"]
mod privacy;
#[path = "service/readiness.rs"]
mod readiness;
#[path = "service/receipts.rs"]
mod receipts;
#[path = "service/registry_reload.rs"]
mod registry_reload;
#[path = "service/replays.rs"]
mod replays;
#[path = "service/responses.rs"]
mod responses;
#[path = "service/server_process.rs"]
mod server_process;
#[path = "service/stopping.rs"]
mod stopping;
#[path = "service/test_server.rs"]
mod test_server;
#[path = "service/vectors.rs"]
mod vectors;
