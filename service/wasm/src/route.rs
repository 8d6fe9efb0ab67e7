//! The endpoints besides the two operations: health, the OpenAPI document, the last requests, and the pages
//! of a demo.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use service_rules::demo_page::{FOREVER, REVALIDATE};
use service_rules::endpoint::Endpoint;
use service_rules::pos::{self, ListedOrder, PosLocation, PosPath};
use service_rules::problem::Problem;
use service_rules::{demo_page, host};

use crate::json::{JsonResponse, headers, read, registry};

/// A request that may be for something else than an order.
#[derive(Deserialize)]
struct Request {
    method: String,
    /// The host in the target of the request, if there is one.
    authority: Option<String>,
    path: String,
    /// Without its question mark; empty if there is none.
    query: String,
    headers: Vec<(String, String)>,
}

/// What a request is for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Route {
    /// An order, or nothing that exists: the rules of orders decide.
    Order,
    /// The response.
    Response(JsonResponse),
    /// Whether orders can be stored: the store tries it.
    Probe {
        /// The response if an order can be stored.
        succeeded: JsonResponse,
        /// The response if none can.
        failed: JsonResponse,
    },
    /// The last requests as JSON, with these headers.
    Requests,
    /// The orders of a location before a receipt number, newest first: [`orders`] shows them.
    Orders {
        /// The id of the company.
        company: u32,
        /// The id of the location.
        entity: u32,
        /// Only orders with lower receipt numbers.
        before: i64,
    },
    /// A file of the page's folder, with these headers besides its type.
    File {
        /// The path in the folder.
        path: String,
        /// Names and values.
        headers: Vec<(String, String)>,
    },
}

/// Finds out what a request is for.
pub(crate) fn route(request: &str, source: &str) -> Result<Route, String> {
    let request: Request = read(request)?;
    let headers = headers(&request.headers);
    let Some((endpoint, captures)) = Endpoint::of(&request.path) else { return Ok(Route::Order) };
    if !["GET", "HEAD"].contains(&&*request.method) {
        return Ok(problem(Problem::method_not_allowed("GET, HEAD")));
    }
    if endpoint.is_page() {
        let checked =
            host::check(request.authority.as_deref(), &headers, &[], "Use localhost or an IP address.");
        if let Err(wrong_host) = checked {
            return Ok(problem(wrong_host));
        }
    }
    let registry = registry(source)?;
    if let Some(response) = endpoint.response(&registry, "") {
        return Ok(Route::Response(response.map(Cow::into_owned).into()));
    }
    Ok(match (endpoint, captures.as_slice()) {
        (Endpoint::Ready, _) => {
            let succeeded = JsonResponse { status: 204, headers: Vec::new(), body: String::new() };
            Route::Probe { succeeded, failed: Problem::not_ready().response().into() }
        }
        (Endpoint::Requests, _) => Route::Requests,
        (Endpoint::Pos, [company, entity]) => {
            let query = Some(&*request.query).filter(|query| !query.is_empty());
            match PosPath::parse(company, entity, query, &headers, &registry) {
                Ok(PosPath::Page(page)) => Route::Response(page.into()),
                Ok(PosPath::Orders(PosLocation { company, entity, .. }, before)) => {
                    Route::Orders { company, entity, before }
                }
                Err(error) => problem(error),
            }
        }
        (Endpoint::Page, _) => file("index.html", REVALIDATE),
        (Endpoint::PageFile, [name]) if is_file_name(name) => file(&["assets/", name].concat(), FOREVER),
        _ => problem(Problem::path_not_found()),
    })
}

/// Returns the orders of a location, the newest first, as a cashier would see them.
pub(crate) fn orders(location: &str, source: &str, orders: &str) -> Result<JsonResponse, String> {
    let (company, entity): (u32, u32) = read(location)?;
    let (orders, registry): (Vec<ListedOrder>, _) = (read(orders)?, registry(source)?);
    let location = registry.location(company, entity).ok_or("no such location")?;
    Ok(pos::orders(&PosLocation { location, company, entity }, &orders, &registry).into())
}

fn is_file_name(name: &str) -> bool {
    !name.starts_with('.') && name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
}

fn file(path: &str, cache: &'static str) -> Route {
    let headers = demo_page::headers(cache).map(|(name, value)| (name.to_string(), value.to_owned()));
    Route::File { path: path.to_owned(), headers: headers.into() }
}

fn problem(problem: Problem) -> Route {
    Route::Response(problem.response().into())
}
