//! A valid order, as a type.

use std::fmt;

use crate::decimal::Rounding;
use crate::guid::Guid;
use crate::issue::Issue;
use crate::options::{RuleOptions, Scale};
use crate::order::{FromRecord as _, SalesOrder};
use crate::parse::Origin;
use crate::request::PreparedRequest;

use super::Purpose;

/// A valid order: it can be sent. It owns its data, so it can leave the function that made it.
///
/// ```
/// use sales_order_intake::{InvalidOrder, Purpose, RuleOptions, ValidOrder, parse};
///
/// fn ready(json: &str) -> Result<ValidOrder, InvalidOrder> {
///     parse(json).check(Purpose::Send, &RuleOptions::default()).into_valid()
/// }
///
/// let valid = ready(r#"{
///     "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000,
///     "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
///     "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99 }]
/// }"#)?;
/// assert_eq!(valid.request().path, "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
/// assert_eq!(valid.order().items[0].quantity.to_string(), "2");
/// # Ok::<(), InvalidOrder>(())
/// ```
#[derive(Clone)]
pub struct ValidOrder {
    pub(super) request: PreparedRequest,
    pub(super) company_id: u32,
    pub(super) entity_id: u32,
    pub(super) integrator_id: Guid,
    /// The JSON that was checked; `None` if it is the body of the request.
    pub(super) json: Option<Box<str>>,
    pub(super) origin: Origin,
    pub(super) purpose: Purpose,
    pub(super) rules: RuleOptions,
    pub(super) currency: (Scale, Rounding),
}

impl ValidOrder {
    /// Returns the whole PUT request.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert!(valid.request().body.contains(r#""SellAtPricePerUnit":19.90"#)); // the digits as given
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn request(&self) -> &PreparedRequest {
        &self.request
    }

    /// Returns the request without a copy of its body.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let request = parse(order).check(Purpose::Send, &rules).into_valid()?.into_request();
    /// assert_eq!(request.order_id.to_string(), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn into_request(self) -> PreparedRequest {
        self.request
    }

    /// Returns the order as JSON: the body of the request. Store this, not [`order`](Self::order), to send the same bytes again.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }], "Taxes": null }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert_eq!(valid.to_json(), valid.request().body);
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        self.request.body.clone()
    }

    /// Returns the order as a struct, which each call makes from the JSON. Records that were passed through unread
    /// ([`Records::Passthrough`](crate::Records::Passthrough)) are in `other`.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let order = parse(order).check(Purpose::Send, &rules).into_valid()?.order();
    /// assert_eq!(order.items[0].name.as_deref(), Some("Tea"));
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "what is required in an order is checked; tests/properties.rs tries orders"
    )]
    pub fn order(&self) -> SalesOrder {
        let checked = self.checked();
        let order = checked.valid_records().and_then(|records| SalesOrder::from_record(records.root()));
        order.expect("a valid order has its required members")
    }

    /// Returns the Id of the order.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert_eq!(valid.order_id().to_string(), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn order_id(&self) -> Guid {
        self.request.order_id
    }

    /// Returns the identifier of the company (D4).
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert_eq!(valid.company_id(), 1000);
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn company_id(&self) -> u32 {
        self.company_id
    }

    /// Returns the identifier of the location (D4).
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert_eq!(valid.entity_id(), 2000);
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn entity_id(&self) -> u32 {
        self.entity_id
    }

    /// Returns the integrator that creates the order.
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert_eq!(valid.integrator_id().to_string(), "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50");
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn integrator_id(&self) -> Guid {
        self.integrator_id
    }

    /// Returns the warnings and notices, in the order of the specification's members, then by code (D56).
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "OrderNumber": "7", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// assert_eq!(valid.issues()[0].message, "OrderNumber is not used by the service");
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        &self.request.issues
    }
}

impl fmt::Debug for ValidOrder {
    /// Prints ids and counts, and no other value (D45).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidOrder")
            .field("id", &self.request.order_id)
            .field("company_id", &self.company_id)
            .field("entity_id", &self.entity_id)
            .field("issues", &self.request.issues.len())
            .finish()
    }
}
