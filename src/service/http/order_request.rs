//! `PUT {base}/v2/ServiceOrder({orderId})` and `PUT {base}/v3/ServiceOrder({orderId})` (§4).

use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::header::{ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt as _;
use jiff::Timestamp;

use crate::code::IssueCode;
use crate::guid::Guid;
use crate::issue::Issue;
use crate::options::Version;

use crate::service::budget::Held;
use crate::service::fault::{Dropped, Fault};
use crate::service::intake::{self, Accepted, Refused};
use crate::service::media::Media;
use crate::service::metrics::OrderOutcome;
use crate::service::problem::{Kind, Problem};
use crate::service::registry::Grant;
use crate::service::settings::Limits;
use crate::service::state::Service;
use crate::service::store::Stored;

/// Answers a request to a path that looks like one of the operations, and tells metrics and log of it.
pub(super) async fn answer(
    State(service): State<Arc<Service>>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Response {
    let started = Instant::now();
    let operation = path.ok().and_then(|Path((version, resource))| operation(&version, &resource));
    let fault = service.faults.as_ref().and_then(|faults| faults.choose(request.headers()));
    let mut response = match before(fault).await {
        Some(response) => response,
        None => match operation {
            Some(operation) => put(&service, operation, request).await.unwrap_or_else(Problem::into_response),
            None => Problem::new(
                Kind::NotFound,
                "The path must be v2/ServiceOrder({orderId}) or v3/ServiceOrder({orderId}), orderId a GUID.",
            )
            .into_response(),
        },
    };
    if fault == Some(Fault::DropAfter) {
        response.extensions_mut().insert(Dropped);
    }
    let (status, took) = (response.status().as_u16(), started.elapsed());
    service.metrics.answered(status, took);
    // The id of the order is the caller's own random one; nothing else of the order is told (D45).
    match operation {
        Some(Operation { version, id }) => {
            tracing::info!(version = version.as_str(), order = %id, status, micros = micros(took), "order request");
        }
        None => tracing::info!(status, micros = micros(took), "request to no operation"),
    }
    response
}

/// One of the two operations, and the order it is for.
#[derive(Clone, Copy)]
struct Operation {
    version: Version,
    id: Guid,
}

/// Takes the path apart; the GUID may have any of the .NET forms (D1).
fn operation(version: &str, resource: &str) -> Option<Operation> {
    let version = version.parse().ok()?;
    let id = resource.strip_prefix("ServiceOrder(")?.strip_suffix(')')?;
    Some(Operation { version, id: Guid::parse(id).ok()? })
}

async fn put(service: &Service, operation: Operation, request: Request) -> Result<Response, Problem> {
    if request.method() != Method::PUT {
        return Err(Problem::method_not_allowed("PUT"));
    }
    let grant = authenticate(service, request.headers())?;
    let media = accepted_media(request.headers())?;
    body_media(request.headers())?;
    // What it holds is free again when the order is stored.
    let (bytes, _held) = read(service, request).await?;
    let text = std::str::from_utf8(&bytes).map_err(|_| not_text())?;
    let Operation { version, id } = operation;
    let order = intake::accept(text, version, id, &service.registry, grant, Timestamp::now());
    drop(bytes);
    let stored = store(service, order.map_err(refused)?).await?;
    let (status, body, outcome) = match stored {
        Stored::Created(body) => (StatusCode::CREATED, body, OrderOutcome::Created),
        Stored::Same(body) => (StatusCode::OK, body, OrderOutcome::Repeated),
        Stored::Other => {
            service.metrics.order(version.as_str(), OrderOutcome::Conflict);
            let detail = "Another order was created with this id; it was not changed.";
            return Err(Problem::new(Kind::Conflict, detail));
        }
    };
    service.metrics.order(version.as_str(), outcome);
    Ok((status, [(CONTENT_TYPE, media.content_type())], body).into_response())
}

/// Who sent it: the bearer of a token of the registry (§5).
fn authenticate<'s>(service: &'s Service, headers: &HeaderMap) -> Result<&'s Grant, Problem> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (value, None) = (values.next(), values.next()) else {
        return Err(Problem::unauthenticated("There is more than one Authorization header."));
    };
    let Some(value) = value else {
        return Err(Problem::unauthenticated("Send Authorization: Bearer <ACCESS_TOKEN>."));
    };
    let credentials = value.to_str().ok().and_then(|value| value.split_once(' '));
    let Some((_, token)) = credentials.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
        return Err(Problem::unauthenticated("The scheme of Authorization must be Bearer."));
    };
    let grant = service.registry.grant(token.trim());
    grant.ok_or_else(|| Problem::unauthenticated("The token is not known here."))
}

fn accepted_media(headers: &HeaderMap) -> Result<Media, Problem> {
    // What is no text prefers nothing that is known here.
    let accept = headers.get_all(ACCEPT).iter().map(|value| value.to_str().unwrap_or("?"));
    Media::preferred(accept).ok_or_else(|| {
        Problem::new(Kind::NotAcceptable, "Orders are answered as application/json or text/json.")
    })
}

fn body_media(headers: &HeaderMap) -> Result<Media, Problem> {
    let unsupported = |detail| Problem::new(Kind::UnsupportedMediaType, detail).and_close();
    let coding = headers.get(CONTENT_ENCODING).map_or("identity", |value| value.to_str().unwrap_or("?"));
    if !coding.eq_ignore_ascii_case("identity") {
        return Err(unsupported("The body must not be compressed."));
    }
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type
        .and_then(Media::of_body)
        .ok_or_else(|| unsupported("Send the order as application/json or text/json, in UTF-8."))
}

/// The whole body, within its limits of size and time and the memory that is left for bodies.
async fn read(service: &Service, request: Request) -> Result<(Bytes, Held), Problem> {
    let limits = &service.limits;
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > u64::try_from(limits.body_bytes).unwrap_or(u64::MAX)) {
        return Err(too_large(limits));
    }
    let whole = collect(request.into_body(), limits, service.budget.body());
    tokio::time::timeout(limits.body_time, whole).await.unwrap_or_else(|_| {
        let detail = format!("A body takes at most {} seconds.", limits.body_time.as_secs());
        Err(Problem::new(Kind::SlowBody, detail).and_close())
    })
}

async fn collect(mut body: Body, limits: &Limits, mut held: Held) -> Result<(Bytes, Held), Problem> {
    let mut first = Bytes::new();
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame
            .map_err(|_| Problem::new(Kind::BrokenBody, "The body ended before it should.").and_close())?;
        // Trailers say nothing here.
        let Ok(data) = frame.into_data() else { continue };
        if data.len() > limits.body_bytes.saturating_sub(first.len() + bytes.len()) {
            return Err(too_large(limits));
        }
        if !held.take(data.len()) {
            let detail = "Too many bodies are being read; send the order again.";
            return Err(Problem::new(Kind::Unavailable, detail).retry_after("1").and_close());
        }
        // Most bodies come in one piece, which is not copied.
        if first.is_empty() && bytes.is_empty() {
            first = data;
        } else {
            bytes.extend_from_slice(&std::mem::take(&mut first));
            bytes.extend_from_slice(&data);
        }
    }
    Ok((if bytes.is_empty() { first } else { bytes.into() }, held))
}

fn too_large(limits: &Limits) -> Problem {
    Problem::new(Kind::TooLarge, format!("A body has at most {} bytes.", limits.body_bytes)).and_close()
}

fn not_text() -> Problem {
    let says = "The order is not JSON text: it is not UTF-8".to_owned();
    Problem::invalid(vec![Issue::of_service(IssueCode::NotJson, Vec::new(), says)])
}

fn refused(refused: Refused) -> Problem {
    match refused {
        Refused::Forbidden(member) => {
            Problem::new(Kind::Forbidden, format!("The token is not for the {member} of this order."))
        }
        Refused::Invalid(issues) => Problem::invalid(issues),
    }
}

async fn store(service: &Service, order: Accepted) -> Result<Stored, Problem> {
    service.store.put(order).await.map_err(|error| {
        tracing::error!(%error, "an order was not stored");
        // Whether it was stored after all is not known; the same request again is always right (D28).
        Problem::new(Kind::Unavailable, "The order could not be stored; send it again.").retry_after("1")
    })
}

/// A fault that comes before anything else; nothing where the request is to be done.
async fn before(fault: Option<Fault>) -> Option<Response> {
    match fault? {
        Fault::Latency(wait) => {
            tokio::time::sleep(wait).await;
            None
        }
        Fault::Drop => {
            let mut response = Response::new(Body::empty());
            response.extensions_mut().insert(Dropped);
            Some(response)
        }
        fault => fault.problem().map(Problem::into_response),
    }
}

fn micros(took: std::time::Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}
