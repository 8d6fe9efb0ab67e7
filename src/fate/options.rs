//! How a reply is judged.

use crate::closed_set::closed_set;

closed_set! {
    /// What the body of a response must have to prove that the order was created (D26).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Proof {
        /// The form of an order with the Id, CompanyId and EntityId that were sent, and no other IntegratorId.
        #[default]
        Order = "order",
        /// The Id is enough: for a deployment that is known to return less than the order.
        Id = "id",
    }
}

closed_set! {
    /// What is known about earlier attempts to send the order (D31, D34).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum EarlierAttempts {
        /// There were none, or none of them can have created the order.
        #[default]
        None = "none",
        /// One of them may have created the order: a 4xx does not prove that it was not created, and a 409 may be about the order
        /// itself, so it can be repeated.
        Unknown = "unknown",
    }
}

/// How a reply is judged.
///
/// ```
/// use sales_order_intake::{FateOptions, Proof};
///
/// let mut options = FateOptions::default();
/// options.proof = Proof::Id;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FateOptions {
    /// What the body must have.
    pub proof: Proof,
    /// Whether a complete 200 with an empty body proves creation, too, and not only a 201 or 204: for a deployment that is known to respond so.
    pub accept_empty_body: bool,
    /// What is known about earlier attempts. Set [`EarlierAttempts::Unknown`] after each [`Fate::Unknown`](crate::Fate::Unknown) and
    /// [`Fate::Accepted`](crate::Fate::Accepted).
    pub earlier_attempts: EarlierAttempts,
}
