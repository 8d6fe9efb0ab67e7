//! [`ParsedOrder`] → [`CheckedOrder`]: the rules for an order, one function each, whose documentation names its source.
//!
//! The rules of one member are in the table of members, and applied in [`member`](self::member); those about amounts are in
//! [`amounts`](self::amounts), all others in [`rules`](self::rules).
//!
//! Not every error comes from here. All stages report to the same list of issues; these codes come from another stage, because
//! only that stage sees the reason:
//!
//! | Stage | Issues | Why not here |
//! |---|---|---|
//! | [`parse`](mod@crate::parse) | not JSON; wrong types and limits (D1, D8); repeated members | no value is left that a rule could judge |
//! | [`parse`](mod@crate::parse) | unknown members, members of line-level pricing (D25) | the spelling of an unknown name is known only there |
//! | [`parse`](mod@crate::parse) | `decimal_from_float` (D8), `date_without_offset` (D41) | whether a decimal was a number or a string is not part of its value |
//! | [`CheckedOrder::into_valid`] | `missing` at `/Id` | a cart may be checked and previewed without an Id, but not sent (D3) |
//! | [`preview`](mod@crate::preview) | `amount_out_of_range` of discounts and estimates, and why an amount is unknown or unusual | depends on the options of the preview, such as scale and rates |

mod amounts;
mod member;
mod rules;
mod valid;

use std::fmt;

use crate::code::IssueCode;
use crate::decimal::{Amount, Rounding};
use crate::guid::Guid;
use crate::issue::{Issue, IssueCollector};
use crate::json::DecimalForm;
use crate::options::{Records, RuleOptions, Scale};
use crate::order::order::{COMPANY_ID, ENTITY_ID, ID, INTEGRATOR_ID, ITEMS};
use crate::order_writer::{body_of, write_order};
use crate::parse::{Origin, ParsedOrder, parse_from};
use crate::record::RecordSet;
use crate::request::{InvalidOrder, PreparedRequest};

pub(crate) use amounts::check_amounts;
#[cfg(feature = "serde")]
pub(crate) use member::check_integer;
pub(crate) use member::check_members;
pub use rules::Purpose;
pub(crate) use rules::{DiscountType, discount_type, fill_missing_id, priced};
use rules::{check_rules, pass_through, report_missing_id};
pub use valid::ValidOrder;

/// An order that every rule has been applied to.
///
/// `Debug` prints the Id and counts, and no other value.
#[derive(Clone)]
pub struct CheckedOrder<'a> {
    /// `None` if the JSON is not an order at all.
    pub(crate) records: Option<RecordSet<'a>>,
    pub(crate) issues: IssueCollector<'a>,
    pub(crate) rules: &'a RuleOptions,
    purpose: Purpose,
    origin: Origin,
    /// Fraction digits and rounding of the currency.
    pub(crate) currency: (Scale, Rounding),
    /// The extended price of each line in the currency; `None` if it is unknown.
    pub(crate) prices: Vec<Option<Amount>>,
}

impl fmt::Debug for CheckedOrder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.records.as_ref().map(RecordSet::root);
        f.debug_struct("CheckedOrder")
            .field("id", &self.order_id())
            .field("items", &order.map(|order| order.entries(&ITEMS).len()))
            .field("issues", &self.issues.len())
            .field("is_ok", &self.is_ok())
            .finish()
    }
}

impl<'a> ParsedOrder<'a> {
    /// Applies every rule for the purpose. Rules about amounts assume 2 fraction digits and half-up rounding (D7, D18).
    ///
    /// ```
    /// use sales_order_intake::{Purpose, RuleOptions, parse};
    ///
    /// let rules = RuleOptions::default();
    /// let checked = parse(r#"{ "Items": [] }"#).check(Purpose::Send, &rules);
    /// assert!(checked.issues().iter().any(|issue| issue.code.as_str() == "items_empty"));
    /// ```
    #[must_use]
    pub fn check(self, purpose: Purpose, rules: &'a RuleOptions) -> CheckedOrder<'a> {
        self.check_in(<(Scale, Rounding)>::default(), purpose, rules)
    }

    /// Applies every rule, for fraction digits and rounding of a currency.
    pub(crate) fn check_in(
        self,
        currency: (Scale, Rounding),
        purpose: Purpose,
        rules: &'a RuleOptions,
    ) -> CheckedOrder<'a> {
        let Self { mut records, mut issues, read_only, origin, .. } = self;
        issues.settle(rules.records);
        if rules.strict {
            issues.make_strict();
        }
        if purpose == Purpose::Validate {
            for field in read_only {
                issues.report_member(field, IssueCode::ReadOnlyMember);
            }
        }
        let mut prices = Vec::new();
        if let Some(records) = &mut records {
            if rules.records == Records::Passthrough {
                pass_through(records, &mut issues);
            }
            let order = records.root();
            check_members(order, currency.0, &mut issues);
            check_rules(order, purpose, rules, &mut issues);
            prices = check_amounts(order, currency, &mut issues);
        }
        CheckedOrder { records, issues, rules, purpose, origin, currency, prices }
    }
}

impl ValidOrder {
    /// Checks the order again, with the same result. Reads the JSON as it was given, because the body of the request can have
    /// other issues: in it, a string of digits is a number.
    pub(crate) fn checked(&self) -> CheckedOrder<'_> {
        let json = self.json.as_deref().unwrap_or(&self.request.body);
        parse_from(json, self.origin).check_in(self.currency, self.purpose, &self.rules)
    }
}

impl<'a> CheckedOrder<'a> {
    /// Returns true if no issue is an error.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// let rules = RuleOptions::default();
    /// assert!(!parse("{}").check(Purpose::Send, &rules).is_ok());
    /// ```
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.valid_records().is_some()
    }

    /// Returns all issues, in the order of the specification's members, then by code (D56).
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// let rules = RuleOptions::default();
    /// let issues = parse("[]").check(Purpose::Send, &rules).issues();
    /// assert_eq!(issues[0].message, "The order must be an object");
    /// ```
    #[must_use]
    pub fn issues(&self) -> Vec<Issue> {
        self.issues.snapshot().finish()
    }

    /// Returns the Id of the order; `None` if it has none that can be read.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// let rules = RuleOptions::default();
    /// let checked = parse(r#"{ "Id": "{2A8F5D33-EEC9-4864-8B49-5636577B40D5}" }"#).check(Purpose::Send, &rules);
    /// assert_eq!(checked.order_id().unwrap().to_string(), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
    /// ```
    #[must_use]
    pub fn order_id(&self) -> Option<Guid> {
        self.records.as_ref()?.root().get(&ID).guid()
    }

    /// Returns the order as JSON in the form in which it is sent; `None` if an issue is an error. It is the body of the
    /// [`request`](Self::request), but a cart may lack its Id.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// let cart = r#"{
    ///     "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7B2E3C0A5D414E639A0F1C8D2B3E4F50",
    ///     "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }]
    /// }"#;
    /// let rules = RuleOptions::default();
    /// let json = parse(cart).check(Purpose::Preview, &rules).to_json().unwrap();
    /// assert!(json.contains(r#""IntegratorId":"7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50""#));
    /// assert!(json.contains(r#""SellAtPricePerUnit":19.90"#)); // the digits as given
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        self.valid_records().map(|records| body_of(records).into_owned())
    }

    /// Formats the whole PUT request.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// let order = r#"{
    ///     "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000,
    ///     "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
    ///     "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99 }]
    /// }"#;
    /// let rules = RuleOptions::default();
    /// let request = parse(order).check(Purpose::Send, &rules).request()?;
    /// assert_eq!(request.path, "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOrder`] with all issues if one is an error. A missing Id is one, also for [`Purpose::Preview`] (D3).
    pub fn request(&self) -> Result<PreparedRequest, InvalidOrder> {
        match self.request_without_issues() {
            Some(request) => Ok(PreparedRequest { issues: self.issues(), ..request }),
            None => Err(self.clone().into_invalid()),
        }
    }

    /// Returns the order as a valid one, which owns its data.
    ///
    /// ```
    /// use sales_order_intake::{InvalidOrder, Purpose, RuleOptions, ValidOrder, parse};
    ///
    /// fn ready(json: &str) -> Result<ValidOrder, InvalidOrder> {
    ///     parse(json).check(Purpose::Send, &RuleOptions::default()).into_valid()
    /// }
    ///
    /// let invalid = ready("{}").unwrap_err();
    /// assert!(invalid.issues.iter().any(|issue| issue.pointer == "/Id"));
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOrder`] with all issues if one is an error. A missing Id is one, also for [`Purpose::Preview`] (D3).
    pub fn into_valid(self) -> Result<ValidOrder, InvalidOrder> {
        self.to_valid().ok_or_else(|| self.into_invalid())
    }

    /// Returns `None` if an issue is an error, or the order has no Id.
    fn to_valid(&self) -> Option<ValidOrder> {
        let records = self.valid_records()?;
        let order = records.root();
        let request = PreparedRequest { issues: self.issues(), ..self.request_without_issues()? };
        Some(ValidOrder {
            json: if request.body == order.raw() { None } else { Some(order.raw().into()) },
            request,
            company_id: order.get(&COMPANY_ID).integer()?,
            entity_id: order.get(&ENTITY_ID).integer()?,
            integrator_id: order.get(&INTEGRATOR_ID).guid()?,
            origin: self.origin,
            purpose: self.purpose,
            rules: self.rules.clone(),
            currency: self.currency,
        })
    }

    /// Reports a missing Id if that is the only error, and returns all issues.
    fn into_invalid(mut self) -> InvalidOrder {
        let order_id = self.order_id();
        if order_id.is_none()
            && let Some(records) = self.records.as_ref().filter(|_| !self.issues.has_error())
        {
            report_missing_id(records.root(), &mut self.issues);
        }
        InvalidOrder { order_id, issues: self.issues.finish() }
    }

    /// Returns the order as JSON, `None` if an issue is an error.
    pub(crate) fn to_json_with(&self, decimals: DecimalForm) -> Option<String> {
        self.valid_records().map(|records| write_order(records, decimals))
    }

    pub(crate) fn valid_records(&self) -> Option<&RecordSet<'a>> {
        self.records.as_ref().filter(|_| !self.issues.has_error())
    }

    /// Returns the request, without issues; `None` if an issue of the order or of its totals is an error. The totals can have
    /// one of their own: an amount that does not fit.
    pub(crate) fn request_after_preview(&self, issues: &IssueCollector<'_>) -> Option<PreparedRequest> {
        if issues.has_error() { None } else { self.request_without_issues() }
    }

    /// Returns `None` if an issue is an error, or the order has no Id.
    pub(crate) fn request_without_issues(&self) -> Option<PreparedRequest> {
        Some(PreparedRequest::new(self.rules.version, self.order_id()?, self.valid_records()?))
    }
}
