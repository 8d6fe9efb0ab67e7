//! The files of the demo page: which path is which file, and what the page may do.

use http::HeaderName;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, X_CONTENT_TYPE_OPTIONS};

/// The page runs only its own files, connects to services over TLS or on this machine, and cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self' https: http://127.0.0.1:* http://localhost:*; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The value of Cache-Control of the index, which refers to the current files.
pub const REVALIDATE: &str = "no-cache";
/// The value of Cache-Control of an asset: its name contains a hash of its content, so it never changes.
pub const FOREVER: &str = "public, max-age=31536000, immutable";

/// Returns the headers of a file, besides its type.
#[must_use]
pub fn headers(cache: &'static str) -> [(HeaderName, &'static str); 3] {
    [(CACHE_CONTROL, cache), (CONTENT_SECURITY_POLICY, POLICY), (X_CONTENT_TYPE_OPTIONS, "nosniff")]
}
