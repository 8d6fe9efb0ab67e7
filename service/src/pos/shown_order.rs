//! A stored order as JSON: with its preview, or with the reason why it is not shown.

use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::body::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::task::spawn_blocking;

use super::cache::Key;
use crate::registry::Location;
use crate::rules::intake::rule_options;
use crate::state::AppState;
use crate::store::ListedOrder;
use sales_order_intake::Preview;
use sales_order_intake::preview_order;
use sales_order_intake::{AmountOptions, DiscountValueTypes, RuleOptions, Version};

/// The maximum size of a body that is shown. A preview takes up to several times as much.
pub(super) const MAX_BODY_BYTES: u64 = 256 << 10;

/// The maximum size of an order as JSON, and of all orders of a response, in bytes.
pub(super) const MAX_SHOWN_BYTES: usize = 1 << 20;

const TOO_LARGE: &str = "The order is too large to be shown.";
const UNREADABLE: &str = "The stored order cannot be read.";

/// The location whose orders are shown.
pub(super) struct PosLocation<'l> {
    pub(super) location: &'l Location,
    pub(super) company: u32,
    pub(super) entity: u32,
    /// A hash of its tax rates.
    tax_rates: u64,
}

impl<'l> PosLocation<'l> {
    pub(super) fn new(location: &'l Location, company: u32, entity: u32) -> Self {
        Self { location, company, entity, tax_rates: hash(&location.tax_rates) }
    }
}

#[derive(Serialize)]
struct ShownOrder<'o> {
    version: Version,
    /// The body of the response that created it.
    order: &'o RawValue,
    preview: Preview,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HiddenOrder<'o> {
    version: &'o str,
    id: Option<String>,
    receipt_number: String,
    not_shown: &'static str,
}

/// Returns the JSON of an order, from the cache if possible.
pub(super) async fn show(app: &AppState, pos: &PosLocation<'_>, listed: ListedOrder) -> Bytes {
    if listed.body_bytes > MAX_BODY_BYTES {
        return hidden(&listed, TOO_LARGE);
    }
    let unreadable = hidden(&listed, UNREADABLE);
    let (Some(id), Ok(version)) = (listed.id, listed.version.parse()) else { return unreadable };
    let registry = app.registry.current();
    let integrator = listed.integrator.and_then(|id| registry.integrator(id));
    let PosLocation { location, company, entity, .. } = *pos;
    let rules = RuleOptions {
        discount_value_types: assumed_value_types(),
        ..rule_options(version, id, Some(location), integrator)
    };
    let options = hash(&(pos.tax_rates, &rules));
    let key = Key { company, entity, receipt: listed.receipt, options };
    let cached = app.views.cache().get(&key);
    if let Some(shown) = cached {
        return shown;
    }
    let permit = app.views.preview_permit().await;
    // Another request may have shown it meanwhile.
    let cached = app.views.cache().get(&key);
    if let Some(shown) = cached {
        return shown;
    }
    let body = match app.store.body(company, entity, listed.receipt).await {
        Ok(Some(body)) => body,
        Ok(None) => return unreadable,
        Err(error) => {
            tracing::error!(order = %id, %error, "order not read");
            return unreadable;
        }
    };
    let tax_rates = Some(location.tax_rates.clone());
    let amounts = AmountOptions { tax_rates, ..AmountOptions::default() };
    let views = app.views.clone();
    let shown = spawn_blocking(move || {
        let shown = shown(&listed, version, &body, &rules, &amounts);
        views.cache().insert(key, shown.clone());
        // Held by the thread, because the request may end earlier.
        drop(permit);
        shown
    });
    // The only error of the task itself is a panic.
    shown.await.unwrap_or(unreadable)
}

fn shown(
    listed: &ListedOrder,
    version: Version,
    body: &[u8],
    rules: &RuleOptions,
    amounts: &AmountOptions,
) -> Bytes {
    let Some((body, order)) = std::str::from_utf8(body).ok().and_then(|body| Some((body, object(body)?)))
    else {
        return hidden(listed, UNREADABLE);
    };
    let shown = ShownOrder { version, order, preview: preview_order(body, rules, amounts) };
    match serde_json::to_vec(&shown) {
        Ok(json) if json.len() < MAX_SHOWN_BYTES => json.into(),
        _ => hidden(listed, TOO_LARGE),
    }
}

/// Returns `None` if the body is not a JSON object.
fn object(body: &str) -> Option<&RawValue> {
    serde_json::from_str::<&RawValue>(body).ok().filter(|order| order.get().starts_with('{'))
}

fn hidden(listed: &ListedOrder, not_shown: &'static str) -> Bytes {
    let hidden = HiddenOrder {
        version: &listed.version,
        id: listed.id.map(|id| id.to_string()),
        receipt_number: listed.receipt.to_string(),
        not_shown,
    };
    // Serializing strings cannot fail.
    serde_json::to_vec(&hidden).unwrap_or_default().into()
}

/// Returns what the examples assume, because the meaning of ValueType is not published (D14).
fn assumed_value_types() -> Option<DiscountValueTypes> {
    DiscountValueTypes::new(1, 2).ok()
}

/// Distinguishes previews with other rates or rules, such as after a change of the registry.
fn hash(options: &impl fmt::Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{options:?}").hash(&mut hasher);
    hasher.finish()
}
