//! What depends on the database.

mod crash;
