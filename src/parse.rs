//! JSON → [`ParsedOrder`]: the types of members, and nothing else (§2, D1, D8, D14, D41).
//!
//! Every member that can be read is read; parsing never stops at the first wrong one. Whether the values make a valid
//! order, and for which purpose, is decided in [`crate::check`].

mod record;
mod unknown;
mod values;

use std::fmt;

use crate::code::IssueCode;
use crate::issue::{Details, IssueCollector};
use crate::json::{self, MAX_DEPTH, Stopped, SyntaxError};
use crate::options::Records;
use crate::order::field::Field;
use crate::order::{FromRecord as _, ITEM, ORDER, ReceivedOrder, order};
use crate::record::RecordSet;

use record::Parser;
pub(crate) use record::{Origin, report_unrepresentable};

/// The maximum size of an order in bytes.
pub(crate) const MAX_BYTES: usize = 1 << 25;
/// The maximum number of entries of an array.
pub const MAX_ENTRIES: usize = 100_000;
/// The maximum number of unknown members of an object.
const MAX_OTHER_MEMBERS: usize = 200;

/// The result of [`parse`]: typed members, the members that have another type, and the read-only ones.
///
/// `Debug` prints the Id and counts, and no other value.
#[derive(Clone)]
pub struct ParsedOrder<'a> {
    /// `None` if the JSON is not an order at all; an issue says why.
    pub(crate) records: Option<RecordSet<'a>>,
    pub(crate) issues: IssueCollector<'a>,
    /// The read-only members, which are not read.
    pub(crate) read_only: Vec<&'static Field>,
    pub(crate) origin: Origin,
}

/// Parses the members of an order. A byte order mark before the JSON is skipped.
///
/// Never fails: what can't be read is an issue of the [`ParsedOrder`], and of everything that is made from it.
///
/// ```
/// use sales_order_intake::{Purpose, RuleOptions, parse};
///
/// let rules = RuleOptions::default();
/// let checked = parse(r#"{ "CompanyId": "many", "Items": [] }"#).check(Purpose::Validate, &rules);
/// let codes: Vec<_> = checked.issues().iter().map(|issue| issue.code.as_str()).collect();
/// assert!(codes.contains(&"not_an_integer") && codes.contains(&"items_empty"));
/// ```
#[must_use]
pub fn parse(json: &str) -> ParsedOrder<'_> {
    parse_from(json, Origin::Json)
}

/// Parses the order in a response tolerantly: names in any case, null as absent (D26).
pub(crate) fn parse_response(body: &str) -> ParsedOrder<'_> {
    let mut parsed = parse_from(body, Origin::Response);
    parsed.issues.settle(Records::Strict);
    parsed
}

pub(crate) fn parse_from(json: &str, origin: Origin) -> ParsedOrder<'_> {
    let json = json::without_bom(json);
    let mut issues = IssueCollector::default();
    if json.len() > MAX_BYTES {
        report(&mut issues, IssueCode::TooLarge);
        return ParsedOrder { records: None, issues, read_only: Vec::new(), origin };
    }
    let mut parser = Parser::new(json, origin, empty_records(json), issues);
    let is_order = match parser.document(&ORDER) {
        Ok(is_order) => is_order,
        Err(Stopped) => {
            let SyntaxError { position, expected } = parser.reader.syntax_error();
            // Issues about members don't count: the input is not an order.
            parser.issues = IssueCollector::default();
            parser.issues.report_not_json(json, position, expected);
            parser.read_only.clear();
            false
        }
    };
    let Parser { mut records, issues, read_only, reader, .. } = parser;
    records.source = Some((json, reader.edits));
    let records = is_order.then_some(records);
    ParsedOrder { records, issues, read_only, origin }
}

impl ParsedOrder<'_> {
    /// Returns the order as it was read, valid or not. Members that could not be read are absent, and so are read-only ones.
    /// Returns `None` if the JSON is not an order.
    ///
    /// ```
    /// use sales_order_intake::parse;
    ///
    /// let order = parse(r#"{ "CompanyId": 1501, "EntityId": "many" }"#).to_order().unwrap();
    /// assert_eq!((order.company_id, order.entity_id), (Some(1501), None));
    /// ```
    #[must_use]
    pub fn to_order(&self) -> Option<ReceivedOrder> {
        ReceivedOrder::from_record(self.records.as_ref()?.root())
    }

    /// Returns the names of the read-only members, which are never sent (D22).
    ///
    /// ```
    /// use sales_order_intake::parse;
    ///
    /// let parsed = parse(r#"{ "CompanyId": 1501, "ReceiptNumber": "R-17" }"#);
    /// assert_eq!(parsed.read_only_members().collect::<Vec<_>>(), ["ReceiptNumber"]);
    /// ```
    pub fn read_only_members(&self) -> impl Iterator<Item = &'static str> {
        self.read_only.iter().map(|field| field.name)
    }
}

impl fmt::Debug for ParsedOrder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.records.as_ref().map(RecordSet::root);
        f.debug_struct("ParsedOrder")
            .field("id", &order.and_then(|order| order.get(&order::ID).guid()))
            .field("items", &order.map(|order| order.entries(&order::ITEMS).len()))
            .field("read_only", &self.read_only.len())
            .field("issues", &self.issues.len())
            .finish()
    }
}

/// Reports an issue, with the limit that its message names.
fn report(issues: &mut IssueCollector<'_>, code: IssueCode) {
    let limit = match code {
        IssueCode::TooLarge => MAX_BYTES,
        IssueCode::TooManyEntries => MAX_ENTRIES,
        IssueCode::TooManyMembers => MAX_OTHER_MEMBERS,
        IssueCode::TooDeep => MAX_DEPTH,
        _ => return issues.report(code),
    };
    issues.report_with(code, &|| Details::default().limit(limit));
}

/// Reserves slots for the records that JSON of this length is likely to have.
fn empty_records<'a>(json: &str) -> RecordSet<'a> {
    const BYTES_PER_ITEM: usize = 120;
    const MAX_ITEMS: usize = 1_000;
    let items = (json.len() / BYTES_PER_ITEM).min(MAX_ITEMS);
    RecordSet::new(&ORDER, 1 + ORDER.fields.len() + items * (1 + ITEM.fields.len()))
}

/// Parses one record alone, at a path of an order. There are no records if the JSON is not an object.
#[cfg(feature = "serde")]
pub(crate) fn parse_alone<'a>(
    json: &'a str,
    schema: &'static crate::order::field::Schema,
    origin: Origin,
    path: &[crate::issue::PathSegment<'a>],
) -> (Option<RecordSet<'a>>, IssueCollector<'a>) {
    let issues = || {
        let mut issues = IssueCollector::default();
        path.iter().for_each(|segment| issues.enter(*segment));
        issues
    };
    let records = RecordSet::new(schema, 1 + schema.fields.len());
    let mut parser = Parser::new(json, origin, records, issues());
    let is_record = parser.document(schema);
    if is_record.is_err() {
        // Issues about members don't count: the input is not a record.
        parser.issues = issues();
        parser.report(json, IssueCode::NotAnObject);
    }
    (is_record.unwrap_or(false).then_some(parser.records), parser.issues)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Purpose;
    use crate::options::RuleOptions;

    #[test]
    fn a_value_that_was_too_large_to_serialize_names_the_limit() {
        let json = r#"{"\u0000":"too_large"}"#;
        let issues = parse(json).check(Purpose::Send, &RuleOptions::default()).issues();
        assert_eq!(issues.len(), 1);
        assert_eq!(issues[0].message, "The order is larger than 33554432 bytes");
    }

    #[test]
    fn only_the_syntax_is_reported_of_what_is_not_json() {
        let json = r#"{"ReceiptNumber":"R-17","CompanyId":"many","Taxes":[{"TaxId":1}],"Notes":"#;
        let issues = parse(json).check(Purpose::Validate, &RuleOptions::default()).issues();
        assert_eq!(issues.iter().map(|issue| issue.code).collect::<Vec<_>>(), [IssueCode::NotJson]);
    }

    #[test]
    fn what_json_cannot_represent_is_reported_once_however_records_are_read() {
        for records in [Records::Strict, Records::Passthrough] {
            let rules = RuleOptions { records, ..RuleOptions::default() };
            for json in [
                r#"{"Discount":{"\u0000":"not_json"}}"#,
                r#"{"Taxes":{"\u0000":"not_json"}}"#,
                r#"{"Taxes":[{"\u0000":"not_json"}]}"#,
                r#"{"Discount":{"InvoiceLevel":{"\u0000":"not_json"}}}"#,
            ] {
                let issues = parse(json).check(Purpose::Preview, &rules).issues();
                let found = issues.iter().filter(|issue| issue.code == IssueCode::NotAJsonValue).count();
                assert_eq!(found, 1, "{records} {json}: {issues:?}");
            }
        }
    }
}
