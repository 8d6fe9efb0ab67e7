//! The limits of parsing (§8 specifies none).

use crate::code::IssueCode;
use crate::issue::{Details, IssueCollector};
use crate::json::MAX_DEPTH;

/// The maximum size of an order in bytes.
pub(crate) const MAX_BYTES: usize = 1 << 25;
/// The maximum number of entries of an array.
pub const MAX_ENTRIES: usize = 100_000;
/// The maximum number of unknown members of an object.
pub(super) const MAX_OTHER_MEMBERS: usize = 200;

/// Reports an issue, with the limit that its message names.
pub(super) fn report(issues: &mut IssueCollector<'_>, code: IssueCode) {
    let limit = match code {
        IssueCode::TooLarge => MAX_BYTES,
        IssueCode::TooManyEntries => MAX_ENTRIES,
        IssueCode::TooManyMembers => MAX_OTHER_MEMBERS,
        IssueCode::TooDeep => MAX_DEPTH,
        _ => return issues.report(code),
    };
    issues.report_with(code, &|| Details::default().limit(limit));
}
