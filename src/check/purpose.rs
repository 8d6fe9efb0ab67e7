//! The purpose of a check.

/// The purpose of a check: it decides whether an `Id` is required, and whether read-only members are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// To send it: it needs its own Id (D3), and read-only members, which are not sent, are not reported (D22).
    Send,
    /// To preview a cart: like `Send`, but it needs no Id yet.
    Preview,
    /// To validate it as it is: it needs an Id, and read-only members are reported (D22).
    Validate,
}
