//! Rules for the Id of an order (§4, D2, D3).

use crate::code::IssueCode;
use crate::did_you_mean;
use crate::guid::{Guid, NoRandomSource};
use crate::issue::IssueCollector;
use crate::options::RuleOptions;
use crate::order::order;
use crate::parse::ParsedOrder;
use crate::record::{Member, Record, Value};

use super::purpose::Purpose;

/// Fills a missing Id with the orderId of the path if the caller provides it, otherwise with a new one (D2, D3). Reports an
/// issue and returns false if a new one can't be generated.
pub(crate) fn fill_missing_id(
    parsed: &mut ParsedOrder<'_>,
    rules: &RuleOptions,
    new_id: impl FnOnce() -> Result<Guid, NoRandomSource>,
) -> bool {
    let Some(records) = &mut parsed.records else { return true };
    let root = records.root();
    let has_id = !matches!(root.get(&order::ID).value, Value::Absent | Value::Null);
    // With an Id beside an `id`, nobody would know which of them a reader takes (D63).
    if has_id || root.in_another_case(&order::ID).is_some() {
        return true;
    }
    match rules.order_id.map_or_else(new_id, Ok) {
        Ok(id) => records.set_member(&order::ID, Member { raw: "", value: Value::Guid(id) }),
        Err(NoRandomSource) => {
            parsed.issues.report_member(&order::ID, IssueCode::NoRandomSource);
            return false;
        }
    }
    true
}

pub(super) fn rules<'a>(
    order: Record<'_, 'a>,
    purpose: Purpose,
    options: &RuleOptions,
    issues: &mut IssueCollector<'a>,
) {
    if purpose != Purpose::Preview {
        order_id_present(order, issues);
    }
    order_id_matches_path(order, options, issues);
}

/// Requires an Id; a cart needs none yet (D3).
fn order_id_present<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    match order.get(&order::ID).value {
        Value::Null => issues.report_member(&order::ID, IssueCode::NullNotAllowed),
        Value::Absent => report_missing_id(order, issues),
        _ => {}
    }
}

/// Reports a missing Id. Unless another member is probably meant to be it, the hint says where an Id comes from: one that is made
/// for each attempt doubles the order (D2, D3).
pub(super) fn report_missing_id<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    const ORIGIN: &str = "make one once, with newOrderId or from a key of your own, and store it with the order before you send it";
    issues.report_member_with(&order::ID, IssueCode::Missing, &|| {
        let mut details = did_you_mean::details_for_missing(order, order::ID.name);
        details.hint.get_or_insert_with(|| ORIGIN.to_owned());
        details
    });
}

/// Rejects an Id that differs from the one in the path (§4, D3).
fn order_id_matches_path(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    let Some(path_id) = options.order_id else { return };
    if order.get(&order::ID).guid().is_some_and(|own_id| own_id != path_id) {
        issues.report_member(&order::ID, IssueCode::OrderIdMismatch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn an_id_that_cannot_be_generated_is_reported_as_such() {
        let mut parsed = parse("{}");
        assert!(!fill_missing_id(&mut parsed, &RuleOptions::default(), || Err(NoRandomSource)));
        let issues = parsed.issues.finish();
        assert_eq!((issues[0].code, &*issues[0].pointer), (IssueCode::NoRandomSource, "/Id"));
        assert!(issues[0].message.contains("random"), "{}", issues[0].message);
    }

    #[test]
    fn an_id_in_the_path_fills_a_missing_one_without_a_random_source() {
        let id: Guid = "2a8f5d33-eec9-4864-8b49-5636577b40d5".parse().unwrap();
        let rules = RuleOptions { order_id: Some(id), ..RuleOptions::default() };
        let mut parsed = parse(r#"{"Id":null}"#);
        assert!(fill_missing_id(&mut parsed, &rules, || Err(NoRandomSource)));
        let checked = parsed.check(Purpose::Send, &rules);
        assert_eq!(checked.order_id(), Some(id));
        assert!(checked.issues().iter().all(|issue| issue.pointer != "/Id"));
    }
}
