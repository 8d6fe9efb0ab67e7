//! Tests that open hundreds of connections, use up a limit of the system, or load the machine.

mod slow_connections;
mod stores;
