//! What depends on the database: these tests run on SQLite and on PostgreSQL.

mod companies;
mod concurrency;
mod pos;
pub(crate) mod pos_pages;
pub(crate) mod readiness;
mod receipts;
mod replays;
mod stopping;
