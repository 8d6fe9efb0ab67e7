//! Records that are passed through unread (D10, D13).

use crate::issue::IssueCollector;
use crate::json::Unrepresentable;
use crate::order::order::{DISCOUNT, TAXES};
use crate::parse::report_unrepresentable;
use crate::record::{Member, RecordSet, Value};

/// Turns the records that are not published into values that are sent unread (D10, D13).
pub(super) fn pass_through<'a>(records: &mut RecordSet<'a>, issues: &mut IssueCollector<'a>) {
    for (field, bracket) in [(&DISCOUNT, '{'), (&TAXES, '[')] {
        let Member { raw, value } = *records.root().get(field);
        // Anything else is an error of the order itself, which parsing has reported.
        let is_placeholder = Unrepresentable::from_placeholder(raw).is_some();
        if !raw.starts_with(bracket) || is_placeholder || matches!(value, Value::Repeated) {
            continue;
        }
        issues.enter(field);
        let value = match value {
            _ if report_unrepresentable(issues, raw) => Value::Invalid,
            Value::List { count, .. } => Value::Passthrough(count),
            _ => Value::Passthrough(1),
        };
        issues.leave();
        records.pass_through(field, Member { raw, value });
    }
}
