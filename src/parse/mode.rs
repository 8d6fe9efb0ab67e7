//! The purposes of parsing an order.

use crate::options::Records as RecordOption;
use crate::schema::Schema;

/// The purpose of parsing an order. Decides what counts as an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseMode {
    /// An order that gets an Id if it has none: read-only members are dropped, and a null Id counts as absent (D3, D22).
    Build(RecordOption),
    /// An order that is sent with its own Id: read-only members are dropped, and the Id is required (D3, D22).
    Send(RecordOption),
    /// A cart: like `Build`, but an order without Id is fine.
    Preview(RecordOption),
    /// An order that is checked as it is: the Id is required, and read-only members are reported (D22).
    Validate(RecordOption),
    /// The order in a response, read tolerantly: names in any case, null as absent (D26).
    Response,
}

impl ParseMode {
    pub(super) fn is_response(self) -> bool {
        self == Self::Response
    }

    /// Returns true if the Discount and Taxes records are not read.
    pub(super) fn passes_through(self, schema: &Schema) -> bool {
        match self {
            Self::Build(records) | Self::Send(records) | Self::Preview(records) | Self::Validate(records) => {
                records == RecordOption::Passthrough && !schema.is_published
            }
            Self::Response => false,
        }
    }

    /// Returns true if an order without Id is reported.
    pub(crate) fn requires_id(self) -> bool {
        matches!(self, Self::Send(_) | Self::Validate(_))
    }

    /// Returns true if null counts as an absent Id.
    pub(super) fn allows_null_id(self) -> bool {
        matches!(self, Self::Build(_) | Self::Preview(_))
    }

    pub(super) fn reports_read_only(self) -> bool {
        matches!(self, Self::Validate(_))
    }
}
