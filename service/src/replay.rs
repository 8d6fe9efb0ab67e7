//! Decides whether an order that has the Id of a stored one is a replay of it, or another order (D28).

use sales_order_intake::ValidOrder;
use sales_order_intake::internals::{canonical_text, canonical_text_of_stored};
use sha2::{Digest as _, Sha256};

/// The version of the canonical text. Increase it with every change that gives stored orders another text, such as a new
/// known member.
const VERSION: u8 = 2;

/// The version, followed by the SHA-256 of the canonical text.
pub(crate) type OrderDigest = [u8; 33];

/// Computes the digest of a valid order, which equal orders share.
pub(crate) fn digest_of(order: &ValidOrder<'_>) -> OrderDigest {
    digest_of_text(&canonical_text(order))
}

/// Computes the digest of an order from its stored body; `None` if the body is not an order.
fn digest_of_body(body: &str) -> Option<OrderDigest> {
    canonical_text_of_stored(body).map(|text| digest_of_text(&text))
}

fn digest_of_text(text: &str) -> OrderDigest {
    let mut digest = [VERSION; 33];
    let hash = Sha256::digest(text.as_bytes());
    digest.iter_mut().skip(1).zip(hash).for_each(|(to, byte)| *to = byte);
    digest
}

/// Returns true if an order with this digest is the stored one, and false if it is a different order with the same id.
///
/// Digests of different versions cannot be compared. If the stored one has another version than [`VERSION`],
/// or none (0.1 stored only the hash), the digest is computed again from the stored body.
pub(crate) fn is_replay(digest: &OrderDigest, stored_digest: &[u8], stored_body: &str) -> bool {
    let same_version = stored_digest.len() == digest.len() && stored_digest.first() == Some(&VERSION);
    if same_version {
        stored_digest == digest
    } else {
        digest_of_body(stored_body).is_some_and(|stored| stored == *digest)
    }
}

#[cfg(test)]
mod tests {
    use sales_order_intake::internals::{DISCOUNT, DISCOUNT_ENTRY, ITEM, ORDER, TAX};

    use super::{VERSION, digest_of_body, is_replay};

    const BODY: &str =
        r#"{"Id":"2a8f5d33-eec9-4864-8b49-5636577b40d5","CompanyId":1501,"Notes":"Ring twice"}"#;

    /// Asks whether the order of `BODY` replays a stored row.
    fn replays(stored_digest: &[u8], stored_body: &str) -> bool {
        is_replay(&digest_of_body(BODY).unwrap(), stored_digest, stored_body)
    }

    #[test]
    fn the_stored_digest_decides_if_it_has_the_current_version() {
        let digest = digest_of_body(BODY).unwrap();
        assert!(replays(&digest, "not read"));
        let other = digest_of_body(&BODY.replace("twice", "once")).unwrap();
        assert!(!replays(&other, BODY));
    }

    #[test]
    fn the_stored_body_decides_if_the_digest_has_another_version() {
        let later = [&[VERSION + 1][..], &[7; 32]].concat();
        let without_version = [7; 32];
        let without_version_but_alike = [VERSION; 32];
        for digest in [&later[..], &without_version, &without_version_but_alike] {
            assert!(replays(digest, BODY));
            assert!(replays(digest, &BODY.replace("\"Notes\"", "\"ReceiptNumber\":\"7\",\"Notes\"")));
            assert!(!replays(digest, &BODY.replace("twice", "once")));
            assert!(!replays(digest, "not JSON"));
        }
    }

    #[test]
    fn an_order_is_a_replay_whether_its_records_were_read_or_passed_through() {
        let order = |records: &str| {
            format!(
                r#"{{"Id":"2a8f5d33-eec9-4864-8b49-5636577b40d5","CompanyId":1501,"EntityId":2301,"IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Items":[{{"CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":10}}],{records}}}"#
            )
        };
        // As it was sent, which is what a service that passes records through has stored, and as one that reads them prints it.
        let sent = order(r#""Taxes":[{"TaxAmount":"3.50","TaxId":"0B9F7C1E2D3A4B5C8D6E7F8091A2B3C4"}]"#);
        let read = order(
            r#""Taxes":[{"TaxId":"0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4","TaxAmount":3.50}],"ReceiptNumber":"1""#,
        );
        assert_eq!(digest_of_body(&sent), digest_of_body(&read));
        assert_ne!(digest_of_body(&sent), digest_of_body(&read.replace("3.50", "3.51")));
        // Records that can't be read are compared as JSON.
        let unread = order(r#""Discount":{"InvoiceLevel":"ten"}"#);
        assert_eq!(digest_of_body(&unread), digest_of_body(&unread.replace("ten", "t\\u0065n")));
        assert_ne!(digest_of_body(&unread), digest_of_body(&unread.replace("ten", "two")));
    }

    /// An order with every member that is sent.
    const WHOLE_ORDER: &str = r#"{
        "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1501, "EntityId": 2301, "FirstName": "Ada", "LastName": "Byron",
        "CustomerId": "0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4", "OrderNumber": "7", "IntegratorId": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "Items": [{
            "Name": "Tea", "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e", "Quantity": 3.50, "SellAtPricePerUnit": "10",
            "PackageId": "P", "Batch": "B"
        }],
        "Discount": { "InvoiceLevel": [{ "Name": "Member", "Value": 10, "ValueType": 2 }] },
        "IsDelivery": true, "ExternalOrderId": "E", "Taxes": [{ "TaxId": "e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80", "TaxAmount": 2.66 }],
        "Notes": "Ring twice", "TimeSlotDisplayString": "5 to 6 pm", "Extra": { "b": [1.0, null], "a": "x" }
    }"#;

    #[test]
    fn the_canonical_text_changes_only_with_its_version() {
        let members = [&ORDER, &ITEM, &TAX, &DISCOUNT, &DISCOUNT_ENTRY].map(|schema| {
            let sent = schema.fields.iter().filter(|field| !field.is_read_only());
            sent.map(|field| field.name).collect::<Vec<_>>().join(" ")
        });
        let digest: String =
            digest_of_body(WHOLE_ORDER).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
        let pinned = (
            2,
            "029bd771c5157e612ba5017ac9596f4430c2b19872d241fb5c75a479daf163752a",
            [
                "Id CompanyId EntityId FirstName LastName CustomerId OrderNumber IntegratorId Items Discount IsDelivery ExternalOrderId Taxes Notes TimeSlotDisplayString",
                "Name CatalogItemId Quantity SellAtPricePerUnit PackageId Batch",
                "TaxId TaxAmount",
                "InvoiceLevel",
                "Name Value ValueType",
            ],
        );
        assert_eq!(
            (VERSION, &*digest, members.each_ref().map(|members| &**members)),
            pinned,
            "a change of the members, or of how they are compared, gives stored orders another digest, and their replays would \
             get 409: raise VERSION by one, add new members to WHOLE_ORDER, then pin the new values here"
        );
    }
}
