//! The paths of the page and of the orders as JSON.

use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY};
use http::{HeaderMap, Response, StatusCode};

use crate::http_response::respond;
use crate::problem::{Problem, ProblemType};
use crate::registry::Registry;

use super::PosLocation;

/// The page loads only its own files. It inserts values of orders as text, never as HTML.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE: &str = include_str!("page.html");

/// What a path below `/pos` asks for.
pub enum PosPath<'r> {
    /// The page of a location.
    Page(Response<String>),
    /// The orders of a location as JSON, before this receipt number.
    Orders(PosLocation<'r>, i64),
}

impl<'r> PosPath<'r> {
    /// Returns the page, or the orders as JSON if the path ends in `.json` or Accept asks for JSON.
    ///
    /// # Errors
    /// Returns the problem of a location that does not exist, or of a query that has no receipt number.
    pub fn parse(
        company: &str,
        entity: &str,
        query: Option<&str>,
        headers: &HeaderMap,
        registry: &'r Registry,
    ) -> Result<Self, Problem> {
        let not_found = || Problem::new(ProblemType::NotFound, "This location does not exist.");
        let (entity, json) = match entity.strip_suffix(".json") {
            Some(entity) => (entity, true),
            None => (entity, accepts_json(headers)),
        };
        let (Ok(company), Ok(entity)) = (company.parse(), entity.parse()) else { return Err(not_found()) };
        let location = registry.location(company, entity).ok_or_else(not_found)?;
        let before = before(query)
            .ok_or_else(|| Problem::new(ProblemType::NotFound, "`before` must be a receipt number."))?;
        if json {
            return Ok(Self::Orders(PosLocation { location, company, entity }, before));
        }
        let headers = [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, POLICY),
            (VARY, "Accept"),
            (CACHE_CONTROL, "no-cache"),
        ];
        Ok(Self::Page(respond(StatusCode::OK, headers, PAGE)))
    }
}

/// Returns the receipt number of `before=<number>`, `i64::MAX` if the query does not contain it, or `None` if
/// it is not a receipt number.
fn before(query: Option<&str>) -> Option<i64> {
    let mut parameters = query.unwrap_or_default().split('&');
    match parameters.find_map(|parameter| parameter.strip_prefix("before=")) {
        None => Some(i64::MAX),
        Some(before) => before.parse().ok().filter(|before| *before > 0),
    }
}

/// Returns false for a browser: it accepts text/html too.
fn accepts_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    !accept.contains("text/html") && accept.contains("json")
}
