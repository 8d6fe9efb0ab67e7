//! Reads the error bodies of services in the formats they use: problem+json, `Message`, plain text, HTML (D30).
//!
//! More than 300 lines, because each format has functions of its own.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::closed_set::find;
use crate::code::params::ParamType;
use crate::code::{CodeParams, IssueCode};
use crate::did_you_mean;
use crate::issue::{Issue, Param, Params, Segment, hint_of};
use crate::json::{self, json_struct};
use crate::order::ORDER;

json_struct! {
    /// The content of an error body.
    #[derive(Clone, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct ErrorBody {
        /// The message of the service, or `None` if the body has none.
        ///
        /// Don't log it: it may quote the order, including names (D45).
        pub detail: Option<String> => "detail",
        /// The errors that the body lists. Codes other than those of this crate become
        /// [`IssueCode::RejectedByService`]; so do codes whose messages have [values](crate::Params) that the body lacks.
        pub issues: Vec<Issue> => "issues",
    }
}

impl fmt::Debug for ErrorBody {
    /// Prints no text of the service, because it may quote the order (D45): only the codes and pointers of the issues.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issues: Vec<_> = self.issues.iter().map(|issue| (issue.code, &issue.pointer)).collect();
        f.debug_struct("ErrorBody")
            .field("has_detail", &self.detail.is_some())
            .field("issues", &issues)
            .finish_non_exhaustive()
    }
}

/// The maximum length of a message, in characters; the rest is cut off.
const MAX_MESSAGE_LENGTH: usize = 1_000;
/// The maximum number of issues; further ones are dropped.
const MAX_ISSUES: usize = 1_000;

/// The members that can hold the message of an error, in order of preference.
const MESSAGE_MEMBERS: [&str; 7] =
    ["detail", "title", "Message", "error_description", "error", "odata.error", "ExceptionMessage"];

/// Reads the body of an error response: problem+json (RFC 9457), `Message` and `ModelState`, `message`,
/// `error_description`, `error`, the errors of OData, plain text, or the title of an HTML page (D30).
///
/// Never fails: `detail` is `None` and `issues` is empty if the body has no message.
///
/// ```
/// use sales_order_intake::{IssueCode, read_error};
///
/// let error = read_error(r#"{"Message":"The request is invalid.","ModelState":{"order.Items[0].Quantity":["too small"]}}"#);
/// assert_eq!(error.detail.as_deref(), Some("The request is invalid."));
/// assert_eq!(error.issues[0].pointer, "/Items/0/Quantity");
/// assert_eq!(error.issues[0].code, IssueCode::RejectedByService);
/// ```
#[must_use]
pub fn read_error(body: &str) -> ErrorBody {
    let body = json::without_bom(body).trim();
    match json::document(body) {
        Ok(raw) if json::is_object(raw) => read_object(raw),
        Ok(raw) => ErrorBody { detail: message_string(raw), issues: Vec::new() },
        Err(_) if body.starts_with('<') => ErrorBody { detail: html_title(body), issues: Vec::new() },
        Err(_) => ErrorBody { detail: shortened(body), issues: Vec::new() },
    }
}

fn read_object(raw: &str) -> ErrorBody {
    let mut messages: [Option<String>; MESSAGE_MEMBERS.len()] = Default::default();
    let mut issues = Vec::new();
    for_each_member(raw, &mut |name, raw| {
        if name.eq_ignore_ascii_case("errors") || name.eq_ignore_ascii_case("ModelState") {
            read_issues(raw, &mut issues);
        }
        let preference = MESSAGE_MEMBERS.iter().position(|member| name.eq_ignore_ascii_case(member));
        if let Some(message) = preference.and_then(|preference| messages.get_mut(preference)) {
            let read = message_string(raw).or_else(|| read_error_object(raw, &mut issues));
            *message = message.take().or(read);
        }
    });
    ErrorBody { detail: messages.into_iter().flatten().next(), issues }
}

/// Reads a nested error object. Returns its message: `{"message":"…"}`, or `{"message":{"value":"…"}}` of OData before version 4. OData 4
/// lists further errors in `details`.
fn read_error_object(raw: &str, issues: &mut Vec<Issue>) -> Option<String> {
    let _ = json::elements(member(raw, "details").unwrap_or_default(), &mut |raw| {
        // Google's details need not be errors.
        if member(raw, "message").and_then(message_string).is_some() {
            push(issues, read_issue(raw));
        }
    });
    let message = member(raw, "message")?;
    message_string(message).or_else(|| message_string(member(message, "value")?))
}

/// Reads `errors` or `ModelState`: an array of error objects and strings, or an object from member names to messages.
fn read_issues(raw: &str, issues: &mut Vec<Issue>) {
    if json::is_array(raw) {
        // The document has been checked, so this cannot fail.
        let _ = json::elements(raw, &mut |raw| {
            if json::is_object(raw) {
                push(issues, read_issue(raw));
            } else if let Some(message) = message_string(raw) {
                push(issues, rejection(Vec::new(), Some(message)));
            }
        });
    } else if json::is_object(raw) {
        for_each_member(raw, &mut |key, raw| {
            let path = parse_key(key);
            if json::is_array(raw) {
                let _ = json::elements(raw, &mut |raw| {
                    push(issues, rejection(path.clone(), message_string(raw)));
                });
            } else {
                push(issues, rejection(path, message_string(raw)));
            }
        });
    }
}

fn push(issues: &mut Vec<Issue>, issue: Issue) {
    if issues.len() < MAX_ISSUES {
        issues.push(issue);
    }
}

/// Reads `{"pointer":"/CompanyId","code":"integer_out_of_range","detail":"…","params":{"min":1,"max":2147483647}}`.
fn read_issue(raw: &str) -> Issue {
    let (mut path, mut code, mut message, mut params) = (Vec::new(), None, None, "");
    for_each_member(raw, &mut |name, raw| match name {
        "pointer" => path = message_string(raw).as_deref().map(parse_pointer).unwrap_or_default(),
        // OData.
        "target" => path = message_string(raw).as_deref().map(parse_key).unwrap_or_default(),
        "code" => code = message_string(raw),
        "detail" | "message" => message = message_string(raw),
        "params" => params = raw,
        _ => {}
    });
    let mut issue = rejection(path, message);
    if let Some(code) = code.and_then(|code| find(IssueCode::ALL, &code)) {
        issue.severity = code.severity();
        if let Some(params) = read_params(params, code.params()) {
            issue.code = code;
            issue.hint = hint_of(code, &params);
            issue.params = params;
        }
    }
    issue
}

/// Reads the values that a code has, in the order of its table. Drops others, and those of another type; returns `None` if a
/// required one is then missing.
fn read_params(raw: &str, CodeParams { required, optional }: CodeParams) -> Option<Params> {
    let mut params = Params::default();
    for (index, &known) in required.iter().chain(optional).enumerate() {
        let mut value = None;
        for_each_member(raw, &mut |name, raw| {
            if name == known.name {
                value = read_param(known.param_type, raw);
            }
        });
        match value {
            Some(value) => params.push(known.name, value),
            None if index < required.len() => return None,
            None => {}
        }
    }
    Some(params)
}

fn read_param(param_type: ParamType, raw: &str) -> Option<Param> {
    match param_type {
        ParamType::Number => number(raw).map(Param::Number),
        ParamType::Text => message_string(raw).map(Param::from),
    }
}

fn rejection(path: Vec<Segment>, message: Option<String>) -> Issue {
    let code = IssueCode::RejectedByService;
    let message = message.unwrap_or_else(|| ["The order ", code.predicate()].concat());
    Issue::from_service(code, path, message)
}

/// Parses a JSON Pointer such as `/Items/0/Quantity`, also as a URI fragment (`#/Items/0/Quantity`), which is percent-encoded
/// (RFC 6901 §6).
fn parse_pointer(pointer: &str) -> Vec<Segment> {
    let decoded = pointer.strip_prefix('#').map(|fragment| unescaped(fragment, '%', percent_decoded));
    let tokens = decoded.as_deref().unwrap_or(pointer).split('/').skip(1);
    tokens.map(|token| segment(&unescaped(token, '~', of_pointer))).collect()
}

/// Replaces each escape: a mark, and the text after it that `decode` reads as one character. Other marks are unchanged.
fn unescaped(text: &str, mark: char, decode: fn(&str) -> Option<(char, usize)>) -> String {
    let mut parts = text.split(mark);
    let mut unescaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (c, length) = decode(part).unwrap_or((mark, 0));
        unescaped.push(c);
        unescaped.push_str(part.get(length..).unwrap_or_default());
    }
    unescaped
}

/// Decodes what follows `~` in a reference token of a JSON Pointer: `~0` is `~` and `~1` is `/`.
fn of_pointer(rest: &str) -> Option<(char, usize)> {
    match rest.as_bytes().first() {
        Some(b'0') => Some(('~', 1)),
        Some(b'1') => Some(('/', 1)),
        _ => None,
    }
}

/// Decodes an ASCII character after `%`. Others stay encoded: no known member has one, and decoding UTF-8 would take a kilobyte of the core.
fn percent_decoded(rest: &str) -> Option<(char, usize)> {
    let digit = |place| char::from(*rest.as_bytes().get(place)?).to_digit(16);
    let c = char::from_u32(digit(0)? << 4 | digit(1)?)?;
    c.is_ascii().then_some((c, 2))
}

/// Parses a key of ModelState such as `order.Items[0].Quantity`, or a target of OData such as `Items/0/Quantity`. Drops `$`, and the
/// name of the handler's parameter: a name before a member of the order, or `order` alone.
fn parse_key(key: &str) -> Vec<Segment> {
    let names = key.split(['.', '/', '[', ']']).filter(|name| !matches!(*name, "" | "$"));
    let mut path: Vec<_> = names.map(segment).collect();
    let is_of_order =
        |segment: &Segment| matches!(segment, Segment::Member(name) if ORDER.find(name, true).is_some());
    let is_parameter = match &*path {
        [Segment::Member(only)] => only.eq_ignore_ascii_case("order"),
        [first @ Segment::Member(_), second, ..] => !is_of_order(first) && is_of_order(second),
        _ => false,
    };
    if is_parameter {
        path.remove(0);
    }
    path
}

/// Returns the segment for an index or a member name; known names get the case of the specification.
fn segment(name: &str) -> Segment {
    match index(name) {
        Some(index) => Segment::Index(index),
        None => {
            Segment::Member(did_you_mean::exact_case(name).map_or_else(|| name.to_owned(), str::to_owned))
        }
    }
}

/// Parses an index: digits without a leading zero (RFC 6901 §4).
fn index(name: &str) -> Option<usize> {
    let is_index = name == "0" || name.starts_with(|first: char| matches!(first, '1'..='9'));
    number(name).filter(|_| is_index)
}

/// Parses an integer of 32 bits. Does not parse `usize`, because WebAssembly would accept less than other platforms.
fn number(text: &str) -> Option<usize> {
    usize::try_from(text.parse::<u32>().ok()?).ok()
}

/// Returns the last value of a member with this name in any case; `None` if the value is not an object, or lacks it.
fn member<'a>(raw: &'a str, name: &str) -> Option<&'a str> {
    let mut found = None;
    for_each_member(raw, &mut |other, raw| {
        found = if other.eq_ignore_ascii_case(name) { Some(raw) } else { found };
    });
    found
}

fn for_each_member<'a>(raw: &'a str, visit: &mut dyn FnMut(&str, &'a str)) {
    // The document has been checked. A name with an unpaired surrogate ends the loop early.
    let _ = json::members(raw, &mut |name, raw| visit(&name, raw));
}

/// Returns the value of a JSON string, shortened, or `None` if it is blank or not a string.
fn message_string(raw: &str) -> Option<String> {
    shortened(&json::string(raw)?)
}

/// Returns the text between a `title` tag and the next tag, or `None` if the page has no title or a blank one.
fn html_title(page: &str) -> Option<String> {
    let title = page.split('<').find_map(|tag| {
        let (name, text) = tag.split_once('>')?;
        let name = name.split_once(' ').map_or(name, |(name, _attributes)| name);
        name.eq_ignore_ascii_case("title").then_some(text)
    })?;
    shortened(title)
}

/// Trims a message and cuts it to [`MAX_MESSAGE_LENGTH`]; returns `None` if it is blank.
fn shortened(message: &str) -> Option<String> {
    let message = message.trim();
    (!message.is_empty()).then(|| message.chars().take(MAX_MESSAGE_LENGTH).collect())
}
