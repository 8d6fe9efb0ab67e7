//! Functions that only the other packages of this workspace need. Not a part of the public API: any release may change them.

mod amounts;

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::fate::expected_of;
use crate::guid::NotAGuid;
use crate::json::{self, DecimalForm};
use crate::order::order::{COMPANY_ID, ENTITY_ID, ID, INTEGRATOR_ID};
use crate::order_writer::{body_of, write_order};
use crate::record::{Member, Value};
use crate::{
    AmountOptions, CheckedOrder, DecimalSum, Guid, Issue, IssueCode, ParsedOrder, Purpose, RuleOptions,
    ValidOrder,
};

pub use self::amounts::{read_amounts, read_notation};
pub use crate::api::check_built;
pub use crate::canonical::{
    canonical_text, canonical_text_by_any_rules, canonical_text_of_stored, is_same_order,
};
pub use crate::code::CodeParams;
pub use crate::code::params::{KnownParam, PARAMS, ParamType};
pub use crate::decimal::Amount;
pub use crate::fate::{Came, Facts, Failed, Judged, judge_json};
pub use crate::json::{ToJson, ToMembers, Writer};
pub use crate::options::json::{OptionError, read_options};
pub use crate::order::field::{Field, FieldType, Presence, Schema};
pub use crate::order::{DISCOUNT, DISCOUNT_ENTRY, ITEM, ORDER, SENT, SOURCE, TAX, member_docs};
pub use crate::parse::MAX_ENTRIES;
pub use crate::preview::{Detail, FoundPreview, FoundTotals};
pub use crate::request::path_pieces;
pub use crate::response::read_order_json;

/// Returns the D form of a GUID without the formatting code of std, which the WebAssembly module does not have.
#[must_use]
pub fn guid_form(guid: Guid) -> String {
    guid.into_string()
}

/// Returns the meaning of a code, which ends with its sources in parentheses.
#[must_use]
pub fn meaning(code: IssueCode) -> &'static str {
    code.meaning()
}

/// Returns the message of a code without its subject.
#[must_use]
pub fn predicate(code: IssueCode) -> &'static str {
    code.predicate()
}

/// Returns the values in the message of a code.
#[must_use]
pub fn params(code: IssueCode) -> CodeParams {
    code.params()
}

/// Returns a sum in plain notation, without the formatting code of std.
#[must_use]
pub fn plain_sum(sum: DecimalSum) -> String {
    sum.to_plain_string()
}

/// Parses a GUID like its `FromStr`, but returns only what is wrong as an error, without the position.
pub fn guid(string: &str) -> Result<Guid, &'static str> {
    Guid::read(string).map_err(NotAGuid::message)
}

/// Returns the request body of a valid order; `None` if the JSON that was parsed is the body already. A byte order mark is not a part
/// of it.
#[must_use]
pub fn changed_body(checked: &CheckedOrder<'_>, json: &str) -> Option<String> {
    match body_of(checked.valid_records()?) {
        Cow::Borrowed(body) if body.len() == json.len() => None,
        body => Some(body.into_owned()),
    }
}

/// Returns what the proof of creation compares of a valid order; `None` if an issue is an error.
#[must_use]
pub fn expected(checked: &CheckedOrder<'_>) -> Option<String> {
    checked.valid_records().map(expected_of)
}

/// Returns the D form of the Id of an order; `None` if it has none that can be read.
#[must_use]
pub fn order_id_form<'a>(checked: &CheckedOrder<'a>) -> Option<Cow<'a, str>> {
    checked.records.as_ref()?.root().get(&ID).guid_form()
}

/// Returns company, location and integrator of an order, each if it can be read and is in its range.
#[must_use]
pub fn ids(order: &ParsedOrder<'_>) -> (Option<u32>, Option<u32>, Option<Guid>) {
    let Some(records) = &order.records else { return (None, None, None) };
    let root = records.root();
    let in_range = |field| root.get(field).integer().filter(|id| id_range().contains(id));
    (in_range(&COMPANY_ID), in_range(&ENTITY_ID), root.get(&INTEGRATOR_ID).guid())
}

/// Returns the range of CompanyId and EntityId (D4).
#[must_use]
pub fn id_range() -> RangeInclusive<u32> {
    match COMPANY_ID.field_type {
        FieldType::Integer { min, max } => min..=max,
        _ => 0..=u32::MAX,
    }
}

/// Applies every rule, those about amounts as the options calculate them.
#[must_use]
pub fn check<'a>(
    order: ParsedOrder<'a>,
    purpose: Purpose,
    rules: &'a RuleOptions,
    amounts: &AmountOptions,
) -> CheckedOrder<'a> {
    order.check_in(amounts.currency(), purpose, rules)
}

/// Previews an order. Returns the issues of order and amounts, and true if none is an error.
#[must_use]
pub fn preview<'p, 'a>(
    checked: &CheckedOrder<'a>,
    options: &'p AmountOptions,
    detail: Detail,
) -> (FoundPreview<'p, 'a>, Vec<Issue>, bool) {
    let mut found = checked.preview_with(options, detail, checked.issues.snapshot());
    let is_ok = checked.is_ok() && !found.issues.has_error();
    let issues = std::mem::take(&mut found.issues).finish();
    (found, issues, is_ok)
}

/// Returns a valid order as a service makes it anew: with the JSON of the read-only members, and all members in the order of the
/// specification (D64). Leaves out unknown members that have the name of a read-only one in another case, such as those of an
/// earlier response in camel case. A reader that ignores case would mistake them for the members added here (D22, D26).
#[must_use]
pub fn with_read_only(order: &ValidOrder, read_only: [&str; 4]) -> Option<String> {
    let mut records = order.checked().valid_records()?.clone();
    for field in ORDER.fields.iter().filter(|field| field.is_read_only()) {
        records.set_member(field, Member { raw: "", value: Value::Null });
    }
    let anew = write_order(&records, DecimalForm::Number);
    let mut writer = Writer::default();
    writer.begin_object();
    let mut read_only = read_only.into_iter();
    // An order is an object.
    let _ = json::members(&anew, &mut |name, raw| {
        let field = ORDER.find(&name, true).filter(|field| field.is_read_only());
        match field {
            None => writer.key_of(&name).raw(raw),
            Some(field) if field.name == name => writer.key_of(&name).raw(read_only.next().unwrap_or(raw)),
            Some(_) => {}
        }
    });
    writer.end_object();
    Some(writer.into_string())
}

/// Returns the order as JSON with decimals as strings; `None` if an issue is an error.
#[must_use]
pub fn order_json(checked: &CheckedOrder<'_>) -> Option<String> {
    checked.to_json_with(DecimalForm::String)
}
