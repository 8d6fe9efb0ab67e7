//! The orders of a location as JSON: each with its preview, or with the reason why it is not shown.

use http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use http::{Response, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use sales_order_intake::{AmountOptions, DiscountValueTypes, Guid, Preview, Version, preview_order};

use super::PosLocation;
use crate::http_response::respond;
use crate::intake::rule_options;
use crate::registry::{Location, Registry};

/// The maximum number of orders of a response.
pub const MAX_ORDERS: usize = 50;
/// The maximum size of a body that is shown, in bytes. A preview takes up to several times as much.
pub const MAX_BODY_BYTES: usize = 256 << 10;
/// The maximum size of the bodies that a response shows.
const MAX_BODIES_BYTES: usize = 2 * MAX_BODY_BYTES;

const NOTE: &str = "What a point of sale might show. Not part of the specified service. \
    It assumes that ValueType 1 of a discount is an amount and 2 a percentage.";

/// An order of a location.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedOrder {
    /// The receipt number.
    pub receipt: i64,
    /// The Id of the order.
    pub order_id: Guid,
    /// The integrator that sent it.
    pub integrator: Guid,
    /// The version of the operation that it was sent to.
    pub version: Version,
    /// The body of the response that created it; `None` if it has more than [`MAX_BODY_BYTES`].
    pub body: Option<String>,
}

#[derive(Serialize)]
struct View<'v> {
    note: &'static str,
    company: Named<'v>,
    location: Named<'v>,
    /// The path of the next orders.
    older: Option<String>,
    orders: Vec<Shown<'v>>,
}

#[derive(Serialize)]
struct Named<'v> {
    id: u32,
    name: &'v str,
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Shown<'v> {
    Order { version: Version, order: &'v RawValue, preview: Box<Preview> },
    Hidden { version: Version, id: Guid, receipt_number: String, not_shown: &'static str },
}

/// Returns the response with the orders of a location, which are listed from the newest to the oldest.
#[must_use]
pub fn orders(pos: &PosLocation<'_>, listed: &[ListedOrder], registry: &Registry) -> Response<String> {
    let mut bytes = 0;
    let within_limits = |order: &&ListedOrder| {
        bytes += order.shown_body().map_or(0, str::len);
        bytes <= MAX_BODIES_BYTES
    };
    let shown: Vec<_> = listed.iter().take(MAX_ORDERS).take_while(within_limits).collect();
    let last = shown.last().filter(|_| shown.len() < listed.len());
    let PosLocation { location, company, entity } = pos;
    let view = View {
        note: NOTE,
        company: Named { id: *company, name: &location.company_name },
        location: Named { id: *entity, name: &location.name },
        older: last.map(|last| format!("/pos/{company}/{entity}.json?before={}", last.receipt)),
        orders: shown.into_iter().map(|order| order.show(location, registry)).collect(),
    };
    // Serializing strings and numbers cannot fail.
    let json = serde_json::to_string(&view).unwrap_or_default();
    let headers = [(CONTENT_TYPE, "application/json"), (VARY, "Accept"), (CACHE_CONTROL, "no-store")];
    respond(StatusCode::OK, headers, json)
}

impl ListedOrder {
    /// Returns the body, unless it is too large.
    fn shown_body(&self) -> Option<&str> {
        self.body.as_deref().filter(|body| body.len() <= MAX_BODY_BYTES)
    }

    fn show(&self, location: &Location, registry: &Registry) -> Shown<'_> {
        let Self { receipt, order_id: id, version, .. } = *self;
        let hidden =
            |not_shown| Shown::Hidden { version, id, receipt_number: receipt.to_string(), not_shown };
        let Some(body) = self.shown_body() else { return hidden("The order is too large to be shown.") };
        let Ok(order) = serde_json::from_str(body) else { return hidden("The stored order cannot be read.") };
        let mut rules = rule_options(version, id, Some(location), registry.integrator(self.integrator));
        // What the examples assume, because the meaning of ValueType is not published (D14).
        rules.discount_value_types = DiscountValueTypes::new(1, 2).ok();
        let amounts = AmountOptions::default().with_tax_rates(location.tax_rates.clone());
        Shown::Order { version, order, preview: Box::new(preview_order(body, &rules, &amounts)) }
    }
}
