//! Reading what a service says of a request that it refused, in whatever form it says it (D30).

use std::borrow::Cow;

use serde::Serialize;

use crate::code::IssueCode;
use crate::issue::{Issue, Segment};
use crate::json;
use crate::shape;
use crate::words::joined;

/// What an error body says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ErrorBody {
    /// The reason in the service's words; nothing where it gives none.
    ///
    /// It may hold what the order holds, names included: not for logs (D45).
    pub detail: Option<String>,
    /// What is wrong with which member, where the body says so. A code of this crate is kept; any other is
    /// [`IssueCode::RejectedByService`].
    pub issues: Vec<Issue>,
}

/// The longest text of a service that is passed on, in characters.
const LONGEST: usize = 1_000;
/// More than a service would list.
const MOST: usize = 1_000;

/// Reads the body of an error response: problem+json (RFC 9457), then `Message` and `ModelState`, `message`,
/// `error_description`, `error`, then plain text; of a page in HTML the title (D30).
///
/// Never fails: what says nothing reads as nothing.
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
    let body = body.strip_prefix('\u{FEFF}').unwrap_or(body).trim();
    match json::document(body) {
        Ok(raw) if json::is_object(raw) => of_object(raw),
        Ok(raw) => ErrorBody { detail: text_of(raw), issues: Vec::new() },
        Err(_) if body.starts_with('<') => ErrorBody { detail: title_of(body), issues: Vec::new() },
        Err(_) => ErrorBody { detail: brief(body), issues: Vec::new() },
    }
}

fn of_object(raw: &str) -> ErrorBody {
    let mut texts: [Option<String>; WORDS.len()] = Default::default();
    let mut issues = Vec::new();
    each_member(raw, |name, raw| {
        if name.eq_ignore_ascii_case("errors") || name.eq_ignore_ascii_case("ModelState") {
            add_issues(raw, &mut issues);
        }
        let word = WORDS.iter().position(|word| name.eq_ignore_ascii_case(word));
        if let Some(text) = word.and_then(|word| texts.get_mut(word)) {
            *text = text.take().or_else(|| text_of(raw)).or_else(|| inner_message(raw));
        }
    });
    ErrorBody { detail: texts.into_iter().flatten().next(), issues }
}

/// Where a reason stands, the most telling first.
const WORDS: [&str; 6] = ["detail", "title", "Message", "error_description", "error", "ExceptionMessage"];

/// `{"error":{"message":"…"}}`
fn inner_message(raw: &str) -> Option<String> {
    let mut message = None;
    if json::is_object(raw) {
        each_member(raw, |name, raw| {
            if name.eq_ignore_ascii_case("message") {
                message = text_of(raw);
            }
        });
    }
    message
}

/// Errors are a list of records with pointers, or lists of texts by the name of the member.
fn add_issues(raw: &str, issues: &mut Vec<Issue>) {
    if json::is_array(raw) {
        // A list that can't be read says nothing.
        let _ = json::elements(raw, &mut |raw| {
            if json::is_object(raw) {
                add(issues, issue_of_record(raw));
            } else if let Some(text) = text_of(raw) {
                add(issues, rejected(Vec::new(), Some(text)));
            }
        });
    } else if json::is_object(raw) {
        each_member(raw, |name, raw| {
            let path = path_of_name(name);
            if json::is_array(raw) {
                let _ = json::elements(raw, &mut |raw| add(issues, rejected(path.clone(), text_of(raw))));
            } else {
                add(issues, rejected(path, text_of(raw)));
            }
        });
    }
}

fn add(issues: &mut Vec<Issue>, issue: Issue) {
    if issues.len() < MOST {
        issues.push(issue);
    }
}

/// `{"pointer":"/Items/0/Quantity","code":"quantity_not_positive","detail":"…"}`
fn issue_of_record(raw: &str) -> Issue {
    let (mut pointer, mut code, mut detail) = (None, None, None);
    each_member(raw, |name, raw| match name {
        "pointer" => pointer = text_of(raw),
        "code" => code = text_of(raw),
        "detail" | "message" => detail = text_of(raw),
        _ => {}
    });
    let path = pointer.as_deref().map(path_of_pointer).unwrap_or_default();
    let mut issue = rejected(path, detail);
    if let Some(code) = code.and_then(|code| code.parse::<IssueCode>().ok()) {
        issue.code = code;
        issue.severity = code.severity();
        issue.hint = code.hint().map(Cow::Borrowed);
    }
    issue
}

fn rejected(path: Vec<Segment>, text: Option<String>) -> Issue {
    let message = text.unwrap_or_else(|| joined(&["The order ", IssueCode::RejectedByService.says()]));
    Issue::of_service(IssueCode::RejectedByService, path, message)
}

/// `/Items/0/Quantity`, as a URI fragment too.
fn path_of_pointer(pointer: &str) -> Vec<Segment> {
    let segments = pointer.trim_start_matches('#').split('/').skip(1);
    segments.map(|segment| step(&unescaped(segment))).collect()
}

fn unescaped(segment: &str) -> String {
    let mut parts = segment.split('~');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (escaped, rest) = match part.as_bytes().first() {
            Some(b'0') => ('~', part.get(1..)),
            Some(b'1') => ('/', part.get(1..)),
            _ => ('~', Some(part)),
        };
        text.push(escaped);
        text.push_str(rest.unwrap_or_default());
    }
    text
}

/// `order.Items[0].Quantity`, `$.items[0].quantity`: what the handler calls its parameter is no member.
fn path_of_name(name: &str) -> Vec<Segment> {
    let steps = name.split(['.', '[', ']']).filter(|step| !step.is_empty());
    let mut path: Vec<_> = steps.map(step).collect();
    if let Some(Segment::Member(first)) = path.first()
        && shape::ORDER.find(first, true, 0).is_none()
    {
        path.remove(0);
    }
    path
}

fn step(text: &str) -> Segment {
    match text.parse() {
        Ok(index) => Segment::Index(index),
        Err(_) => Segment::Member(shape::spelt(text).map_or_else(|| text.to_owned(), str::to_owned)),
    }
}

fn each_member(raw: &str, mut each: impl FnMut(&str, &str)) {
    // Checked with the document as a whole; a name that is no Unicode ends the reading, not the program.
    let _ = json::members(raw, &mut |name, raw| each(&name, raw));
}

fn text_of(raw: &str) -> Option<String> {
    brief(&json::text(raw)?)
}

/// The text between `<title>` and `</title>`.
fn title_of(page: &str) -> Option<String> {
    let mut tags = page.split('<');
    brief(tags.find_map(|tag| tag.get(..6)?.eq_ignore_ascii_case("title>").then(|| tag.get(6..))?)?)
}

fn brief(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.chars().take(LONGEST).collect())
}
