//! The decisions of the reference service, without I/O. They take a request, a registry, the results of a
//! store and the time, and give a response, and what to store.
//!
//! The crate `sales-order-intake-server` serves it over HTTP, with orders in a database. The crate
//! `service-wasm` compiles it to WebAssembly for `sales-order-intake/testing`, with orders in memory.
//!
//! | Module | Contents |
//! |---|---|
//! | `order_request` | from the head of a request to its response |
//! | `operation` | the path: version and order Id |
//! | `endpoint` | the other paths, and the responses of most of them |
//! | `injected_fault` | faults on request, at random or by a test |
//! | `authorization` | compares the token; decides what it may do |
//! | `media_type` | Accept and Content-Type |
//! | `body` | the size of a body, and its form |
//! | `intake` | checks an order and prints it as it will be stored |
//! | `new_order` | an order before it is stored, and what the store returns |
//! | `replay` | whether an order is the stored one with its Id: a replay or a conflict (D28, D49) |
//! | `problem` | errors as RFC 9457 problem details, each type with its status |
//! | `http_response` | makes a response |
//! | `registry`, `token` | companies, locations, integrators and tokens, from a TOML file |
//! | `pos` | the orders as a cashier would see them; not one of the specified operations |
//! | `relay_routes` | what a request asks of the relay of the command line, and who may ask |
//! | `demo_page`, `host` | the data and the headers of the demo page; the host names under which pages are served |

#![forbid(unsafe_code)]

pub mod authorization;
pub mod body;
pub mod demo_page;
pub mod endpoint;
pub mod host;
pub mod http_response;
pub mod injected_fault;
pub mod intake;
pub mod media_type;
pub mod new_order;
pub mod operation;
pub mod order_request;
pub mod pos;
pub mod problem;
pub mod registry;
pub mod relay_routes;
pub mod replay;
pub mod token;
