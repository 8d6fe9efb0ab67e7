//! The endpoints besides the two operations: one list for both forms of the service.

use std::borrow::Cow;

use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{Response, StatusCode};

use crate::demo_page::directory_json;
use crate::http_response::respond;
use crate::registry::Registry;

const OPENAPI: &str = include_str!("openapi.json");

/// What a path is for, if it is not one of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Whether the service runs.
    Live,
    /// Whether orders can be stored.
    Ready,
    /// The OpenAPI document.
    OpenApi,
    /// The script of the page with a location's orders.
    PosScript,
    /// The style sheet of the page with a location's orders.
    PosStyle,
    /// The orders of a location as a cashier would see them: the page, or JSON.
    Pos,
    /// The demo page.
    Page,
    /// A file of the demo page.
    PageFile,
    /// The companies, locations and integrators that the demo page offers.
    Directory,
    /// The last requests.
    Requests,
}

impl Endpoint {
    /// The path of each endpoint. A segment in braces matches any segment; with an asterisk, it matches the rest of
    /// the path.
    pub const ALL: [(&str, Self); 10] = [
        ("/health/live", Self::Live),
        ("/health/ready", Self::Ready),
        ("/openapi.json", Self::OpenApi),
        ("/pos/page.js", Self::PosScript),
        ("/pos/page.css", Self::PosStyle),
        ("/pos/{company}/{entity}", Self::Pos),
        ("/", Self::Page),
        ("/assets/{*path}", Self::PageFile),
        ("/demo.json", Self::Directory),
        ("/requests", Self::Requests),
    ];

    /// Finds the endpoint of a path, and the parts of the path that match segments in braces.
    ///
    /// ```
    /// use service_rules::endpoint::Endpoint;
    ///
    /// assert_eq!(Endpoint::of("/pos/1501/2301"), Some((Endpoint::Pos, vec!["1501", "2301"])));
    /// assert_eq!(Endpoint::of("/assets/fonts/a.woff2"), Some((Endpoint::PageFile, vec!["fonts/a.woff2"])));
    /// assert_eq!(Endpoint::of("/v3/ServiceOrder(1)"), None);
    /// ```
    #[must_use]
    pub fn of(path: &str) -> Option<(Self, Vec<&str>)> {
        Self::ALL.iter().find_map(|(pattern, endpoint)| Some((*endpoint, captures(pattern, path)?)))
    }

    /// Returns the response of an endpoint that depends only on the registry and the path before `/v2` and
    /// `/v3`, or `None` for any other.
    #[must_use]
    pub fn response(self, registry: &Registry, base_path: &str) -> Option<Response<Cow<'static, str>>> {
        let (media_type, text): (_, Cow<'static, str>) = match self {
            Self::Live => return Some(respond(StatusCode::NO_CONTENT, [], "")),
            Self::OpenApi => ("application/json", OPENAPI.into()),
            Self::Directory => ("application/json", directory_json(registry, base_path).into()),
            Self::PosScript => ("text/javascript", include_str!("pos/page.js").into()),
            Self::PosStyle => ("text/css", include_str!("pos/page.css").into()),
            Self::Ready | Self::Pos | Self::Page | Self::PageFile | Self::Requests => {
                return None;
            }
        };
        let headers = [(CONTENT_TYPE, media_type), (CACHE_CONTROL, "no-cache")];
        Some(respond(StatusCode::OK, headers, text))
    }

    /// Returns true if only this machine and allowed hosts get it: its responses show orders, or are pages.
    #[must_use]
    pub fn is_page(self) -> bool {
        !matches!(self, Self::Live | Self::Ready | Self::OpenApi)
    }
}

/// Returns the parts of the path that match segments in braces, or `None` if it does not match the pattern.
fn captures<'p>(pattern: &str, path: &'p str) -> Option<Vec<&'p str>> {
    if let Some((folder, _)) = pattern.split_once("{*") {
        return path.strip_prefix(folder).map(|rest| vec![rest]);
    }
    let (expected, segments) = (pattern.split('/'), path.split('/'));
    let is_match = expected.clone().count() == segments.clone().count();
    let pairs = expected.zip(segments);
    let is_captured = |expected: &str| expected.starts_with('{');
    (is_match && pairs.clone().all(|(expected, segment)| is_captured(expected) || expected == segment))
        .then(|| pairs.filter(|(expected, _)| is_captured(expected)).map(|(_, segment)| segment).collect())
}
