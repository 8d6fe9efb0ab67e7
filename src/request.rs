//! The PUT as a value: version, path, headers and body (§4, D38, D39).

use crate::date::UTC;
use crate::guid::Guid;
use crate::issue::Issue;
use crate::json::Writer;
use crate::options::Version;
use crate::shape::{Kind, Shape};
use crate::words::joined;
use crate::written::{Entry, Member, Record, Value, WrittenOrder};
use rust_decimal::Decimal;

/// The headers of every request besides Authorization and Host (§4, D39).
pub const HEADERS: [(&str, &str); 2] = [("Accept", "application/json"), ("Content-Type", "application/json")];

/// A request that is ready to send: add the base URL and the Authorization header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreparedRequest {
    /// The operation.
    pub version: Version,
    /// The id in path and body.
    pub order_id: Guid,
    /// The path relative to the base URL, such as `v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)`.
    pub path: String,
    /// The body, every decimal in plain notation with the digits it was given with (D8).
    pub body: String,
    /// Warnings and notices; an order with an error is not prepared.
    pub issues: Vec<Issue>,
}

impl PreparedRequest {
    /// The method: the caller makes the identifier, and the order is created at it (§1).
    pub const METHOD: &'static str = "PUT";
}

/// The path of an order relative to the base URL: the id in the D form, no quotes, nothing escaped (§4, D38).
///
/// ```
/// use sales_order_intake::{Version, request_path};
///
/// let id = "2A8F5D33EEC948648B495636577B40D5".parse()?;
/// assert_eq!(request_path(Version::V3, id), "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
/// # Ok::<(), sales_order_intake::GuidError>(())
/// ```
#[must_use]
pub fn request_path(version: Version, order_id: Guid) -> String {
    let mut path = String::with_capacity(55);
    path.push_str(version.as_str());
    path.push_str("/ServiceOrder(");
    order_id.push_to(&mut path);
    path.push(')');
    path
}

/// What an order is printed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The wire: decimals are numbers.
    Body,
    /// A program: decimals are text, since a number would lose digits there.
    Value,
}

/// Prints an order in the order of §2.1, without white space; what is canonical already is copied.
pub(crate) fn print(order: &WrittenOrder<'_>, form: Form) -> String {
    let root = order.root();
    let mut printer = Printer { out: Writer::with_capacity(root.raw().len() + 64), order, form };
    printer.record(root);
    printer.out.into_text()
}

struct Printer<'w, 'a> {
    out: Writer,
    order: &'w WrittenOrder<'a>,
    form: Form,
}

impl<'a> Printer<'_, 'a> {
    fn record(&mut self, record: Record<'_, 'a>) {
        self.out.open('{');
        for (shape, member) in record.members().filter(|(_, member)| !member.is_absent()) {
            self.out.name(shape.written);
            self.value(shape.kind, member);
        }
        for other in record.others() {
            self.out.any_name(&other.name).raw(other.raw);
        }
        self.out.close('}');
    }

    fn value(&mut self, kind: Kind, member: &Member<'a>) {
        match (member.value, kind) {
            (Value::Guid(_), _) if is_canonical_guid(member.raw) => self.out.raw(member.raw),
            (Value::Guid(guid), _) => self.out.guid(guid),
            (Value::Decimal(value), Kind::Decimal) => self.decimal(member.raw, &value),
            (Value::Record(_), Kind::Record(shape)) => {
                if let Some(record) = self.order.record(member, shape) {
                    self.record(record);
                }
            }
            (Value::List { .. }, Kind::List(shape)) => self.list(member, shape),
            (Value::Date { has_offset: false }, _) => {
                let date = member.raw.trim_matches('"');
                self.out.raw(&joined(&["\"", date, UTC, "\""]));
            }
            (Value::Absent | Value::Null | Value::Unreadable, _) => self.out.raw("null"),
            // Canonical as it was written, or passed through: text, whole numbers, booleans, records that were not read.
            _ => self.out.raw(member.raw),
        }
    }

    fn list(&mut self, member: &Member<'a>, shape: &'static Shape) {
        self.out.open('[');
        for Entry { record, .. } in self.order.entries(member, shape) {
            match record {
                Some(record) => self.record(record),
                None => self.out.raw("null"),
            }
        }
        self.out.close(']');
    }

    fn decimal(&mut self, raw: &str, value: &Decimal) {
        let digits = raw.trim_matches('"');
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        match self.form {
            Form::Body if plain => self.out.raw(digits),
            Form::Body => self.out.digits(value),
            Form::Value if plain && digits.len() < raw.len() => self.out.raw(raw),
            Form::Value if plain => self.out.text(digits),
            Form::Value => self.out.decimal(value),
        }
    }
}

/// Whether a GUID was written in the D form with its quotes, in lower case.
fn is_canonical_guid(raw: &str) -> bool {
    raw.len() == 38 && raw.bytes().all(|byte| !byte.is_ascii_uppercase() && byte != b'\\')
}
