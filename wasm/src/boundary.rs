//! What all functions have in common: an order and options go in, a head and a payload come out.
//!
//! A head is one line of compact JSON; the payload follows after a line break. `options` is the JSON of the options, or empty;
//! options that can't be used give the head `{"invalidOption":"…","option":"…"}`: the message, and the pointer of the option.

use std::cell::RefCell;
use std::rc::Rc;

use sales_order_intake::internals::{self, FoundIssue, OptionError, ToJson as _, Writer};
use sales_order_intake::{ParsedOrder, parse};

use crate::options::{Options, parse_options};

/// The number of marks of JSON that the host did not write, or in which it has escaped every string.
pub const ANY_MARKS: u32 = u32::MAX;

/// Calls a function with the order and the options. Returns the wrong option instead if there is one, and an empty string if the
/// order has to be written again.
pub(crate) fn with_order(
    order: &str,
    options: &str,
    marks: u32,
    call: &dyn Fn(ParsedOrder<'_>, &Options) -> String,
) -> String {
    with_options(options, &|options| {
        let order = parse(order);
        let is_as_written = marks == ANY_MARKS || internals::is_as_written(&order, marks);
        if is_as_written { call(order, options) } else { String::new() }
    })
}

pub(crate) fn with_options(options: &str, call: &dyn Fn(&Options) -> String) -> String {
    match last_options(options) {
        Ok(options) => call(&options),
        Err(error) => invalid_option(&error),
    }
}

/// Returns the head for an option that can't be used.
pub(crate) fn invalid_option(error: &OptionError) -> String {
    response("", &|head| {
        error.message.write(head.member("invalidOption"));
        error.option.write(head.member("option"));
    })
}

thread_local! {
    /// The options of the last call and their JSON, because most calls have the same.
    static LAST: RefCell<(String, Rc<Options>)> = RefCell::default();
}

fn last_options(json: &str) -> Result<Rc<Options>, Box<OptionError>> {
    LAST.with_borrow_mut(|(last, options)| {
        if last != json {
            *options = Rc::new(parse_options(json)?);
            json.clone_into(last);
        }
        Ok(Rc::clone(options))
    })
}

pub(crate) fn issues_json(issues: &Vec<FoundIssue<'_>>) -> String {
    let mut out = Writer::default();
    issues.write(&mut out);
    out.into_string()
}

/// Returns a head with one member.
pub(crate) fn error_head(name: &'static str, write: &dyn Fn(&mut Writer)) -> String {
    response("", &|head| write(head.member(name)))
}

/// A capacity that is enough for most heads, in bytes.
pub(crate) const RESPONSE_CAPACITY: usize = 512;

/// Returns a head, and the payload after it if there is one.
pub(crate) fn response(payload: &str, members: &dyn Fn(&mut Writer)) -> String {
    let mut head = Writer::default().with_capacity(RESPONSE_CAPACITY + payload.len());
    head.begin_object();
    members(&mut head);
    head.end_object();
    let mut response = head.into_string();
    if !payload.is_empty() {
        response.push('\n');
        response.push_str(payload);
    }
    response
}
