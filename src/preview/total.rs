//! Price − discount + tax.

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{add, subtract};

use super::log::{Location, Log};
use super::trace::{Formula, StepTarget};

/// Calculates the total of an order.
pub(super) fn total(
    subtotal: Option<Decimal>,
    discount: Option<Decimal>,
    tax: Option<Decimal>,
    log: &mut Log,
) -> Option<Decimal> {
    net(StepTarget::Total("/total"), subtotal, discount, tax, Location::Order, log)
}

/// Calculates price − discount + tax; returns `None` if one of them is unknown or the result does not fit.
pub(super) fn net(
    target: StepTarget,
    price: Option<Decimal>,
    discount: Option<Decimal>,
    tax: Option<Decimal>,
    location: Location,
    log: &mut Log,
) -> Option<Decimal> {
    let (price, discount, tax) = (price?, discount?, tax?);
    let net = subtract(price, discount).and_then(|net| add(net, tax, price.scale()));
    match &net {
        Some(net) => log.trace.record("§2.1", target, Formula::Net(price, discount, tax), net),
        None => log.report(location, IssueCode::AmountOutOfRange),
    }
    net
}
