//! A stored order as JSON: with its preview, or with the reason why it is not shown.

use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::Serialize;
use serde_json::value::RawValue;

use sales_order_intake::{
    AmountOptions, DiscountValueTypes, Guid, Preview, RuleOptions, Version, preview_order,
};

use crate::intake::rule_options;
use crate::registry::{Integrator, Location, Registry};

/// The maximum size of a body that is shown, in bytes. A preview takes up to several times as much.
pub const MAX_BODY_BYTES: u64 = 256 << 10;

/// The maximum size of an order as JSON, and of all orders of a response, in bytes.
pub const MAX_SHOWN_BYTES: usize = 1 << 20;

const TOO_LARGE: &str = "The order is too large to be shown.";
const UNREADABLE: &str = "The stored order cannot be read.";

/// The location whose orders are shown.
pub struct PosLocation<'l> {
    /// Its entry in the registry.
    pub location: &'l Location,
    /// The id of its company.
    pub company: u32,
    /// Its own id.
    pub entity: u32,
    /// A hash of its tax rates.
    tax_rates: u64,
}

/// What is known of a stored order before its body is read. Members that this service did not write are
/// `None` or unknown strings.
pub struct StoredHead {
    /// The receipt number.
    pub receipt: i64,
    /// The Id of the order.
    pub id: Option<Guid>,
    /// The integrator that sent it.
    pub integrator: Option<Guid>,
    /// The version of the operation that it was sent to.
    pub version: String,
    /// The size of the body.
    pub body_bytes: u64,
}

/// How an order is shown.
pub struct View {
    version: Version,
    rules: RuleOptions,
    amounts: AmountOptions,
    /// Distinguishes views with other rates or rules, such as after a change of the registry.
    pub hash: u64,
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

impl<'l> PosLocation<'l> {
    /// Gives a location of the registry its ids.
    #[must_use]
    pub fn new(location: &'l Location, company: u32, entity: u32) -> Self {
        Self { location, company, entity, tax_rates: hash(&location.tax_rates) }
    }

    /// Returns how an order is shown.
    ///
    /// # Errors
    /// Returns the JSON of an order that is not shown, whatever its body.
    pub fn view(&self, stored: &StoredHead, registry: &Registry) -> Result<View, Vec<u8>> {
        if stored.body_bytes > MAX_BODY_BYTES {
            return Err(stored.hidden(TOO_LARGE));
        }
        let (Some(id), Ok(version)) = (stored.id, stored.version.parse()) else {
            return Err(stored.unreadable());
        };
        let integrator: Option<&Integrator> = stored.integrator.and_then(|id| registry.integrator(id));
        let mut rules = rule_options(version, id, Some(self.location), integrator);
        rules.discount_value_types = assumed_value_types();
        let amounts = AmountOptions::default().with_tax_rates(self.location.tax_rates.clone());
        Ok(View { version, hash: hash(&(self.tax_rates, &rules)), rules, amounts })
    }
}

impl View {
    /// Returns the JSON of an order.
    #[must_use]
    pub fn show(&self, stored: &StoredHead, body: &[u8]) -> Vec<u8> {
        let Some((body, order)) = std::str::from_utf8(body).ok().and_then(|body| Some((body, object(body)?)))
        else {
            return stored.unreadable();
        };
        let preview = preview_order(body, &self.rules, &self.amounts);
        match serde_json::to_vec(&ShownOrder { version: self.version, order, preview }) {
            Ok(json) if json.len() < MAX_SHOWN_BYTES => json,
            _ => stored.hidden(TOO_LARGE),
        }
    }
}

impl StoredHead {
    /// Returns the JSON of an order that can't be read.
    #[must_use]
    pub fn unreadable(&self) -> Vec<u8> {
        self.hidden(UNREADABLE)
    }

    fn hidden(&self, not_shown: &'static str) -> Vec<u8> {
        let hidden = HiddenOrder {
            version: &self.version,
            id: self.id.map(|id| id.to_string()),
            receipt_number: self.receipt.to_string(),
            not_shown,
        };
        // Serializing strings cannot fail.
        serde_json::to_vec(&hidden).unwrap_or_default()
    }
}

/// Returns `None` if the body is not a JSON object.
fn object(body: &str) -> Option<&RawValue> {
    serde_json::from_str::<&RawValue>(body).ok().filter(|order| order.get().starts_with('{'))
}

/// Returns what the examples assume, because the meaning of ValueType is not published (D14).
fn assumed_value_types() -> Option<DiscountValueTypes> {
    DiscountValueTypes::new(1, 2).ok()
}

fn hash(options: &impl fmt::Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{options:?}").hash(&mut hasher);
    hasher.finish()
}
