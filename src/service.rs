//! The reference service: both operations over HTTP, with orders stored for real (feature `service`).
//!
//! It is what integrators test against who have no account with the vendor, and what the demo and every end-to-end test
//! run on. Reading, rules and printing are those of the crate; here is only what a service adds: tokens, a registry of
//! companies and locations, storage, and HTTP. What the specification leaves open is answered as D27 to D29, D40 and D41
//! have it; it is not proven that the vendor's service does the same.
//!
//! | Module | What |
//! |---|---|
//! | `registry` | companies, locations, integrators and tokens, from one TOML file |
//! | `intake` | the text of an order → what is stored, or every issue |
//! | `budget` | memory for bodies |
//! | `canonical` | what makes two orders the same (D28) |
//! | `store` | orders and receipt numbers in SQLite or PostgreSQL |
//! | `http` | routes, and the checks of a request in their order |
//! | `state` | what requests share |
//! | `server` | connections, their time limits, and the graceful stop |
//! | `point_of_sale` | what a cashier would see, outside the specified operations |
//! | `demo` | a ready registry, and the demo page |
//! | `cli` | `serve`, `token`, `check` |

mod budget;
mod canonical;
pub mod cli;
mod demo;
mod fault;
mod http;
mod intake;
mod lingering;
mod media;
mod metrics;
mod openapi;
mod point_of_sale;
mod problem;
mod registry;
mod server;
mod settings;
mod state;
mod store;
mod token;

pub use fault::{Fault, FaultSettings};
pub use registry::{Registry, RegistryFault};
pub use server::{Server, StartError};
pub use settings::{Limits, Settings};
pub use token::Token;
