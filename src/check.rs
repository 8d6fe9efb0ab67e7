//! [`ParsedOrder`] → [`CheckedOrder`]: every rule for an order, one function each, in the order of the decisions.
//!
//! | Rule | Module | Source |
//! |---|---|---|
//! | order Id | `identity` | §4, D3 |
//! | company, location and integrator | `identity` | §2.1, §4, D4 |
//! | items: members, name, quantity, price | `items` | §2.1, D5, D6, D7 |
//! | taxes | `taxes` | §2.1, D9, D10 |
//! | discount | `discount` | D13, D14, D15 |
//! | customer pricing, location, unused members, displayed strings | `order` | §1, §2.1, §4, D20, D21, D23, D24 |
//!
//! Not every error comes from here. All stages report to the same list of issues, and these codes arise in another one,
//! because only that stage sees the reason:
//!
//! | Stage | Issues | Why not here |
//! |---|---|---|
//! | [`parse`](mod@crate::parse) | not JSON; wrong types and limits (D1, D8); repeated members | no value is left that a rule could judge |
//! | [`parse`](mod@crate::parse) | unknown members, members of line-level pricing (D25), read-only members (D22) | read-only members are dropped there, and the spelling of an unknown name is known only there |
//! | [`parse`](mod@crate::parse) | `decimal_from_float` (D8), `date_without_offset` (D41) | whether a decimal was a number or a string is not part of its value |
//! | [`request`](mod@crate::request) | `missing` at `/Id` | a cart may be checked and previewed without an Id, but not sent (D3) |
//! | [`preview`](mod@crate::preview) | `amount_out_of_range`, and why an amount is unknown or unusual | depends on the options of the preview, such as scale and rates |

mod discount;
mod identity;
mod items;
mod order;
mod required;
mod taxes;

use crate::guid::{Guid, NoRandomSource};
use crate::issue::{Issue, IssueCollector};
use crate::options::RuleOptions;
use crate::order::SalesOrderV2V3Put;
use crate::order_writer::{DecimalForm, write_order};
use crate::parse::{ParseMode, ParsedOrder};
use crate::record::{Record, RecordSet};

pub(crate) use discount::{DiscountType, discount_type};
pub(crate) use items::{PRICE_DIGITS, QUANTITY_DIGITS, check_item, priced};

/// An order that every rule has been applied to.
pub struct CheckedOrder<'a> {
    /// `None` if the JSON is not an order at all.
    pub(crate) records: Option<RecordSet<'a>>,
    pub(crate) issues: IssueCollector<'a>,
    pub(crate) options: &'a RuleOptions,
    /// The order's own Id, or the one made for it.
    pub(crate) order_id: Option<Guid>,
}

/// Makes an Id for an order that has none.
pub(crate) type NewId<'n> = &'n dyn Fn() -> Result<Guid, NoRandomSource>;

impl<'a> ParsedOrder<'a> {
    /// Applies every rule.
    ///
    /// An order parsed with [`ParseMode::Build`] gets an Id if it has none (D3).
    ///
    /// ```
    /// use sales_order_intake::{ParseMode, Records, RuleOptions, parse};
    ///
    /// let options = RuleOptions::default();
    /// let checked = parse(r#"{ "Items": [] }"#, ParseMode::Build(Records::Strict)).check(&options);
    /// assert!(checked.issues().iter().any(|issue| issue.code.as_str() == "items_empty"));
    /// ```
    #[must_use]
    pub fn check(self, options: &'a RuleOptions) -> CheckedOrder<'a> {
        self.check_with(options, &Guid::new_random)
    }

    /// Applies every rule. An order parsed with [`ParseMode::Build`] gets an Id from `new_id` if it has none.
    pub(crate) fn check_with(self, options: &'a RuleOptions, new_id: NewId<'_>) -> CheckedOrder<'a> {
        let Self { mode, mut records, mut issues } = self;
        let mut order_id = None;
        if let Some(records) = &mut records {
            if let ParseMode::Build(_) = mode {
                identity::fill_missing_id(records, options, &mut issues, new_id);
            }
            let order = records.root();
            order_id = order.get(&crate::order::order::ID).guid();
            apply_rules(order, mode, options, &mut issues);
        }
        CheckedOrder { records, issues, options, order_id }
    }
}

fn apply_rules<'a>(
    order: Record<'_, 'a>,
    mode: ParseMode,
    options: &RuleOptions,
    issues: &mut IssueCollector<'a>,
) {
    if mode.requires_id() {
        identity::order_id_present(order, issues);
    }
    identity::order_id_matches_path(order, options, issues);
    identity::company_and_location(order, issues);
    identity::integrator(order, issues);
    items::items(order, issues);
    taxes::taxes(order, options, issues);
    discount::discount(order, options, issues);
    order::customer_pricing(order, options, issues);
    order::location_tax_pricing(order, options, issues);
    order::unused_members(order, issues);
    order::displayed_strings(order, issues);
}

impl<'a> CheckedOrder<'a> {
    /// Returns true if no issue is an error.
    ///
    /// ```
    /// # use sales_order_intake::{ParseMode, Records, RuleOptions, parse};
    /// let options = RuleOptions::default();
    /// assert!(!parse("{}", ParseMode::Build(Records::Strict)).check(&options).is_ok());
    /// ```
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.valid_records().is_some()
    }

    /// Returns all issues, in document order, then by code.
    ///
    /// ```
    /// # use sales_order_intake::{ParseMode, Records, RuleOptions, parse};
    /// let options = RuleOptions::default();
    /// let issues = parse("[]", ParseMode::Build(Records::Strict)).check(&options).issues();
    /// assert_eq!(issues[0].message, "The order must be an object");
    /// ```
    #[must_use]
    pub fn issues(&self) -> Vec<Issue> {
        self.issues.snapshot().finish()
    }

    /// Returns all issues, in the same order, without copying them.
    pub(crate) fn into_issues(self) -> Vec<Issue> {
        self.issues.finish()
    }

    /// Returns the order as it will be sent, `None` if an issue is an error.
    ///
    /// ```
    /// # use sales_order_intake::{ParseMode, Records, RuleOptions, parse};
    /// let options = RuleOptions::default();
    /// assert!(parse("{}", ParseMode::Build(Records::Strict)).check(&options).to_order().is_none());
    /// ```
    #[must_use]
    pub fn to_order(&self) -> Option<SalesOrderV2V3Put> {
        self.valid_records().map(Into::into)
    }

    /// Returns the order as JSON with decimals as strings, `None` if an issue is an error.
    pub(crate) fn to_order_json(&self) -> Option<String> {
        self.valid_records().map(|records| write_order(records, DecimalForm::String))
    }

    pub(crate) fn valid_records(&self) -> Option<&RecordSet<'a>> {
        self.records.as_ref().filter(|_| !self.issues.has_error())
    }
}
