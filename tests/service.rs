//! The reference service from the outside: over HTTP, on SQLite, and on PostgreSQL where TEST_DATABASE_URL names a
//! cluster to make databases in.
#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

#[path = "service/answers.rs"]
mod answers;
#[path = "service/client.rs"]
mod client;
#[path = "service/command_line.rs"]
mod command_line;
#[path = "service/concurrency.rs"]
mod concurrency;
#[path = "service/crash.rs"]
mod crash;
#[path = "service/database.rs"]
mod database;
#[path = "service/faults.rs"]
mod faults;
#[path = "service/hostile.rs"]
mod hostile;
#[path = "service/http2.rs"]
mod http2;
#[path = "service/page.rs"]
mod page;
#[path = "service/point_of_sale.rs"]
mod point_of_sale;
#[path = "service/privacy.rs"]
mod privacy;
#[path = "service/process.rs"]
mod process;
#[path = "service/running.rs"]
mod running;
#[path = "service/vectors.rs"]
mod vectors;
