//! Decides whether an order whose Id is taken is the stored order again, or another one (D28, D49).
//!
//! Equal orders have the same canonical text (`src/canonical.rs` of the core), and so the same digest. It
//! depends neither on the operation, v2 or v3, nor on the registry. Other releases may make another text of
//! an order: if digests differ, the stored body decides.

use sales_order_intake::internals::canonical_text_of_stored;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of the canonical text.
pub type OrderDigest = [u8; 32];

/// The values of a sent order that are compared with those of a stored one.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub struct SentOrder {
    /// The company of the order.
    pub company: u32,
    /// The digest of the order.
    pub digest: OrderDigest,
}

/// The values of the stored order with the same Id.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredOrder {
    /// Its company.
    pub company: u32,
    /// Earlier releases stored other digests.
    pub digest: Vec<u8>,
    /// The body that it was created with.
    pub body: String,
}

/// The result of an order that is valid, or was when it was stored.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The order is new; its body, with the receipt number.
    Created(String),
    /// It is the stored order again; the body that it was created with.
    Replayed(String),
    /// Another order of the same company has its Id.
    Conflict,
    /// An order of another company has its Id, which the sender must not learn (D49).
    ConflictAcrossCompanies {
        /// The company of the order that was sent.
        sent: u32,
        /// The company of the stored order.
        stored: u32,
    },
}

impl SentOrder {
    /// Returns `None` for an order that no registry allows.
    pub(crate) fn new(company: Option<u32>, canonical_text: Option<String>) -> Option<Self> {
        Some(Self { company: company?, digest: digest_of_text(&canonical_text?) })
    }

    /// Compares the order with the stored one that has its Id.
    pub fn compare(&self, stored: StoredOrder) -> Outcome {
        if stored.digest == self.digest || digest_of_body(&stored.body) == Some(self.digest) {
            Outcome::Replayed(stored.body)
        } else if stored.company == self.company {
            Outcome::Conflict
        } else {
            Outcome::ConflictAcrossCompanies { sent: self.company, stored: stored.company }
        }
    }
}

/// Computes the digest of an order from its stored body; `None` if the body is not an order.
fn digest_of_body(body: &str) -> Option<OrderDigest> {
    canonical_text_of_stored(body).map(|text| digest_of_text(&text))
}

fn digest_of_text(text: &str) -> OrderDigest {
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use sales_order_intake::internals::{canonical_text_by_any_rules, ids};
    use sales_order_intake::parse;

    use super::{Outcome, SentOrder, StoredOrder, digest_of_body};

    const ID: &str = "2a8f5d33-eec9-4864-8b49-5636577b40d5";

    fn order(notes: &str, records: &str) -> String {
        format!(
            r#"{{"Id":"{ID}","CompanyId":1501,"EntityId":2301,"IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Items":[{{"CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":10}}],"Notes":"{notes}"{records}}}"#
        )
    }

    fn sent(json: &str) -> Option<SentOrder> {
        let parsed = parse(json);
        let (company, ..) = ids(&parsed);
        SentOrder::new(company, canonical_text_by_any_rules(&parsed, Some(ID.parse().unwrap())))
    }

    /// Compares an order with a stored one, whose digest was made from `digest_of`, or by another release.
    fn compare(json: &str, stored: &str, digest_of: Option<&str>) -> Outcome {
        let digest = digest_of.map_or(vec![2; 33], |body| digest_of_body(body).unwrap().to_vec());
        sent(json).unwrap().compare(StoredOrder { company: 1501, digest, body: stored.to_owned() })
    }

    #[test]
    fn an_order_is_a_replay_if_the_digest_or_the_stored_body_says_so() {
        let (sent, other) = (order("Ring twice", ""), order("Ring once", ""));
        let as_stored = sent.replace("\"Notes\"", "\"ReceiptNumber\":\"7\",\"Notes\"");
        for (stored, digest_of) in [(&sent, Some(&*sent)), (&as_stored, None), (&as_stored, Some(&*other))] {
            assert_eq!(compare(&sent, stored, digest_of), Outcome::Replayed(stored.clone()));
        }
        for (stored, digest_of) in [(&*other, Some(&*other)), (&other, None), ("not JSON", None)] {
            assert_eq!(compare(&sent, stored, digest_of), Outcome::Conflict, "{stored}");
        }
        let elsewhere = sent.replace("1501", "1502");
        assert_eq!(
            compare(&elsewhere, &sent, None),
            Outcome::ConflictAcrossCompanies { sent: 1502, stored: 1501 }
        );
    }

    #[test]
    fn an_order_that_no_registry_allows_is_not_compared() {
        let valid = order("Ring twice", "");
        for (from, to) in
            [("\"Quantity\":1", "\"Quantity\":-1"), (ID, "11111111-2222-4333-8444-555555555555"), ("}]", "")]
        {
            assert!(sent(&valid.replace(from, to)).is_none(), "{to}");
        }
        // If a member has two values, neither is read, so the order would be equal to one without the member.
        let twice = order("Ring twice", r#","Notes":"Ring once""#);
        assert!(sent(&twice).is_none());
    }

    #[test]
    fn an_order_is_a_replay_whether_its_records_were_read_or_passed_through() {
        // The order as it was sent, which a service that passes records through has stored, and as a service
        // that reads them prints it.
        let sent = order("", r#","Taxes":[{"TaxAmount":"3.50","TaxId":"0B9F7C1E2D3A4B5C8D6E7F8091A2B3C4"}]"#);
        let read = order(
            "",
            r#","Taxes":[{"TaxId":"0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4","TaxAmount":3.50}],"ReceiptNumber":"1""#,
        );
        assert_eq!(digest_of_body(&sent), digest_of_body(&read));
        assert_ne!(digest_of_body(&sent), digest_of_body(&read.replace("3.50", "3.51")));
        // Records that can't be read are compared as JSON.
        let unread = order("", r#","Discount":{"InvoiceLevel":"ten"}"#);
        assert_eq!(digest_of_body(&unread), digest_of_body(&unread.replace("ten", "t\\u0065n")));
        assert_ne!(digest_of_body(&unread), digest_of_body(&unread.replace("ten", "two")));
    }
}
