//! Refuses a body that is too large, compressed, or neither JSON nor UTF-8.

use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use sales_order_intake::{Issue, IssueCode};

use crate::media_type::check_content;
use crate::problem::{Problem, ProblemType};

/// Refuses a body by its headers: if it is not JSON, is compressed, or is announced as too large.
pub(crate) fn check_headers(headers: &HeaderMap, max_bytes: usize) -> Result<(), Problem> {
    check_content(headers)?;
    // More than the address space of WebAssembly, too.
    let announced: Option<u64> =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    check_size(usize::try_from(announced.unwrap_or(0)).unwrap_or(usize::MAX), max_bytes)
}

/// Refuses a body that is too large.
pub fn check_size(bytes: usize, max_bytes: usize) -> Result<(), Problem> {
    if bytes > max_bytes { Err(too_large(max_bytes)) } else { Ok(()) }
}

/// Returns the body of an order as a string, unless it is too large or not UTF-8.
pub(crate) fn checked(body: &[u8], max_bytes: usize) -> Result<&str, Problem> {
    check_size(body.len(), max_bytes)?;
    std::str::from_utf8(body).map_err(|_| {
        let message = "The order is not JSON: it is not valid UTF-8".to_owned();
        Problem::invalid_order(vec![Issue::from_service(IssueCode::NotJson, Vec::new(), message)])
    })
}

/// Returns the problem of a body that is too large.
pub fn too_large(max_bytes: usize) -> Problem {
    let detail = format!("The body must not exceed {max_bytes} bytes.");
    Problem::new(ProblemType::TooLarge, detail).and_close()
}
