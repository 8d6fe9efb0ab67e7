//! Rules for the identifiers: order, company, location, integrator (§2.1, §4, D2, D3, D4).

use crate::code::IssueCode;
use crate::guid::NoRandomSource;
use crate::issue::{Details, IssueCollector};
use crate::options::RuleOptions;
use crate::order::order;
use crate::record::{Member, Record, RecordSet, Value};
use crate::schema::{Field, FieldType};

use super::NewId;
use super::required::required;

/// Fills a missing Id with the orderId of the path if the caller provides it, otherwise with a new one (D2, D3).
pub(super) fn fill_missing_id<'a>(
    records: &mut RecordSet<'a>,
    options: &RuleOptions,
    issues: &mut IssueCollector<'a>,
    new_id: NewId<'_>,
) {
    let root = records.root();
    if !matches!(root.get(&order::ID).value, Value::Absent | Value::Null) {
        return;
    }
    match options.order_id.map_or_else(new_id, Ok) {
        Ok(id) => records.set_member(&order::ID, Member { raw: "", value: Value::Guid(id) }),
        Err(NoRandomSource) => {
            issues.report_absent(root.raw(), &order::ID, IssueCode::NoRandomSource, &Details::default);
        }
    }
}

/// Requires an Id, which the caller makes (§4).
pub(super) fn order_id_present<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    required(order, &order::ID, issues);
}

/// Rejects an Id that differs from the one in the path (§4, D3).
pub(super) fn order_id_matches_path<'a>(
    order: Record<'_, 'a>,
    options: &RuleOptions,
    issues: &mut IssueCollector<'a>,
) {
    let id = order.get(&order::ID);
    if let (Some(own_id), Some(path_id)) = (id.guid(), options.order_id)
        && own_id != path_id
    {
        issues.report_member(&order::ID, id.raw, IssueCode::OrderIdMismatch);
    }
}

/// Requires the company and the location at which the order is created (§2.1, D4).
pub(super) fn company_and_location<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    integer_in_range(order, &order::COMPANY_ID, issues);
    integer_in_range(order, &order::ENTITY_ID, issues);
}

/// Requires the integrator, the source of the order (§2.1, §4).
pub(super) fn integrator<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    required(order, &order::INTEGRATOR_ID, issues);
}

/// Reports an integer that is absent or outside the range of its member (D4).
fn integer_in_range<'a>(order: Record<'_, 'a>, field: &Field, issues: &mut IssueCollector<'a>) {
    required(order, field, issues);
    let member = order.get(field);
    let (Value::Integer(value), FieldType::Integer { min, max }) = (member.value, field.field_type) else {
        return;
    };
    if !value.is_some_and(|value| (min..=max).contains(&value)) {
        let details = || Details::default().param("min", min as usize).param("max", max as usize);
        issues.enter(field);
        issues.report_with(member.raw, IssueCode::IntegerOutOfRange, &details);
        issues.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::Guid;
    use crate::options::Records as RecordOption;
    use crate::parse::{ParseMode, parse};

    #[test]
    fn an_id_that_cannot_be_generated_is_reported_as_such() {
        let parsed = parse("{}", ParseMode::Build(RecordOption::Strict));
        let (mut records, mut issues) = (parsed.records.unwrap(), parsed.issues);
        fill_missing_id(&mut records, &RuleOptions::default(), &mut issues, &|| Err(NoRandomSource));
        let issues = issues.finish();
        assert_eq!(issues.len(), 1);
        assert_eq!((issues[0].code, &*issues[0].pointer), (IssueCode::NoRandomSource, "/Id"));
        assert!(issues[0].message.contains("random"), "{}", issues[0].message);
    }

    #[test]
    fn an_id_in_the_path_fills_a_missing_one_without_a_random_source() {
        let id: Guid = "2a8f5d33-eec9-4864-8b49-5636577b40d5".parse().unwrap();
        let parsed = parse(r#"{"Id":null}"#, ParseMode::Build(RecordOption::Strict));
        let (mut records, mut issues) = (parsed.records.unwrap(), parsed.issues);
        let options = RuleOptions { order_id: Some(id), ..RuleOptions::default() };
        fill_missing_id(&mut records, &options, &mut issues, &|| Err(NoRandomSource));
        assert_eq!(records.root().get(&order::ID).guid(), Some(id));
        assert!(!issues.has_error());
    }
}
