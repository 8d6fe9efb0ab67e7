//! The reference service: both operations over HTTP, with durable orders.
//!
//! Integrators without an account at the vendor test against it; so do the demo and all end-to-end tests. It
//! parses, checks and prints orders with the core and adds what a service needs. What it decides is in the
//! crate `service_rules`; this one adds HTTP and storage. If the specification is silent, it follows D27 to
//! D29, D40 and D41; the vendor's service may differ.
//!
//! | Module | Contents |
//! |---|---|
//! | `http` | routes, the handler of both operations, the limits of a body |
//! | `store` | SQLite or PostgreSQL; stores an order, or returns the one that has its Id |
//! | `pos` | the orders as a cashier would see them; not one of the specified operations |
//! | `response` | makes the response of a problem |
//! | `state` | the state that all requests share |
//! | `settings` | address, storage, limits and options |
//! | `server` | start, accepting connections, graceful shutdown |
//! | `demo` | a ready-made registry, the demo page, and the list of the last requests |
//! | `cli` | the commands `serve`, `token` and `check` |

#![forbid(unsafe_code)]

pub mod cli;
mod demo;
mod http;
mod pos;
mod response;
mod server;
mod settings;
mod state;
mod store;

pub use server::{RunError, Server, StartError};
pub use service_rules::injected_fault::{FaultRate, FaultSettings, InjectedFault};
pub use service_rules::registry::Registry;
pub use service_rules::token::{Token, TokenHash};
pub use settings::{Limits, Settings};
