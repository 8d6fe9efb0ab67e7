//! `/requests`: the last order requests, newest first, so that tests can see what a client sent. Contains no
//! body, no token and no path that is not one of an operation.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;

use sales_order_intake::Guid;
use sales_order_intake::Version;

/// The number of requests.
const MAX: usize = 200;

/// The last requests, the newest first.
#[derive(Default)]
pub(crate) struct RecentRequests(Mutex<VecDeque<RecentRequest>>);

/// A request and its response.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecentRequest {
    /// When the response was ready.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) time: OffsetDateTime,
    /// The method, at most 20 characters of it.
    pub(crate) method: String,
    /// The version in the path; `None`, like `order_id`, if the path is not one of an operation.
    pub(crate) version: Option<Version>,
    /// The Id in the path.
    pub(crate) order_id: Option<Guid>,
    /// `None` if the connection was closed instead.
    pub(crate) status: Option<u16>,
    /// The injected fault, as in the header `X-Fault`.
    pub(crate) fault: Option<String>,
    /// How long the response took.
    pub(crate) milliseconds: u64,
}

impl RecentRequests {
    /// Adds a request, and forgets the oldest one if there are too many.
    pub(crate) fn add(&self, request: RecentRequest) {
        let mut requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        requests.truncate(MAX - 1);
        requests.push_front(request);
    }

    /// Returns `{ "requests": […] }`.
    pub(crate) fn to_json(&self) -> String {
        let requests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        json!({ "requests": *requests }).to_string()
    }
}
