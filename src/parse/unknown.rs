//! The names of unknown members: misspelt ones (D25), and those of known members in another case (D63).

use crate::code::IssueCode;
use crate::did_you_mean;
use crate::issue::{Details, PathSegment};
use crate::order::field::{Field, Schema};

use super::record::Parser;
use super::{MAX_OTHER_MEMBERS, report};

impl Parser<'_> {
    /// Reports that a record has more unknown members than are read.
    pub(super) fn too_many_others(&mut self) {
        if !self.is_response() {
            return report(&mut self.issues, IssueCode::TooManyMembers);
        }
        let hint = Some("the order is complete, but only the first ones were read".to_owned());
        let details = || Details { hint: hint.clone(), ..Details::default() }.limit(MAX_OTHER_MEMBERS);
        self.issues.report_with(IssueCode::TooManyMembers, &details);
    }

    /// Reports unknown members (D25), and members that are there in more than one case, exact or not: nobody knows which of the
    /// values a reader that ignores case takes, so none is used (D63).
    pub(super) fn names_of_others(&mut self, record: usize, schema: &'static Schema, first: Option<usize>) {
        let Self { records, issues, read_only, .. } = self;
        let others = || records.others_from(first);
        let meant: Vec<_> = others().map(|other| schema.find(&other.name, true)).collect();
        let mut repeated: Vec<&'static Field> = Vec::new();
        for &field in schema.fields.iter().filter(|field| meant.iter().flatten().any(|meant| meant.is(field)))
        {
            let mut names: Vec<&str> = Vec::new();
            for (other, meant) in others().zip(&meant) {
                if meant.is_some_and(|meant| meant.is(field)) {
                    names.push(&other.name);
                }
            }
            let is_there = !records.slot(record + 1 + field.index).is_absent()
                || read_only.iter().any(|known| known.is(field));
            let (one, other) = match names.as_slice() {
                [other, ..] if is_there => (field.name, *other),
                [one, other, ..] => (*one, *other),
                _ => continue,
            };
            let details = || did_you_mean::details_for_cases(field.name, one, other);
            issues.report_member_with(field, IssueCode::DuplicateMember, &details);
            repeated.push(field);
        }
        for (other, meant) in others().zip(&meant) {
            if meant.is_some_and(|meant| repeated.iter().any(|field| field.is(meant))) {
                continue;
            }
            issues.enter(PathSegment::Unknown(other.raw_name));
            if schema.is_published && did_you_mean::is_line_level(&other.name) {
                issues.report(IssueCode::LineLevelPricing);
            } else if schema.is_published || meant.is_some() {
                let details = || did_you_mean::details_for_unknown(schema, &other.name);
                issues.report_with(IssueCode::UnknownMember, &details);
            }
            issues.leave();
        }
        for field in repeated {
            self.records.set_repeated(record + 1 + field.index);
        }
    }
}
