//! JSON → [`ParsedOrder`]: the types of members, and nothing else (§2, D1, D8, D14, D41).
//!
//! Every member that can be read is read; parsing never stops at the first wrong one. Whether the values make a valid
//! order is decided in [`crate::check`].

mod limits;
mod mode;
mod record;
mod values;

use crate::code::IssueCode;
use crate::issue::{IssueCollector, PathSegment};
use crate::json::{self, Reader, SyntaxError};
use crate::options::Records as RecordOption;
use crate::order::{ITEM, ORDER, order};
use crate::record::RecordSet;

pub(crate) use limits::MAX_BYTES;
use record::Parser;

pub use mode::ParseMode;

/// The result of [`parse`]: typed members, and the members that have another type.
pub struct ParsedOrder<'a> {
    pub(crate) mode: ParseMode,
    /// `None` if the JSON is not an order at all; an issue says why.
    pub(crate) records: Option<RecordSet<'a>>,
    pub(crate) issues: IssueCollector<'a>,
}

/// Parses the members of an order. A byte order mark before the JSON is skipped.
///
/// ```
/// use sales_order_intake::{ParseMode, Records, RuleOptions, parse};
///
/// let options = RuleOptions::default();
/// let parsed = parse(r#"{ "CompanyId": "many", "Items": [] }"#, ParseMode::Validate(Records::Strict));
/// let checked = parsed.check(&options);
/// let codes: Vec<_> = checked.issues().iter().map(|issue| issue.code.as_str()).collect();
/// assert!(codes.contains(&"not_an_integer") && codes.contains(&"items_empty"));
/// ```
#[must_use]
pub fn parse(json: &str, mode: ParseMode) -> ParsedOrder<'_> {
    let json = json::without_bom(json);
    let mut issues = IssueCollector::new(json);
    if json.len() > MAX_BYTES {
        limits::report(&mut issues, json, IssueCode::TooLarge);
        return ParsedOrder { mode, records: None, issues };
    }
    let mut parser = Parser { mode, reader: Reader::new(json), records: empty_records(json), issues };
    let records = match parser.document(&ORDER) {
        Ok(is_order) => is_order.then_some(parser.records),
        Err(SyntaxError { position, expected }) => {
            // Issues about members don't count: the input is not an order.
            parser.issues = IssueCollector::new(json);
            parser.issues.report_not_json(position, expected);
            None
        }
    };
    ParsedOrder { mode, records, issues: parser.issues }
}

/// Reserves slots for the records that JSON of this length is likely to have.
fn empty_records<'a>(json: &str) -> RecordSet<'a> {
    const BYTES_PER_ITEM: usize = 160;
    const MAX_ITEMS: usize = 1_000;
    let items = (json.len() / BYTES_PER_ITEM).min(MAX_ITEMS);
    RecordSet::new(&ORDER, 1 + ORDER.fields.len() + items * (1 + ITEM.fields.len()))
}

/// The result of [`parse_item`]: one item without its order.
pub(crate) struct ParsedItem<'a> {
    /// Their root is the item; `None` if the JSON is not an item at all.
    pub(crate) records: Option<RecordSet<'a>>,
    pub(crate) issues: IssueCollector<'a>,
}

/// Parses one item alone; its issues get the path of the item at an index of the list.
pub(crate) fn parse_item(json: &str, index: usize) -> ParsedItem<'_> {
    let mode = ParseMode::Build(RecordOption::Strict);
    let mut issues = IssueCollector::new(json);
    issues.enter(&order::ITEMS);
    issues.enter(PathSegment::Index(index));
    let mut parser = Parser {
        mode,
        reader: Reader::new(json),
        records: RecordSet::new(&ITEM, 1 + ITEM.fields.len()),
        issues,
    };
    let is_item = parser.document(&ITEM);
    if is_item.is_err() {
        parser.report(json, IssueCode::NotAnObject);
    }
    ParsedItem { records: is_item.unwrap_or(false).then_some(parser.records), issues: parser.issues }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::RuleOptions;

    #[test]
    fn a_value_that_was_too_large_to_serialize_names_the_limit() {
        let json = r#"{"\u0000":"too_large"}"#;
        let issues =
            parse(json, ParseMode::Build(RecordOption::Strict)).check(&RuleOptions::default()).issues();
        assert_eq!(issues.len(), 1);
        assert_eq!(issues[0].message, "The order is larger than 33554432 bytes");
    }
}
