//! A stored order as JSON: with its preview, or with the reason why it is not shown.

use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::Serialize;
use serde_json::json;
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

/// What is known about a stored order before its body is read. Members that this service did not write are
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
    pub fn view(&self, stored: &StoredHead, registry: &Registry) -> Result<View, String> {
        if stored.body_bytes > MAX_BODY_BYTES {
            return Err(stored.hidden(TOO_LARGE));
        }
        let (Some(id), Ok(version)) = (stored.id, stored.version.parse()) else {
            return Err(stored.unreadable());
        };
        let integrator: Option<&Integrator> = stored.integrator.and_then(|id| registry.integrator(id));
        let mut rules = rule_options(version, id, Some(self.location), integrator);
        // What the examples assume, because the meaning of ValueType is not published (D14).
        rules.discount_value_types = DiscountValueTypes::new(1, 2).ok();
        let amounts = AmountOptions::default().with_tax_rates(self.location.tax_rates.clone());
        Ok(View { version, hash: hash(&(self.tax_rates, &rules)), rules, amounts })
    }
}

impl View {
    /// Returns the JSON of an order.
    #[must_use]
    pub fn show(&self, stored: &StoredHead, body: &[u8]) -> String {
        let Some((body, order)) = std::str::from_utf8(body).ok().and_then(|body| Some((body, object(body)?)))
        else {
            return stored.unreadable();
        };
        let preview = preview_order(body, &self.rules, &self.amounts);
        match serde_json::to_string(&ShownOrder { version: self.version, order, preview }) {
            Ok(json) if json.len() < MAX_SHOWN_BYTES => json,
            _ => stored.hidden(TOO_LARGE),
        }
    }
}

impl StoredHead {
    /// Returns the JSON of an order that can't be read.
    #[must_use]
    pub fn unreadable(&self) -> String {
        self.hidden(UNREADABLE)
    }

    fn hidden(&self, not_shown: &str) -> String {
        let receipt = self.receipt.to_string();
        let Self { version, id, .. } = self;
        json!({ "version": version, "id": id, "receiptNumber": receipt, "notShown": not_shown }).to_string()
    }
}

/// Returns `None` if the body is not a JSON object.
fn object(body: &str) -> Option<&RawValue> {
    serde_json::from_str::<&RawValue>(body).ok().filter(|order| order.get().starts_with('{'))
}

fn hash(options: &impl fmt::Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{options:?}").hash(&mut hasher);
    hasher.finish()
}
